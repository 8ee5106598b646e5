import { describe, expect, it } from 'vitest';
import { chargeAmountFault, formatAmount, maximumAmount } from '../../src/plan/money.js';

/** Intl sets code and figure apart by a no-break space. */
const formatted = (amount: number, currency: string): string => formatAmount(amount, currency).replace(/\u00a0/g, ' ');

describe('money for people', () => {
  it.each([
    [2500, 'usd', '$25.00'],
    [1, 'usd', '$0.01'],
    [7840, 'usd', '$78.40'],
    [maximumAmount, 'usd', '$999,999.99'],
    [2500, 'eur', '€25.00'],
    [30, 'gbp', '£0.30'],
  ])('%d %s is %s', (amount, currency, text) => {
    expect(formatted(amount, currency)).toBe(text);
  });

  it.each([
    [500, 'jpy', '¥500'],
    [50_000, 'krw', '₩50,000'],
    [1_000, 'vnd', '₫1,000'],
    [500, 'clp', 'CLP 500'],
    [500, 'xpf', 'CFPF 500'],
    [500, 'mga', 'MGA 500'],
  ])('a currency without decimals is not divided: %d %s is %s', (amount, currency, text) => {
    expect(formatted(amount, currency)).toBe(text);
  });

  it.each(['bhd', 'jod', 'kwd', 'omr', 'tnd'])('a thousandth of %s is its smallest unit', (currency) => {
    expect(formatted(12_340, currency)).toBe(`${currency.toUpperCase()} 12.340`);
  });

  it.each(['isk', 'ugx'])('%s has no decimals, though Stripe takes it times 100', (currency) => {
    expect(formatted(500_00, currency)).toBe(`${currency.toUpperCase()} 500`);
  });
});

describe('an amount that Stripe would refuse', () => {
  it.each([
    [49, 'usd', 50],
    [49, 'eur', 50],
    [29, 'gbp', 30],
    [49, 'jpy', 50],
    [399, 'hkd', 400],
    [249, 'dkk', 250],
  ])('%d %s is below the minimum of %d', (amount, currency, minimum) => {
    expect(chargeAmountFault(amount, currency)).toContain(`must be at least ${minimum} (`);
    expect(chargeAmountFault(minimum, currency)).toBeUndefined();
  });

  it.each([
    ['isk', 550, 'must be divisible by 100'],
    ['ugx', 1, 'must be divisible by 100'],
    ['kwd', 1005, 'must end in 0'],
  ])('%s %d: %s', (currency, amount, fault) => {
    expect(chargeAmountFault(amount, currency)).toContain(fault);
  });

  it.each([
    ['isk', 500],
    ['kwd', 1010],
    ['clp', 1],
    ['xyz', 1],
  ])('%s %d is left to Stripe', (currency, amount) => {
    expect(chargeAmountFault(amount, currency)).toBeUndefined();
  });
});
