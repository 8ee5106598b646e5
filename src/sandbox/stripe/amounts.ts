import { invalidRequest, type StripeError } from './errors.js';
import type { Reader } from './parameters.js';
import { currencies, decimalsOf, maximumOf, minimumOf, threeDecimal, wholeUnitsTimes100 } from './currencies.js';
import { text } from './readers.js';

/** Both are accepted, lower case is what is stored. */
export const currency: Reader<string> = (value, param) => {
  const code = text()(value, param).toLowerCase();
  if (currencies.has(code)) return code;
  const message = `Invalid currency: ${code}. Stripe currently supports these currencies: ${[...currencies].join(', ')}`;
  throw invalidRequest(message, { param });
};

/** What may be charged, whoever pays. */
export function checkChargeAmount(amount: number, code: string): void {
  const [minimum, maximum] = [minimumOf(code), maximumOf(code)];
  if (amount > maximum) throw tooLarge(formatAmount(maximum, code));
  if (amount < minimum) {
    if (code === 'usd') throw tooSmall('Amount must be at least $0.50 usd');
    const cents = formatAmount(Math.round((amount / minimum) * minimumOf('usd')), 'usd');
    throw tooSmall(`${leastWorth} ${formatAmount(amount, code)} converts to approximately ${cents}.`);
  }
  checkStep(amount, code, 'amount');
}

/**
 * What no currency allows. An update may leave the currency out: what is wrong in any of them is wrong in the request
 * alone, so that it is refused before anything is saved under the key.
 */
export function checkAnyAmount(amount: number): void {
  const codes = [...currencies];
  const most = Math.max(...codes.map(maximumOf));
  if (amount > most) throw tooLarge(String(most));
  if (amount < Math.min(...codes.map(minimumOf))) throw tooSmall(leastWorth);
}

/** Some currencies have no coins for the last digits: true of what is charged, captured and given back. */
export function checkStep(amount: number, code: string, param: string): void {
  const step = threeDecimal.has(code) ? 10 : wholeUnitsTimes100.has(code) ? 100 : 1;
  if (amount % step === 0) return;
  const message = `Invalid amount: amounts in ${code} must be evenly divisible by ${step}.`;
  throw invalidRequest(message, { code: 'parameter_invalid_integer', param });
}

const leastWorth = 'Amount must convert to at least 50 cents.';

const tooSmall = (message: string): StripeError =>
  invalidRequest(message, { code: 'amount_too_small', param: 'amount' });

const tooLarge = (limit: string): StripeError =>
  invalidRequest(`Amount must be no more than ${limit}`, { code: 'amount_too_large', param: 'amount' });

/** `$1,234.50`, `¥500`: as Stripe writes amounts into messages. */
export function formatAmount(amount: number, code: string): string {
  const decimals = decimalsOf(code);
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: code,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(amount / 10 ** decimals);
}
