import type { Plan, Step } from '../../src/plan/plan-schema.js';

/** What becomes of a step that is reached, if the plan is carried on to its end. */
export type Fate = 'succeeds' | 'declines' | 'refused' | 'rejected';

const currency = 'usd';
const goodCards = ['pm_card_visa', 'pm_card_mastercard', 'pm_card_amex', 'pm_card_us'];
const declinedCards = ['pm_card_chargeDeclined', 'pm_card_chargeDeclinedInsufficientFunds', 'pm_card_radarBlock'];

interface Choice {
  pick<T>(items: readonly T[]): T;
}

/** Writes a plan step by step, and what is to become of each. */
export class PlanWriter {
  readonly steps: Step[] = [];
  readonly fates: Fate[] = [];
  readonly decisions: { step: number; approve: boolean }[] = [];
  /** What is left of each charge, by its step. */
  private readonly left = new Map<number, number>();

  constructor(
    private readonly workflowId: string,
    private readonly choice: Choice,
  ) {}

  charge(amount: number, more: { declined?: true } = {}): number {
    const index = this.steps.length;
    const payment_method = this.choice.pick(more.declined ? declinedCards : goodCards);
    const description = `Order ${this.workflowId}`;
    this.add({ tool: 'charge', args: { amount, currency, payment_method, description } }, more.declined && 'declines');
    if (!more.declined) this.left.set(index, amount);
    return index;
  }

  /** Without an amount, all that is left. More than is left is refused by the provider. */
  refund(charge: number, amount?: number): void {
    const left = this.left.get(charge) ?? 0;
    const given = amount ?? left;
    const fits = given > 0 && given <= left;
    if (fits) this.left.set(charge, left - given);
    this.add({ tool: 'refund', args: { charge, ...(amount === undefined ? {} : { amount }) } }, !fits && 'refused');
  }

  /** The subject names the step, so that the outside world's mail can be told apart without any key. */
  email(text: string): void {
    const subject = mailSubject(this.workflowId, this.steps.length);
    this.add({ tool: 'email', args: { to: 'ada@example.com', subject, text } });
  }

  lookup(charge: number): void {
    this.add({ tool: 'lookup_charge', args: { charge } });
  }

  /** A person has to decide on the step written last. */
  decide(approve: boolean): void {
    const step = this.steps.length - 1;
    (this.steps[step] as Step).approval = true;
    this.decisions.push({ step, approve });
    if (!approve) this.fates[step] = 'rejected';
  }

  plan(onFailure: 'stop' | 'undo'): Plan {
    return { goal: `Chaos ${this.workflowId}`, ...(onFailure === 'undo' ? { onFailure } : {}), steps: this.steps };
  }

  private add(step: Step, fate: Fate | false | undefined = 'succeeds'): void {
    this.steps.push(step);
    this.fates.push(fate || 'succeeds');
  }
}

export const mailSubject = (workflowId: string, step: number): string => `[${workflowId}/${step}] Receipt`;
