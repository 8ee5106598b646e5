import type { ActionRecord } from '../../../src/ledger/action-record.js';
import { idempotencyKey, type KeyPurpose } from '../../../src/plan/idempotency-key.js';
import { referencedIndex } from '../../../src/plan/references.js';
import type { Effects } from '../../../src/sandbox/sandbox.js';
import type { Order } from '../orders.js';
import { mailSubject } from '../plan-writer.js';

/** One effect in the outside world. `at` is ms since the epoch, by the sandbox's clock. */
export interface Effect {
  id: string;
  at: number;
  amount: number;
}

type Charge = Effects['charges'][number];

/**
 * What really happened. Who did it is told by what the effect itself carries (a charge its metadata, an e-mail its
 * subject, a refund its charge), never by the idempotency key alone: broken workers send wrong keys or none.
 */
export class Truth {
  private readonly charges: Map<string, Charge[]>;
  private readonly refunds: Map<string, Effects['refunds']>;
  private readonly emails: Map<string, Effects['emails']>;
  private readonly requests: Map<string, Effects['requests']>;
  private readonly plans: Map<string, Charge[]>;

  constructor(effects: Effects) {
    const paid = effects.charges.filter(({ status }) => status === 'succeeded');
    const given = effects.refunds.filter(({ status }) => status === 'succeeded' || status === 'pending');
    this.charges = groupBy(paid, ({ metadata }) => metadata['plan_key'] ?? '');
    this.plans = groupBy(paid, ({ metadata }) => metadata['plan_workflow'] ?? '');
    this.refunds = groupBy(given, ({ payment_intent }) => payment_intent);
    this.emails = groupBy(effects.emails, ({ subject }) => subject);
    this.requests = groupBy(effects.requests, ({ key }) => key ?? '');
  }

  /** All that the plan's steps did, step by step; what no step accounts for is in `strays`. */
  of(order: Order, records: readonly ActionRecord[]): PlanTruth {
    const { plan, workflowId } = order;
    const key = (stepIndex: number, purpose: KeyPurpose): string =>
      idempotencyKey({ namespace: 'default', workflowId, stepIndex, purpose });
    const steps = plan.steps.map((step, index): Effect[] => {
      if (step.tool === 'charge') return (this.charges.get(key(index, 'do')) ?? []).map(effectOf);
      if (step.tool === 'email') {
        return (this.emails.get(mailSubject(workflowId, index)) ?? []).map(({ id, at }) =>
          effectOf({ id, at, amount: 0 }),
        );
      }
      return [];
    });
    const undos = plan.steps.map((): Effect[] => []);
    const strays: PlanTruth['strays'] = [];
    for (const [index, charges] of steps.entries()) {
      if (plan.steps[index]?.tool !== 'charge') continue;
      const refundSteps = [...plan.steps.entries()].filter(
        ([, step]) => step.tool === 'refund' && referencedIndex(plan, step.args.charge) === index,
      );
      const operations = [
        ...refundSteps.map(([step]) => ({ key: key(step, 'do'), effects: steps[step] ?? [] })),
        { key: key(index, 'undo'), effects: undos[index] ?? [] },
      ];
      for (const refund of charges.flatMap(({ id }) => this.refunds.get(id) ?? [])) {
        const recorded = records.find(({ reference }) => reference === refund.id)?.key;
        const owner = operations.find((operation) => [refund.key, recorded].includes(operation.key));
        if (owner) owner.effects.push(effectOf(refund));
        else strays.push({ step: index, ...effectOf(refund) });
      }
    }
    // A charge with a key that is none of the plan's steps'.
    const known = new Set(plan.steps.map((_, index) => key(index, 'do')));
    const foreign = (this.plans.get(workflowId) ?? []).filter(({ metadata }) => !known.has(metadata['plan_key'] ?? ''));
    strays.push(...foreign.map((charge) => ({ step: Number(charge.metadata['plan_step']), ...effectOf(charge) })));
    return { steps, undos, strays };
  }

  /** The requests under a key, as the outside world received them. */
  requestsOf = (key: string): Effects['requests'] => this.requests.get(key) ?? [];
}

export interface PlanTruth {
  steps: readonly Effect[][];
  undos: readonly Effect[][];
  strays: (Effect & { step: number })[];
}

const effectOf = ({ id, at, amount }: { id: string; at: string; amount: number }): Effect => ({
  ...{ id, amount },
  at: Date.parse(at),
});

function groupBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const name = nameOf(item);
    groups.set(name, [...(groups.get(name) ?? []), item]);
  }
  return groups;
}
