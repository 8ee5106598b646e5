import { Context } from '@temporalio/activity';
import type { Logger } from 'pino';
import type { Resend } from 'resend';
import type Stripe from 'stripe';
import type { Claim, PlanId } from '../ledger/action-record.js';
import type { Ledger } from '../ledger/ledger.js';
import type { StepOf } from '../plan/plan-schema.js';
import type { Policy } from '../plan/policy.js';
import type { ChargeResult, EmailResult, LookupChargeResult, RefundResult } from '../plan/results.js';
import type { Acted } from '../plan/step-failure.js';
import { type BegunStep, begunSteps, type BegunStepsInput, closePlan, type ClosePlanInput } from './begun-steps.js';
import type { BreakAt } from './break-point.js';
import { chargeOperation } from './charge.js';
import { conclude, type ConcludeInput, type Conclusion } from './conclude.js';
import { emailOperation } from './email.js';
import { askAgain, stepFailed } from './failures.js';
import { readCharge } from './lookup-charge.js';
import { once, type Operation } from './once.js';
import { type Opened, openPlan, type OpenPlanInput } from './open-plan.js';
import { type RefundArgs, refundOperation, undoOperation } from './refund.js';
import { logSpending } from './spending-log.js';
import type { StepInput } from './step-input.js';
import { allowStep } from './worker-policy.js';

export interface ActivityDeps {
  stripe: Stripe;
  /** The Stripe account the secret key belongs to, `acct_…`. */
  stripeAccount: string;
  resend: Resend;
  /** The sender of every e-mail, e.g. `Shop <orders@example.com>`. */
  emailFrom: string;
  ledger: Ledger;
  /** The worker's own policy: the authority, whatever a client sends along. */
  policy: Policy;
  log: Logger;
  /** ms since the epoch. */
  now: () => number;
  breakAt: BreakAt;
}

/** The activities of the workflow `agentPlan`. What they throw is in `failures.ts`. */
export function createActivities(deps: ActivityDeps) {
  const { stripe, stripeAccount: account, resend, emailFrom: from, ledger, policy } = deps;

  /** Does a step that writes: checked, claimed, asked, settled, and logged whatever comes of it. */
  async function write<Args extends object, Request, Result>(
    input: StepInput<Args>,
    operation: (claim: Omit<Claim, 'request' | 'account'>) => Operation<Request, Result>,
  ): Promise<Acted<Result>> {
    const { requestTimeout, args, approved, charged, ...identity } = input;
    const { attempt, currentAttemptScheduledTimestampMs: attemptScheduledAt } = Context.current().info;
    const claim = { ...identity, attemptScheduledAt };
    // What was asked before is followed to its end, whatever the policy says by now.
    const mayBegin = (): void => {
      if (input.purpose === 'do') allowStep(input, policy);
    };
    return logSpending(deps.log, input, attempt, () =>
      once({ ...deps, requestTimeout, mayBegin }, claim, operation(claim)),
    );
  }

  /** Temporal logs no failed attempt of a local activity, and a plan whose ledger is absent would wait in silence. */
  async function aloud<Result>(trouble: string, plan: PlanId, work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      const { namespace, workflowId } = plan;
      deps.log.warn({ namespace, workflowId, reason: (error as Error).message }, trouble);
      throw error;
    }
  }

  return {
    openPlan: (input: OpenPlanInput): Promise<Opened> =>
      aloud('the plan is not opened', input, openPlan(ledger, policy, input)),

    begunSteps: (input: BegunStepsInput): Promise<BegunStep[]> =>
      aloud('what the plan has begun is not known', input, begunSteps(ledger, input)),

    closePlan: (input: ClosePlanInput): Promise<BegunStep[]> =>
      aloud('the plan is not closed', input, closePlan(ledger, input)),

    charge: (input: StepInput<StepOf<'charge'>['args']>): Promise<Acted<ChargeResult>> =>
      write(input, (claim) =>
        chargeOperation({ stripe, account, requestTimeout: input.requestTimeout, claim }, input.args),
      ),

    refund: (input: StepInput<RefundArgs>): Promise<Acted<RefundResult>> =>
      write(input, (claim) =>
        refundOperation({ stripe, account, requestTimeout: input.requestTimeout, claim }, input.args),
      ),

    /** Gives back what is left of a charge: an operation of its own, under the step's `undo` key. */
    undoCharge: (input: StepInput<{ paymentIntent: string }>): Promise<Acted<RefundResult>> =>
      write(input, (claim) =>
        undoOperation({ stripe, account, requestTimeout: input.requestTimeout, claim }, input.args.paymentIntent),
      ),

    email: (input: StepInput<StepOf<'email'>['args']>): Promise<Acted<EmailResult>> =>
      write(input, () => emailOperation({ resend, from, requestTimeout: input.requestTimeout }, input.args)),

    async lookupCharge(input: { paymentIntent: string; requestTimeout: number }): Promise<Acted<LookupChargeResult>> {
      const answer = await readCharge(stripe, input.paymentIntent, input.requestTimeout);
      const receipt = { attempts: Context.current().info.attempt, replays: 0, answeredBy: 'provider' as const };
      if (answer.kind === 'succeeded') return { result: answer.result, receipt };
      throw answer.kind === 'refused' ? stepFailed(answer.error, receipt) : askAgain(answer);
    },

    conclude: (input: ConcludeInput): Promise<Conclusion> =>
      conclude(ledger, input, Context.current().info.scheduledTimestampMs),
  };
}

export type Activities = ReturnType<typeof createActivities>;
