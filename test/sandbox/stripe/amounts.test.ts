import { expect, test } from 'vitest';
import { charge, errorOf, startRig } from './rig.js';

const intents = '/v1/payment_intents';

test.each([
  [50, 'usd'],
  [50, 'USD'],
  [99_999_999, 'usd'],
  [30, 'gbp'],
  [400, 'hkd'],
  [50, 'jpy'],
  [250, 'dkk'],
  [1500, 'czk'],
  [200, 'ron'],
  [1000, 'krw'],
  [10_000, 'isk'],
  [200_000, 'ugx'],
  [5120, 'kwd'],
  [5120, 'bhd'],
  [100, 'bgn'],
  [999_999_999_999, 'idr'],
  [1_000_000, 'idr'],
  [250_000, 'cop'],
  [50, 'bsd'],
])('%i %s may be charged', async (amount, currency) => {
  const { stripe, service } = await startRig();
  await stripe.paymentIntents.create({ amount, currency });
  expect(service.effects().charges).toMatchObject([{ amount, currency: currency.toLowerCase() }]);
});

test.each([
  ['49', 'usd', 'amount_too_small', 'Amount must be at least $0.50 usd'],
  ['29', 'gbp', 'amount_too_small', 'must convert to at least 50 cents'],
  ['399', 'hkd', 'amount_too_small', 'must convert to at least 50 cents'],
  ['5', 'jpy', 'amount_too_small', 'Amount must convert to at least 50 cents. ¥5 converts to approximately $0.'],
  ['49', 'jpy', 'amount_too_small', 'must convert to at least 50 cents'],
  ['10', 'xof', 'amount_too_small', 'must convert to at least 50 cents'],
  ['99', 'bgn', 'amount_too_small', 'must convert to at least 50 cents'],
  ['50', 'idr', 'amount_too_small', 'must convert to at least 50 cents'],
  ['100000', 'cop', 'amount_too_small', 'must convert to at least 50 cents'],
  ['99999', 'lbp', 'amount_too_small', 'must convert to at least 50 cents'],
  ['5000', 'vnd', 'amount_too_small', '₫5,000 converts to approximately $0.19'],
  ['100', 'krw', 'amount_too_small', '₩100 converts to approximately $0.07'],
  ['1000000000000', 'idr', 'amount_too_large', 'Amount must be no more than'],
  ['100000000', 'cop', 'amount_too_large', 'Amount must be no more than'],
  ['100000000', 'usd', 'amount_too_large', 'Amount must be no more than $999,999.99'],
  ['100000000', 'jpy', 'amount_too_large', 'Amount must be no more than ¥99,999,999'],
  ['5125', 'kwd', 'parameter_invalid_integer', 'evenly divisible by 10'],
  ['10050', 'isk', 'parameter_invalid_integer', 'evenly divisible by 100'],
  ['200050', 'ugx', 'parameter_invalid_integer', 'evenly divisible by 100'],
  ['0', 'usd', 'parameter_invalid_integer', 'Invalid positive integer'],
  ['-5', 'usd', 'parameter_invalid_integer', 'Invalid positive integer'],
  ['25.5', 'usd', 'parameter_invalid_integer', 'Invalid integer: 25.5'],
  ['7840.000000000001', 'usd', 'parameter_invalid_integer', 'Invalid integer'],
  ['1e3', 'usd', 'parameter_invalid_integer', 'Invalid integer: 1e3'],
  ['99999999999999999999', 'usd', 'parameter_invalid_integer', 'Invalid integer'],
  ['100', 'zzz', undefined, 'Invalid currency: zzz. Stripe currently supports these currencies: usd, '],
])('%s %s: %s', async (amount, currency, code, message) => {
  const { send, service, answers } = await startRig();
  const { status, json } = await send('POST', intents, `amount=${amount}&currency=${currency}`);
  expect(status).toBe(400);
  expect(json.error).toMatchObject({ type: 'invalid_request_error', param: code ? 'amount' : 'currency' });
  expect(json.error?.code).toBe(code);
  expect(json.error?.message).toContain(message);
  expect(answers).toEqual(['rejected']);
  expect(service.effects().charges).toEqual([]);
});

test.each([
  ['kwd', 5120, 1001, 'evenly divisible by 10'],
  ['isk', 20_000, 10_050, 'evenly divisible by 100'],
  ['ugx', 400_000, 200_050, 'evenly divisible by 100'],
])('%s: what is captured or given back has coins, too', async (currency, amount, odd, message) => {
  const { stripe } = await startRig();
  const { id } = await stripe.paymentIntents.create({ ...charge, currency, amount, capture_method: 'manual' });
  const captured = await errorOf(stripe.paymentIntents.capture(id, { amount_to_capture: odd }));
  expect(captured).toMatchObject({ code: 'parameter_invalid_integer', param: 'amount_to_capture' });
  expect(captured.message).toContain(message);
  await stripe.paymentIntents.capture(id);
  const refunded = await errorOf(stripe.refunds.create({ payment_intent: id, amount: odd }));
  expect(refunded).toMatchObject({ code: 'parameter_invalid_integer', param: 'amount' });
  expect(refunded.message).toContain(message);
});
