import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Info as ActivityInfo } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import { Resend } from 'resend';
import type { TestContext } from 'vitest';
import { type Activities, type ActivityDeps, createActivities } from '../../src/activities/activities.js';
import { createStripe } from '../../src/activities/stripe-client.js';
import type { StepInput } from '../../src/activities/step-input.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import { fingerprint } from '../../src/plan/fingerprint.js';
import { idempotencyKey, type KeyPurpose } from '../../src/plan/idempotency-key.js';
import type { Step } from '../../src/plan/plan-schema.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.js';
import { openTestLedger } from './test-ledger.js';
import './quiet-runtime.js';

/** The activities against a sandbox, without Temporal: a test calls each attempt itself, and moves the clock between. */
export interface ActivityRig {
  sandbox: Sandbox;
  ledger: Ledger;
  /** The ledger is gone, as after a lost disk: the worker goes on with an empty one. */
  loseLedger(): Promise<void>;
  /** Moves the worker's and the provider's clock. */
  advance(ms: number): void;
  /** One attempt of an activity. */
  attempt<Name extends 'charge' | 'refund' | 'undoCharge' | 'email'>(
    name: Name,
    input: Parameters<Activities[Name]>[0],
    info?: Partial<ActivityInfo>,
  ): ReturnType<Activities[Name]>;
  /** The last word on a step, asked at `scheduledTimestampMs`. */
  conclude(
    input: Parameters<Activities['conclude']>[0],
    scheduledTimestampMs: number,
  ): ReturnType<Activities['conclude']>;
  /** What the workflow would tell the activity of step `index`; the plan is open. */
  input<Args>(step: Step, args: Args, more?: { index?: number; purpose?: KeyPurpose }): StepInput<Args>;
}

export async function withActivityRig(
  { onTestFinished }: TestContext,
  deps: Partial<ActivityDeps> = {},
): Promise<ActivityRig> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-plans-'));
  let offset = 0;
  const now = (): number => Date.now() + offset;
  const sandbox = await startSandbox();
  const first = await openTestLedger(join(folder, 'ledger.db'), now);
  const { ledger } = first;
  const ledgers = [first];
  onTestFinished(async () => {
    await sandbox.close();
    for (const opened of ledgers) await opened.remove();
    await rm(folder, { recursive: true });
  });
  const common = {
    stripe: createStripe({ secretKey: 'sk_test_rig', apiBase: new URL(sandbox.stripeUrl) }),
    stripeAccount: 'acct_rig',
    resend: new Resend('re_rig', { baseUrl: sandbox.mailUrl }),
    emailFrom: 'Shop <orders@example.com>',
    policy: {},
    breakAt: () => undefined,
    log: pino({ level: 'silent' }),
    now,
  };
  let activities = createActivities({ ...common, ledger, ...deps });
  const plan = { namespace: 'default', workflowId: `w-${randomUUID()}` };
  const planFingerprint = 'the plan';
  const workflowStartedAt = now();
  await ledger.openPlan(plan, planFingerprint);
  return {
    sandbox,
    ledger,
    async loseLedger() {
      const empty = await openTestLedger(join(folder, `ledger-${ledgers.length}.db`), now);
      ledgers.push(empty);
      activities = createActivities({ ...common, ...deps, ledger: empty.ledger });
    },
    advance(ms) {
      offset += ms;
      sandbox.advanceClock(ms);
    },
    attempt: (name, input, info = {}) =>
      new MockActivityEnvironment(info).run(activities[name] as (input: unknown) => never, input) as never,
    conclude: (input, scheduledTimestampMs) =>
      new MockActivityEnvironment({ scheduledTimestampMs }).run(activities.conclude, input),
    input: (step, args, { index: stepIndex = 0, purpose = 'do' } = {}) => ({
      ...plan,
      planFingerprint,
      workflowStartedAt,
      stepIndex,
      purpose,
      key: idempotencyKey({ ...plan, stepIndex, purpose }),
      tool: step.tool,
      stepFingerprint: fingerprint(step),
      args,
      approved: false,
      charged: step.tool === 'charge' ? step.args.amount : 0,
      requestTimeout: 5_000,
    }),
  };
}
