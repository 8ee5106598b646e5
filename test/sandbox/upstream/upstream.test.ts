import { createServer, type IncomingHttpHeaders } from 'node:http';
import { Resend } from 'resend';
import Stripe from 'stripe';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listen, shut } from '../../../src/sandbox/listen.js';
import { startSandbox, type Sandbox } from '../../../src/sandbox/sandbox.js';
import { untilReleased } from '../../rig/held-delays.js';
import { openWire } from '../gateway/rig.js';
import { sandboxForTest, type TestSandbox } from '../rig.js';

/** A sandbox in front of another one, which plays the real provider. */
async function chain(): Promise<{ front: TestSandbox; real: TestSandbox; stripe: Stripe; resend: Resend }> {
  const real = await sandboxForTest();
  const front = await sandboxForTest({ stripeUpstream: real.stripeUrl, mailUpstream: real.mailUrl });
  const stripe = new Stripe('sk_test_secret', {
    host: '127.0.0.1',
    port: front.ports.stripe,
    protocol: 'http',
    maxNetworkRetries: 0,
    httpClient: Stripe.createFetchHttpClient(),
  });
  return { front, real, stripe, resend: new Resend('re_secret', { baseUrl: front.mailUrl }) };
}

const charge = (stripe: Stripe, idempotencyKey: string, change: object = {}): Promise<Stripe.PaymentIntent> =>
  stripe.paymentIntents.create(
    {
      amount: 2500,
      currency: 'usd',
      payment_method: 'pm_card_visa',
      confirm: true,
      return_url: 'https://x.test',
      ...change,
    },
    { idempotencyKey },
  );

const answers = (sandbox: Sandbox): string[] => sandbox.effects().requests.map(({ answer }) => answer);

describe('in front of a real provider', () => {
  test('the effect happens there, the answer is lost here, and the repeat is seen as a replay', async () => {
    const { front, real, stripe, resend } = await chain();
    front.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: 'drop' });
    front.addFault({ service: 'mail', match: 'POST /emails', fault: 'truncate-clean' });
    await expect(charge(stripe, 'k')).rejects.toThrow('connection');
    const intent = await charge(stripe, 'k');
    const send = (): ReturnType<typeof resend.emails.send> =>
      resend.emails.send({ from: 'a@x.test', to: 'b@x.test', subject: 'S', text: 'T' }, { idempotencyKey: 'm' });
    expect((await send()).error?.name).toBe('application_error');
    const { data } = await send();

    expect(real.effects()).toMatchObject({
      charges: [{ key: 'k', id: intent.id }],
      emails: [{ key: 'm', id: data?.id }],
    });
    expect(front.effects()).toMatchObject({
      charges: [],
      refunds: [],
      emails: [],
      requests: [
        { service: 'stripe', key: 'k', answer: 'executed', status: null, fault: 'drop' },
        { service: 'stripe', key: 'k', answer: 'replayed', status: 200 },
        { service: 'mail', key: 'm', answer: 'executed', status: 200, fault: 'truncate-clean' },
        { service: 'mail', key: 'm', answer: 'replayed', status: 200 },
      ],
    });
    expect(JSON.stringify(front.effects())).not.toMatch(/sk_test_secret|re_secret/);
    // The bytes that arrive are those that were sent.
    const bodies = (sandbox: Sandbox): string[] => sandbox.effects().requests.map(({ body }) => body);
    expect(bodies(real)).toEqual(bodies(front));
  });

  test('what became of a request is read off the answer', async () => {
    const { front, real, stripe } = await chain();
    await charge(stripe, 'a');
    await expect(charge(stripe, 'a', { amount: 3000 })).rejects.toMatchObject({ rawType: 'idempotency_error' });
    await expect(charge(stripe, 'b', { amount: 'x' })).rejects.toMatchObject({ statusCode: 400 });
    await expect(charge(stripe, 'c', { payment_method: 'pm_card_chargeDeclined' })).rejects.toMatchObject({
      statusCode: 402,
    });
    real.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: 'slow', delayMs: untilReleased });
    const first = charge(stripe, 'd');
    await expect.poll(() => real.effects().requests.at(-1)).toMatchObject({ key: 'd' });
    await expect(charge(stripe, 'd')).rejects.toMatchObject({ statusCode: 409 });
    await real.release();
    await first;
    await stripe.paymentIntents.list({ limit: 1 });
    expect(answers(front)).toEqual([
      'executed',
      'mismatch',
      'rejected',
      'executed',
      'executed',
      'in_flight',
      'executed',
    ]);
    expect(answers(front)).toEqual(answers(real));
  });

  test('what only a simulated service can do is refused', async () => {
    const { front } = await chain();
    for (const fault of ['500-saved', '500-saved-after'] as const) {
      expect(() => front.addFault({ service: 'stripe', match: 'POST /v1/refunds', fault })).toThrow(fault);
      const body = JSON.stringify({ service: 'mail', match: 'POST /emails', fault });
      const response = await fetch(`${front.url}/faults`, { method: 'POST', body });
      expect([response.status, await response.json()]).toMatchObject([400, { error: { field: 'fault' } }]);
    }
    expect(front.faults()).toEqual([]);
  });

  test('one service alone can be real', async () => {
    const real = await sandboxForTest();
    const front = await sandboxForTest({ mailUpstream: real.mailUrl });
    front.addFault({ service: 'stripe', match: 'POST /v1/refunds', fault: '500-saved' });
    expect(() => front.addFault({ service: 'mail', match: 'POST /emails', fault: '500-saved' })).toThrow();
  });

  test('slow: the effect there waits, too', async () => {
    const { front, real, stripe } = await chain();
    front.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: 'slow', delayMs: untilReleased });
    const charging = charge(stripe, 'k');
    await expect.poll(() => front.effects().requests).toHaveLength(1);
    expect(real.effects().requests).toEqual([]);
    await front.release();
    await charging;
    expect(real.effects().charges).toHaveLength(1);
  });

  test.each(['drop', 'truncate-length'] as const)(
    'the provider breaks its own answer off (%s): the log does not say that it was executed, or not',
    async (fault) => {
      const { front, real, stripe } = await chain();
      real.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault });
      await expect(charge(stripe, 'k')).rejects.toThrow();
      expect(front.effects().requests).toMatchObject([{ answer: 'none', status: 502, fault: null }]);
      expect((await charge(stripe, 'k')).status).toBe('succeeded');
      expect(real.effects().charges).toHaveLength(1);
      expect(answers(front)).toEqual(['none', 'replayed']);
    },
  );

  test('nobody there: a bad gateway, and the log does not say that anything was done', async () => {
    const gone = await startSandbox();
    await gone.close();
    const front = await sandboxForTest({ stripeUpstream: gone.stripeUrl });
    expect((await fetch(`${front.stripeUrl}/v1/refunds`, { method: 'POST' })).status).toBe(502);
    expect(front.effects().requests).toMatchObject([{ answer: 'none', status: 502, fault: null }]);
  });

  test.each(['ftp://x.test', 'api.stripe.com', 'https://user@x.test', 'https://:pw@x.test', 'https://x.test/?a=b'])(
    '%s is no upstream',
    async (stripeUpstream) => {
      await expect(startSandbox({ stripeUpstream })).rejects.toThrow('The upstream of Stripe must be');
    },
  );
});

describe('what is forwarded', () => {
  /** A provider that tells what it was asked. */
  async function echo(
    prefix = '',
  ): Promise<{ front: Sandbox; asked: { url?: string; headers: IncomingHttpHeaders }[] }> {
    const asked: { url?: string; headers: IncomingHttpHeaders }[] = [];
    const server = createServer(({ url, headers }, response) => {
      asked.push({ ...(url !== undefined && { url }), headers });
      response.writeHead(200, { 'request-id': 'req_1', connection: 'x-internal', 'x-internal': '1' }).end('{"id":"x"}');
    });
    const port = await listen(server, '127.0.0.1', 0, 'test');
    onTestFinished(() => shut(server));
    return { front: await sandboxForTest({ stripeUpstream: `http://127.0.0.1:${port}${prefix}` }), asked };
  }

  test('method, path, query and all headers but those of the connection, both ways', async () => {
    const { front, asked } = await echo('/prefix/');
    const response = await fetch(`${front.stripeUrl}/v1/charges?limit=3&x=%00`, {
      headers: { authorization: 'Bearer sk_test_x', 'stripe-version': '2020-08-27', 'stripe-account': 'acct_1' },
    });
    expect(asked).toMatchObject([
      {
        url: '/prefix/v1/charges?limit=3&x=%00',
        headers: {
          authorization: 'Bearer sk_test_x',
          'stripe-version': '2020-08-27',
          'stripe-account': 'acct_1',
          'accept-encoding': 'identity',
          host: expect.stringMatching(/^127\.0\.0\.1:/) as string,
        },
      },
    ]);
    expect(response.headers.get('request-id')).toBe('req_1');
    expect(response.headers.get('x-internal')).toBeNull();
    expect(await response.json()).toEqual({ id: 'x' });
  });

  test('a path that looks like another host stays a path: no credentials leave for elsewhere', async () => {
    const { front, asked } = await echo();
    const wire = openWire(front.ports.stripe);
    wire.socket.write('GET //evil.example/v1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer sk_test_x\r\n\r\n');
    await wire.until((text) => text.includes('{"id":"x"}'));
    expect(asked).toMatchObject([{ url: '//evil.example/v1' }]);
  });
});
