/** Stripe's zero-decimal currencies: the smallest unit is the unit itself (docs.stripe.com/currencies). */
const zeroDecimal = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '));
/** Three-decimal currencies: Stripe takes thousandths, but the last digit must be 0. */
const threeDecimal = new Set('bhd jod kwd omr tnd'.split(' '));
/** No decimals in practice, yet Stripe takes them times 100, and only whole units. */
const wholeUnitsTimes100 = new Set(['isk', 'ugx']);

/** Stripe's smallest charge in the smallest unit. Currencies not listed are judged by Stripe after conversion. */
const minimumCharge: Readonly<Record<string, number>> = {
  ...{ usd: 50, aud: 50, cad: 50, nzd: 50, sgd: 50, eur: 50, gbp: 30, hkd: 400, jpy: 50 },
  ...{ dkk: 250, czk: 1500, ron: 200 },
};

/** Eight digits: the largest amount Stripe takes. */
export const maximumAmount = 99_999_999;

/** How many of an amount's digits stand behind the decimal point. */
function decimals(currency: string): number {
  if (zeroDecimal.has(currency)) return 0;
  return threeDecimal.has(currency) ? 3 : 2;
}

/** Why Stripe would refuse `amount` (an integer in the smallest unit) as a charge, or undefined if it would not. */
export function chargeAmountFault(amount: number, currency: string): string | undefined {
  const minimum = Object.hasOwn(minimumCharge, currency) ? minimumCharge[currency] : undefined;
  if (minimum !== undefined && amount < minimum) {
    return `must be at least ${minimum} (${formatAmount(minimum, currency)}), Stripe's minimum charge in ${currency}`;
  }
  if (wholeUnitsTimes100.has(currency) && amount % 100 !== 0) {
    return `must be divisible by 100: ${currency} has no decimals, though Stripe takes it times 100`;
  }
  if (threeDecimal.has(currency) && amount % 10 !== 0) {
    return `must end in 0: Stripe takes ${currency} in thousandths rounded to ten`;
  }
  return undefined;
}

/** For people: `formatAmount(2500, 'usd')` is `$25.00`, `formatAmount(500, 'jpy')` is `¥500`. */
export function formatAmount(amount: number, currency: string): string {
  const fractionDigits = wholeUnitsTimes100.has(currency) ? 0 : decimals(currency);
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: fractionDigits,
    maximumFractionDigits: fractionDigits,
  }).format(amount / 10 ** decimals(currency));
}
