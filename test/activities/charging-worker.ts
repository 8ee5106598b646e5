import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { pino } from 'pino';
import { Resend } from 'resend';
import { createActivities } from '../../src/activities/activities.js';
import type { StepInput } from '../../src/activities/step-input.js';
import { createStripe } from '../../src/activities/stripe-client.js';
import { openLedger } from '../../src/ledger/open-ledger.js';
import type { StepOf } from '../../src/plan/plan-schema.js';
import type { ChargeResult } from '../../src/plan/results.js';
import type { Acted } from '../../src/plan/step-failure.js';

/** A worker's process without Temporal: told over IPC to make one attempt at a charge, it says what came of it. */
export type ChargeInput = StepInput<StepOf<'charge'>['args']>;
export type Outcome = { id: string } | { failure: string };

const quiet = { logger: new DefaultLogger('ERROR') };
const [ledgerUrl = '', stripeUrl = ''] = process.argv.slice(2);
const ledger = await openLedger(ledgerUrl);
const { charge } = createActivities({
  stripe: createStripe({ secretKey: 'sk_test_rig', apiBase: new URL(stripeUrl) }),
  ...{ stripeAccount: 'acct_rig', resend: new Resend('re_rig'), emailFrom: 'Shop <orders@example.com>' },
  ...{ ledger, policy: {}, now: Date.now, breakAt: () => undefined, log: pino({ level: 'silent' }) },
});

async function attempt(input: ChargeInput): Promise<Outcome> {
  try {
    const { result } = await new MockActivityEnvironment({}, quiet).run<
      [ChargeInput],
      Acted<ChargeResult>,
      typeof charge
    >(charge, input);
    return { id: result.id };
  } catch (error) {
    return { failure: String(error) };
  }
}

process.on('disconnect', () => process.exit());
process.on('message', (input: ChargeInput) => void attempt(input).then((outcome) => process.send?.(outcome)));
process.send?.('ready');
