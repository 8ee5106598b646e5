import { invalidRequest } from './errors.js';
import type { Reader } from './parameters.js';
import { currencies, defaultMinimum, minimums, threeDecimal, wholeUnitsTimes100, zeroDecimal } from './currencies.js';
import { text } from './readers.js';

/** "up to 8 digits" of the smallest unit, https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
const maximum = 99_999_999;

/** Both are accepted, lower case is what is stored. */
export const currency: Reader<string> = (value, param) => {
  const code = text()(value, param).toLowerCase();
  if (currencies.has(code)) return code;
  const message = `Invalid currency: ${code}. Stripe currently supports these currencies: ${[...currencies].join(', ')}`;
  throw invalidRequest(message, { param });
};

/** What may be charged, whoever pays; checked before anything is executed. */
export function checkChargeAmount(amount: number, code: string): void {
  const refuse = (message: string, errorCode: string): never => {
    throw invalidRequest(message, { code: errorCode, param: 'amount' });
  };
  if (amount > maximum) {
    refuse(`Amount must be no more than ${formatAmount(maximum, code)}`, 'amount_too_large');
  }
  const minimum = minimums.get(code) ?? defaultMinimum;
  if (amount < minimum) {
    if (code === 'usd') refuse('Amount must be at least $0.50 usd', 'amount_too_small');
    const cents = formatAmount(Math.round((amount / minimum) * defaultMinimum), 'usd');
    const converted = `${formatAmount(amount, code)} converts to approximately ${cents}`;
    refuse(`Amount must convert to at least 50 cents. ${converted}.`, 'amount_too_small');
  }
  const step = threeDecimal.has(code) ? 10 : wholeUnitsTimes100.has(code) ? 100 : 1;
  if (amount % step !== 0) {
    const message = `Invalid amount: amounts in ${code} must be evenly divisible by ${step}.`;
    refuse(message, 'parameter_invalid_integer');
  }
}

/** `$1,234.50`, `¥500`: as Stripe writes amounts into messages. */
export function formatAmount(amount: number, code: string): string {
  const decimals = zeroDecimal.has(code) ? 0 : threeDecimal.has(code) ? 3 : 2;
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: code,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(amount / 10 ** decimals);
}
