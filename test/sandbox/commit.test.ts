import { expect, test, vi } from 'vitest';
import { createClock } from '../../src/sandbox/clock.js';
import { openDatabase } from '../../src/sandbox/database.js';
import { createGroupCommit } from '../../src/sandbox/group-commit.js';
import { createMailbox } from '../../src/sandbox/mail/index.js';
import type { ServiceRequest } from '../../src/sandbox/service.js';
import { createSettings } from '../../src/sandbox/settings.js';
import { createStripeService } from '../../src/sandbox/stripe/index.js';

// A process killed between the effect and the log entry about it would leave a log that denies what happened. There is
// no such moment when both are one transaction: what the gateway does in `onCommit` fails, and the effect is not there.

const failing = (): never => {
  throw new Error('no log');
};

function request(path: string, authorization: string, body: string): ServiceRequest {
  const headers = { authorization, 'idempotency-key': 'k', 'content-type': 'application/x-www-form-urlencoded' };
  return { method: 'POST', path, query: '', headers, body: Buffer.from(body) };
}

function parts(): { database: ReturnType<typeof openDatabase>; dependencies: Parameters<typeof createMailbox>[0] } {
  const database = openDatabase(':memory:');
  const [clock, settings] = [createClock(database), createSettings(database)];
  return { database, dependencies: { database, clock, settings, commit: createGroupCommit(database) } };
}

test.each([{}, { savedFailure: 'after' as const }])(
  'Stripe, %j: no effect and no saved answer without the word about it',
  async (injection) => {
    vi.spyOn(console, 'error').mockReturnValue(); // the simulator says that something in it failed
    const stripe = createStripeService(parts().dependencies);
    const body = 'amount=100&currency=usd&payment_method=pm_card_visa&payment_method_types[]=card&confirm=true';
    const charge = request('/v1/payment_intents', 'Bearer sk_test_x', body);
    await stripe.handle(charge, injection, failing).catch(() => undefined);
    expect(stripe.effects().charges).toEqual([]);
    expect(await stripe.handle(charge)).toMatchObject({ status: 200, answer: 'executed' });
  },
);

test.each([{}, { savedFailure: 'after' as const }])(
  'mail, %j: no effect and no saved answer without the word about it',
  async (injection) => {
    const mailbox = createMailbox(parts().dependencies);
    const body = JSON.stringify({ from: 'a@x.test', to: 'b@x.test', subject: 'S', text: 'T' });
    const email = request('/emails', 'Bearer re_x', body);
    await expect(mailbox.handle(email, injection, failing)).rejects.toThrow('no log');
    expect(mailbox.effects().emails).toEqual([]);
    expect(await mailbox.handle(email)).toMatchObject({ status: 200, answer: 'executed' });
  },
);
