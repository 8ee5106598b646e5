import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/plan/input-error.js';
import { type EffectivePolicy, mergePolicies } from '../../src/plan/policy-merge.js';
import { defaultApprovalTimeout, type Policy, validatePolicy } from '../../src/plan/policy.js';

const isAllowed = (policy: Policy): boolean => {
  try {
    validatePolicy(policy);
    return true;
  } catch {
    return false;
  }
};

const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const amounts = fc.dictionary(fc.constantFrom('usd', 'eur', 'jpy'), fc.nat(100_000), { noNullPrototype: true });

/** Any policy that may be given by itself; absent fields are absent, as in a file. */
const policy: fc.Arbitrary<Policy> = fc
  .record({
    approveAbove: maybe(amounts),
    approvalTimeout: maybe(fc.integer({ min: 1, max: 1e9 })),
    activity: maybe(
      fc.record({
        requestTimeout: maybe(fc.integer({ min: 1, max: 60_000 })),
        startToCloseTimeout: maybe(fc.integer({ min: 1, max: 120_000 })),
        scheduleToCloseTimeout: maybe(fc.integer({ min: 1, max: 72_000_000 })),
        initialInterval: maybe(fc.integer({ min: 1, max: 60_000 })),
        maximumInterval: maybe(fc.integer({ min: 1, max: 600_000 })),
        backoffCoefficient: maybe(fc.integer({ min: 1, max: 10 })),
        maximumAttempts: maybe(fc.integer({ min: 1, max: 100 })),
      }),
    ),
  })
  .map((fields) => JSON.parse(JSON.stringify(fields)) as Policy)
  .filter(isAllowed);

/** Checks what holds for two policies that do not contradict each other. */
function forAnyTwo(check: (merged: EffectivePolicy, worker: Policy, client: Policy) => void): void {
  let compatible = 0;
  fc.assert(
    fc.property(policy, policy, (worker, client) => {
      let merged: EffectivePolicy;
      try {
        merged = mergePolicies(worker, client);
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
        return;
      }
      compatible += 1;
      check(merged, worker, client);
    }),
    { numRuns: 500 },
  );
  expect(compatible).toBeGreaterThan(100);
}

const noHigher = [...(['requestTimeout', 'startToCloseTimeout', 'scheduleToCloseTimeout', 'maximumAttempts'] as const)];
const noLower = ['initialInterval', 'maximumInterval', 'backoffCoefficient'] as const;

describe('the policies of worker and client together', () => {
  it('never loosen what either of them gave', () => {
    forAnyTwo((merged, ...policies) => {
      for (const given of policies) {
        for (const field of noHigher) {
          expect(merged.activity[field] ?? Infinity).toBeLessThanOrEqual(given.activity?.[field] ?? Infinity);
        }
        for (const field of noLower) {
          expect(merged.activity[field]).toBeGreaterThanOrEqual(given.activity?.[field] ?? -Infinity);
        }
        expect(merged.approvalTimeout).toBeLessThanOrEqual(given.approvalTimeout ?? Infinity);
        for (const [currency, amount] of Object.entries(given.approveAbove ?? {})) {
          expect(merged.approveAbove[currency]).toBeLessThanOrEqual(amount);
        }
      }
    });
  });

  it('make up nothing: every value is given by one of them, or is the default', () => {
    const defaults = mergePolicies({}, {});
    forAnyTwo((merged, worker, client) => {
      for (const field of [...noHigher, ...noLower]) {
        const given = [worker.activity?.[field], client.activity?.[field]].filter((value) => value !== undefined);
        expect(given.length > 0 ? given : [defaults.activity[field]]).toContain(merged.activity[field]);
      }
    });
  });

  it('are idempotent: merged once more, nothing changes', () => {
    forAnyTwo((merged, worker) => {
      expect(mergePolicies(worker, merged)).toEqual(merged);
      expect(mergePolicies(merged, merged)).toEqual(merged);
    });
  });

  it('are a policy that may be given by itself', () => {
    forAnyTwo((merged) => expect(isAllowed(merged)).toBe(true));
  });
});

describe('the merge', () => {
  it('of two empty policies is the defaults', () => {
    expect(mergePolicies({}, {})).toMatchObject({ approveAbove: {}, approvalTimeout: defaultApprovalTimeout });
    expect(mergePolicies({}, {}).activity).not.toHaveProperty('maximumAttempts');
  });

  it('takes the lower threshold of each currency, and all currencies', () => {
    const { approveAbove } = mergePolicies(
      { approveAbove: { usd: 5_000, eur: 0 } },
      { approveAbove: { usd: 9_000, eur: 100, jpy: 1 } },
    );
    expect(approveAbove).toEqual({ usd: 5_000, eur: 0, jpy: 1 });
  });

  it('takes what a client gives where the worker gives nothing, also beyond a default', () => {
    const { activity, approvalTimeout } = mergePolicies(
      { activity: { maximumAttempts: 8 } },
      { approvalTimeout: 2 * defaultApprovalTimeout, activity: { requestTimeout: 20_000, maximumAttempts: 100 } },
    );
    expect(activity).toMatchObject({ requestTimeout: 20_000, maximumAttempts: 8 });
    expect(approvalTimeout).toBe(2 * defaultApprovalTimeout);
  });

  it('is refused where the two contradict each other', () => {
    const worker = { activity: { startToCloseTimeout: 5_000, requestTimeout: 4_000 } };
    const client = { activity: { startToCloseTimeout: 3_000, requestTimeout: 2_000 } };
    expect(mergePolicies(worker, client).activity).toMatchObject({ startToCloseTimeout: 3_000, requestTimeout: 2_000 });
    expect(() =>
      mergePolicies({ activity: { maximumInterval: 1_000 } }, { activity: { initialInterval: 2_000 } }),
    ).toThrow('activity.initialInterval: must not be longer than maximumInterval');
  });
});
