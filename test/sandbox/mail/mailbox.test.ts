import { expect, test } from 'vitest';
import { sandboxForTest } from '../rig.js';
import { answers, clientOf, receipt } from './rig.js';

test('a message is sent, recorded as it was sent, and can be read back', async () => {
  const sandbox = await sandboxForTest();
  const resend = clientOf(sandbox);
  const sent = await resend.emails.send(receipt, { idempotencyKey: 'k' });
  const id = sent.data?.id;
  expect(sent.error).toBeNull();
  expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/);
  expect(sandbox.effects().emails).toEqual([
    { id, key: 'k', to: 'ada@example.com', subject: 'Receipt', text: 'Thank you', at: expect.any(String) as string },
  ]);
  expect((await resend.emails.get(id ?? '')).data).toMatchObject({
    object: 'email',
    id,
    from: receipt.from,
    to: ['ada@example.com'],
    last_event: 'delivered',
    html: null,
  });
  expect((await resend.emails.get('nobody')).error).toMatchObject({ statusCode: 404, name: 'not_found' });
  // As at Stripe: looking and finding nothing is carried out, not refused.
  expect(answers(sandbox)).toEqual(['executed', 'executed', 'executed']);
});

test('the e-mail of another account is not there, whoever knows its id', async () => {
  const sandbox = await sandboxForTest();
  const { data } = await clientOf(sandbox, 're_one').emails.send(receipt);
  const id = data?.id ?? '';
  expect((await clientOf(sandbox, 're_one').emails.get(id)).data).toMatchObject({ id });
  const foreign = await clientOf(sandbox, 're_two').emails.get(id);
  const unknown = await clientOf(sandbox, 're_two').emails.get('nobody');
  expect([foreign.data, foreign.error]).toEqual([null, unknown.error]);
  expect(foreign.error).toMatchObject({ statusCode: 404, name: 'not_found' });
});

test('several recipients stay a list', async () => {
  const sandbox = await sandboxForTest();
  await clientOf(sandbox).emails.send({ ...receipt, to: ['a@x.test', 'B <b@x.test>'], html: '<p>', text: '' });
  expect(sandbox.effects().emails).toMatchObject([{ to: ['a@x.test', 'B <b@x.test>'], key: null }]);
});

test.each(['drop', 'hang', '502-after', 'truncate-clean', 'empty-200'] as const)(
  '%s: sent again under its key, there is one message',
  async (fault) => {
    const sandbox = await sandboxForTest();
    const resend = clientOf(sandbox);
    sandbox.addFault({ service: 'mail', match: 'POST /emails', fault });
    const send = (signal?: AbortSignal): ReturnType<typeof resend.emails.send> =>
      resend.emails.send(receipt, { idempotencyKey: 'k', ...(signal && { signal }) });
    const leaving = new AbortController();
    const first = send(leaving.signal).then(
      ({ data, error }) => expect([data, error?.name]).toEqual([null, 'application_error']),
      (error: unknown) => expect((error as Error).name).toBe('AbortError'),
    );
    await expect.poll(() => sandbox.effects().emails).toHaveLength(1);
    if (fault === 'hang') leaving.abort();
    await first;
    const [email] = sandbox.effects().emails;
    expect((await send()).data).toEqual({ id: email?.id });
    expect(sandbox.effects().emails).toHaveLength(1);
    expect(answers(sandbox)).toEqual(['executed', 'replayed']);
  },
);
