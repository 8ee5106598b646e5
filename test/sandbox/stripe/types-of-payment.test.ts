import { expect, test } from 'vitest';
import { cardOnly, charge, errorOf, startRig } from './rig.js';

const create = { ...cardOnly, amount: 2500, currency: 'usd' };

test('confirmed on the server, with ways to pay that lead off the page: a return_url is needed', async () => {
  const { stripe, service } = await startRig();
  const confirmed = { amount: 2500, currency: 'usd', payment_method: 'pm_card_visa', confirm: true };
  const error = await errorOf(stripe.paymentIntents.create(confirmed));
  expect(error.statusCode).toBe(400);
  expect(error.message).toContain('you must provide a `return_url`');
  expect(service.effects().charges).toEqual([]);

  const cures = [
    { payment_method_types: ['card'] },
    { allowed_payment_method_types: ['card' as const] },
    { automatic_payment_methods: { enabled: true, allow_redirects: 'never' as const } },
    { return_url: 'https://example.com' },
  ];
  for (const cure of cures) {
    expect((await stripe.paymentIntents.create({ ...confirmed, ...cure })).status).toBe('succeeded');
  }
  const { confirm: _later, ...unconfirmed } = confirmed;
  const { id } = await stripe.paymentIntents.create(unconfirmed);
  expect((await errorOf(stripe.paymentIntents.confirm(id))).message).toContain('you must provide a `return_url`');
});

test('a card statement takes a suffix, not a whole descriptor', async () => {
  const { stripe, answers } = await startRig();
  const refusal = { statusCode: 400, rawType: 'invalid_request_error', param: 'statement_descriptor' };
  const descriptor = { statement_descriptor: 'ORDER 7' };
  const error = await errorOf(stripe.paymentIntents.create({ ...charge, ...descriptor }));
  expect(error).toMatchObject(refusal);
  expect(error.message).toBe(
    'The statement_descriptor parameter is not supported for the payment_method_type `card`. To continue supporting payment_method_type `card`, please pass in `statement_descriptor_suffix` or remove the `statement_descriptor` parameter altogether.',
  );
  // Card is also among the types that the Dashboard has.
  await errorOf(stripe.paymentIntents.create({ amount: 2500, currency: 'usd', ...descriptor }));
  expect(answers).toEqual(['rejected', 'rejected']);

  const open = await stripe.paymentIntents.create(create);
  expect(await errorOf(stripe.paymentIntents.update(open.id, descriptor))).toMatchObject(refusal);
  const link = { ...create, payment_method_types: ['link'], ...descriptor };
  const other = await stripe.paymentIntents.create(link);
  expect(other.statement_descriptor).toBe('ORDER 7');
  expect(
    await errorOf(stripe.paymentIntents.update(other.id, { allowed_payment_method_types: ['card'] })),
  ).toMatchObject(refusal);
  const withCard = { ...cardOnly, payment_method: 'pm_card_visa' };
  expect(await errorOf(stripe.paymentIntents.confirm(other.id, withCard))).toMatchObject(refusal);
  const suffixed = await stripe.paymentIntents.create({ ...charge, statement_descriptor_suffix: 'ORDER 7' });
  expect(suffixed.status).toBe('succeeded');
});

test('a card where none is among the types', async () => {
  const { stripe, service } = await startRig();
  const link = { payment_method_types: ['link'] };
  const open = await stripe.paymentIntents.create({ ...create, ...link });
  const withCard = await stripe.paymentIntents.create({ ...create, payment_method: 'pm_card_visa' });
  const payment_method = 'pm_card_visa';
  for (const call of [
    () => stripe.paymentIntents.create({ ...charge, ...link }),
    () => stripe.paymentIntents.update(open.id, { payment_method }),
    () => stripe.paymentIntents.confirm(open.id, { payment_method }),
    () => stripe.paymentIntents.update(withCard.id, { allowed_payment_method_types: ['link'] }),
    () => stripe.paymentIntents.confirm(withCard.id, { ...link, payment_method }),
  ]) {
    const error = await errorOf(call());
    expect(error).toMatchObject({ statusCode: 400, rawType: 'invalid_request_error' });
    expect(error.message).toContain(
      'The PaymentMethod provided (card) is not allowed for this PaymentIntent. Please attach a PaymentMethod of one of the following types: link.',
    );
  }
  expect(service.effects().charges.map(({ charge: taken }) => taken)).toEqual([null, null]);
});
