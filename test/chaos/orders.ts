import { validatePlan } from '../../src/plan/plan.js';
import type { Plan } from '../../src/plan/plan-schema.js';
import { policyFaults } from '../../src/plan/policy-check.js';
import { type Policy, validatePolicy } from '../../src/plan/policy.js';
import { type Acts, chooseActs } from './acts.js';
import { type Fate, PlanWriter } from './plan-writer.js';
import { approvalThreshold, impatient, spendingLimit, workerPolicy } from './policy.js';
import { Random } from './random.js';

/** A plan, what is to become of it, and what is done to it on the way. All of it follows from seed and number. */
export interface Order {
  workflowId: string;
  plan: Plan;
  /** What the client sends along; the workers' own policy holds beside it. */
  policy: Policy;
  /** What becomes of each step that is reached. */
  fates: readonly Fate[];
  /** The workers' policy refuses it as a whole. */
  isRefused: boolean;
  /** `delay` ms after a run begins: early ones come before their step waits. */
  decisions: readonly { step: number; approve: boolean; delay: number }[];
  acts: Acts;
}

const early = 0;
const latestDecision = 5_000;

export function writeOrder(seed: number, number: number): Order {
  const workflowId = `chaos-${seed}-${number}`;
  const random = new Random(seed, 'plan', number);
  const writer = new PlanWriter(workflowId, random);
  const shape = random.weighted(weights);
  shapes[shape](writer, random);
  const isUndone = shape === 'undo' || (shape !== 'repeated' && random.chance(0.2));
  const plan = validatePlan(writer.plan(isUndone ? 'undo' : 'stop'));
  return {
    ...{ workflowId, plan, fates: writer.fates },
    // An undo goes on until it has an answer; a plan that gives up early is for those that stop.
    policy: !isUndone && random.chance(0.2) ? impatient(random.between(1, 3)) : {},
    isRefused: policyFaults(plan, validatePolicy(workerPolicy)).length > 0,
    decisions: writer.decisions.map((decision) => ({
      ...decision,
      delay: random.chance(0.4) ? early : random.between(early, latestDecision),
    })),
    acts: chooseActs(random),
  };
}

const weights = { sale: 6, refund: 5, repeated: 3, declined: 3, undo: 5, approval: 5, capped: 1, long: 2 };

const shapes: Record<keyof typeof weights, (plan: PlanWriter, random: Random) => void> = {
  sale(plan, random) {
    plan.charge(amount(random));
    if (random.chance(0.3)) plan.lookup(0);
    plan.email('We charged {{0.amount_formatted}} (payment {{0.id}}).');
  },
  refund(plan, random) {
    const taken = amount(random);
    plan.charge(taken);
    if (random.chance(0.5)) plan.refund(0);
    else plan.refund(0, random.between(1, taken - 1));
    plan.email('We gave back {{1.amount_formatted}} of {{0.amount_formatted}}.');
  },
  /** Rightful twins, and one refund too many. */
  repeated(plan, random) {
    plan.charge(5_000);
    plan.refund(0, 1_500);
    plan.refund(0, 1_500);
    plan.email('Twice the same.');
    plan.email('Twice the same.');
    if (random.chance(0.4)) plan.refund(0, 4_000);
  },
  declined(plan, random) {
    plan.email('We are about to charge you.');
    plan.charge(amount(random), { declined: true });
    plan.email('Never sent: {{1.id}}');
  },
  undo(plan, random) {
    const taken = amount(random);
    plan.charge(taken);
    if (random.chance(0.4)) plan.refund(0, random.between(1, taken));
    if (random.chance(0.5)) plan.email('Your order {{0.id}} is on its way.');
    plan.charge(amount(random));
    if (random.chance(0.8)) plan.charge(amount(random), { declined: true });
  },
  approval(plan, random) {
    plan.charge(amount(random));
    const approve = random.chance(0.7);
    if (random.chance(0.5)) plan.charge(approvalThreshold + random.between(1, 5_000));
    else plan.email('A person has read this.');
    plan.decide(approve);
    plan.email('Done, {{0.id}}.');
  },
  capped(plan, random) {
    plan.charge(amount(random));
    plan.charge(spendingLimit);
    plan.email('Never sent.');
  },
  long(plan, random) {
    for (let charges = 0; charges < 4; charges++) {
      const index = plan.charge(amount(random));
      if (random.chance(0.5)) plan.refund(index, random.between(1, 100));
      else plan.lookup(index);
    }
    plan.email('All four: {{0.id}}.');
  },
};

const amount = (random: Random): number => random.between(500, 9_000);
