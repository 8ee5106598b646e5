import { describe, expect, it } from 'vitest';
import { activitySettings, parsePolicy, validatePolicy } from '../../src/plan/policy.js';
import { refusal } from './plans.js';

const hour = 3_600_000;

describe('a policy', () => {
  it('may be empty: nothing is limited but the time', () => {
    expect(validatePolicy({})).toEqual({});
    expect(activitySettings({})).toEqual({
      requestTimeout: 10_000,
      startToCloseTimeout: 30_000,
      scheduleToCloseTimeout: 20 * hour,
      initialInterval: 1_000,
      maximumInterval: 300_000,
      backoffCoefficient: 2,
    });
  });

  const written = {
    limits: { usd: 100_000 },
    maxSteps: 1000,
    approveAbove: { usd: 50_000, eur: 0 },
    approvalTimeout: '24h',
    recipients: ['*@example.com'],
    activity: {
      ...{ requestTimeout: '10s', startToCloseTimeout: '30s', scheduleToCloseTimeout: '20h', initialInterval: '500ms' },
      ...{ maximumInterval: '5m', backoffCoefficient: 1.5, maximumAttempts: 8 },
    },
  };

  it('is read with its times in ms', () => {
    const policy = parsePolicy(JSON.stringify(written));
    expect(policy).toEqual({
      ...written,
      approvalTimeout: 24 * hour,
      activity: {
        ...{ requestTimeout: 10_000, startToCloseTimeout: 30_000, scheduleToCloseTimeout: 20 * hour },
        ...{ initialInterval: 500, maximumInterval: 300_000, backoffCoefficient: 1.5, maximumAttempts: 8 },
      },
    });
  });

  it('stays the same when it is read again, as the workflow does with what a client sent', () => {
    const policy = parsePolicy(JSON.stringify(written));
    expect(parsePolicy(JSON.stringify(policy))).toEqual(policy);
  });

  it('keeps what it gives beside the defaults', () => {
    expect(activitySettings(validatePolicy({ activity: { maximumAttempts: 1, requestTimeout: '2s' } }))).toMatchObject({
      ...{ maximumAttempts: 1, requestTimeout: 2_000, startToCloseTimeout: 30_000 },
    });
  });
});

describe('a policy is refused, with the path of the fault', () => {
  const duration = 'must be a duration such as "500ms", "30s", "5m" or "20h"';

  it.each<[string, unknown, string]>([
    ['a list', [], ': must be an object'],
    ['an unknown field', { limit: { usd: 1 } }, ': limit: is not a known field'],
    ['an unknown field of activity', { activity: { retries: 3 } }, ': activity.retries: is not a known field'],
    ['a currency in capitals', { limits: { USD: 1 } }, ': limits.USD: is not a three-letter currency code'],
    [
      'a name of objects as currency',
      { approveAbove: { constructor: 1 } },
      ': approveAbove.constructor: is not a three',
    ],
    ['a negative limit', { limits: { usd: -1 } }, ': limits.usd: '],
    ['a fraction', { approveAbove: { usd: 0.5 } }, ': approveAbove.usd: '],
    ['a limit as a string', { limits: { usd: '100' } }, ': limits.usd: '],
    ['no steps', { maxSteps: 0 }, ': maxSteps: '],
    ['more steps than a plan may have', { maxSteps: 1001 }, ': maxSteps: '],
    ['recipients that are no list', { recipients: '*@x.test' }, ': recipients: '],
    ['an empty pattern', { recipients: ['*@x.test', ''] }, ': recipients[1]: '],
    ['0 attempts', { activity: { maximumAttempts: 0 } }, ': activity.maximumAttempts: '],
    ['half an attempt', { activity: { maximumAttempts: 1.5 } }, ': activity.maximumAttempts: '],
    ['an interval that shrinks', { activity: { backoffCoefficient: 0.5 } }, ': activity.backoffCoefficient: '],
    ['a time without unit', { approvalTimeout: '24' }, `: approvalTimeout: ${duration}`],
    ['an unknown unit', { approvalTimeout: '1w' }, `: approvalTimeout: ${duration}`],
    ['a negative time', { approvalTimeout: '-1h' }, `: approvalTimeout: ${duration}`],
    ['a padded time', { approvalTimeout: '1h\n' }, `: approvalTimeout: ${duration}`],
    ['a time that is none', { approvalTimeout: null }, `: approvalTimeout: ${duration}`],
    ['a time longer than numbers go', { approvalTimeout: `${'9'.repeat(200)}h` }, `: approvalTimeout: ${duration}`],
    ['no time at all', { approvalTimeout: '0s' }, ': approvalTimeout: must be at least 1 ms'],
  ])('%s', (_, policy, fault) => {
    expect(refusal(() => validatePolicy(policy))).toContain(`policy${fault}`);
  });
});

describe('a policy that contradicts itself is refused', () => {
  const shorter = 'activity.requestTimeout: must be shorter than startToCloseTimeout';
  const startToClose = 'activity.startToCloseTimeout: must not be longer than scheduleToCloseTimeout';
  const atMost = 'activity.scheduleToCloseTimeout: must be at most 20h: Stripe forgets keys after 24h';
  const interval = 'activity.initialInterval: must not be longer than maximumInterval';

  it.each<[Record<string, unknown>, string | undefined]>([
    [{ requestTimeout: '5s', startToCloseTimeout: '5s' }, shorter],
    [{ requestTimeout: '4999ms', startToCloseTimeout: '5s' }, undefined],
    [{ requestTimeout: '30s' }, shorter],
    [{ startToCloseTimeout: '10s' }, shorter],
    [{ startToCloseTimeout: '61s', scheduleToCloseTimeout: '1m' }, startToClose],
    [{ startToCloseTimeout: '1m', scheduleToCloseTimeout: '1m' }, undefined],
    [{ scheduleToCloseTimeout: '20s' }, startToClose],
    [{ scheduleToCloseTimeout: '20h' }, undefined],
    [{ scheduleToCloseTimeout: 20 * hour + 1 }, atMost],
    [{ scheduleToCloseTimeout: '1d' }, atMost],
    [{ initialInterval: '2s', maximumInterval: '1s' }, interval],
    [{ initialInterval: '1s', maximumInterval: '1s' }, undefined],
    [{ initialInterval: '6m' }, interval],
  ])('%j', (activity, fault) => {
    if (fault === undefined) expect(() => validatePolicy({ activity })).not.toThrow();
    else expect(refusal(() => validatePolicy({ activity }))).toBe(`policy: ${fault}`);
  });
});
