import { describe, expect, it } from 'vitest';
import { breakPoints } from '../../src/activities/break-point.js';
import { claimOf, unknown } from '../ledger/claims.js';
import { failure, failureOf, notFinal, scripted, startOnce, success } from './once-rig.js';

const { key } = claimOf();
const recordedRequest = { amount: 2500 };

describe('an operation that succeeds', () => {
  it('is asked once, and its answer given again from the ledger', async () => {
    const { attempt } = await startOnce();
    const { ask, operation } = scripted(success('pi_1'));
    const fresh = await attempt(operation);
    expect(fresh).toEqual({ result: { id: 'pi_1' }, receipt: { attempts: 1, replays: 0, answeredBy: 'provider' } });
    const again = await attempt(operation);
    expect(again).toEqual({ result: { id: 'pi_1' }, receipt: { attempts: 1, replays: 1, answeredBy: 'ledger' } });
    expect(JSON.stringify(again.result)).toBe(JSON.stringify(fresh.result));
    expect(ask.mock.calls).toEqual([[recordedRequest, key]]);
  });

  it('after a lost answer is asked with the recorded request, whatever today’s code would send', async () => {
    const { attempt } = await startOnce();
    const { ask, operation } = scripted(failure('ambiguous'), success('pi_1', true));
    const lost = await failureOf(attempt(operation));
    expect(lost).toMatchObject({ nonRetryable: false, message: 'it was ambiguous' });
    const deployed = { ...operation, request: { amount: 2500, version: 2 } };
    expect(await attempt(deployed)).toEqual({
      ...{ result: { id: 'pi_1' }, receipt: { attempts: 2, replays: 1, answeredBy: 'provider-replay' } },
    });
    expect(ask.mock.calls).toEqual([
      [recordedRequest, key],
      [recordedRequest, key],
    ]);
  });

  it('in the end is followed by its reference, not asked again', async () => {
    const { attempt } = await startOnce();
    const { ask, operation } = scripted(notFinal('pi_7'));
    const followed: unknown[][] = [];
    const follow = (...call: [string, unknown]) => {
      followed.push(call);
      return Promise.resolve(followed.length === 1 ? notFinal('pi_7') : success('pi_7'));
    };
    const notYet = { nonRetryable: false, nextRetryDelay: 2_000 };
    expect(await failureOf(attempt({ ...operation, follow }))).toMatchObject(notYet);
    expect(await failureOf(attempt({ ...operation, follow }))).toMatchObject(notYet);
    expect(await attempt({ ...operation, follow })).toMatchObject({ result: { id: 'pi_7' } });
    expect(followed).toEqual([
      ['pi_7', recordedRequest],
      ['pi_7', recordedRequest],
    ]);
    expect(ask).toHaveBeenCalledTimes(1);
  });
});

describe('an operation that fails', () => {
  it('is declined for good, and the same answer given again', async () => {
    const { attempt } = await startOnce();
    const error = { type: 'card_error', code: 'card_declined', decline_code: 'stolen_card', message: 'Declined.' };
    const { ask, operation } = scripted(failure('declined', { error }));
    const fresh = await failureOf(attempt(operation));
    const again = await failureOf(attempt(operation));
    for (const failed of [fresh, again]) {
      expect(failed).toMatchObject({ type: 'StepFailed', nonRetryable: true, message: 'Declined.' });
      expect(failed.details?.[0]).toEqual(error);
    }
    expect(again.details?.[1]).toMatchObject({ answeredBy: 'ledger' });
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it('is declined also where an earlier answer was lost: it is the answer under this key', async () => {
    const { attempt } = await startOnce();
    const { operation } = scripted(failure('ambiguous'), failure('declined', { replayed: true }));
    await failureOf(attempt(operation));
    expect(await failureOf(attempt(operation))).toMatchObject({ type: 'StepFailed' });
  });

  it('is refused for good if this was the only ask that can have acted', async () => {
    const { attempt } = await startOnce();
    const { operation } = scripted(failure('not_now', { retryAfter: 7_000 }), failure('refused'));
    expect(await failureOf(attempt(operation))).toMatchObject({ nonRetryable: false, nextRetryDelay: 7_000 });
    expect(await failureOf(attempt(operation))).toMatchObject({ type: 'StepFailed', nonRetryable: true });
  });

  it('has an unknown outcome if an earlier ask may have acted', async () => {
    const { attempt, ledger } = await startOnce();
    const { operation } = scripted(failure('ambiguous'), failure('refused'));
    await failureOf(attempt(operation));
    const failed = await failureOf(attempt(operation));
    expect(failed).toMatchObject({ type: 'OutcomeUnknown', nonRetryable: true });
    expect(failed.message).toContain(
      'It is not known whether the charge took effect (asked 2 times; last: it was refused)',
    );
    expect(failed.message).toContain(key);
    expect(await ledger.find(key)).toMatchObject({ state: 'unknown' });
  });

  it('has an unknown outcome if another attempt is under way', async () => {
    const { attempt } = await startOnce();
    const second = scripted(failure('ambiguous'));
    const first = scripted(async () => {
      await failureOf(attempt(second.operation));
      return failure('refused');
    });
    expect(await failureOf(attempt(first.operation))).toMatchObject({ type: 'OutcomeUnknown' });
  });

  it('is not asked when it may not begin, and leaves no record', async () => {
    const { attempt, ledger } = await startOnce();
    const { ask, operation } = scripted();
    const refuse = (): never => {
      throw new Error('refused by the policy');
    };
    await expect(attempt(operation, { mayBegin: refuse })).rejects.toThrow('refused by the policy');
    expect(await ledger.find(key)).toBeUndefined();
    expect(ask).not.toHaveBeenCalled();
  });

  it('is not asked of another account than the first time', async () => {
    const { attempt, ledger } = await startOnce();
    const { ask, operation } = scripted(failure('ambiguous'), success());
    await failureOf(attempt(operation));
    await expect(attempt({ ...operation, account: 'acct_2' })).rejects.toMatchObject({ name: 'AccountChanged' });
    await expect(attempt({ ...operation, account: null })).rejects.toMatchObject({ name: 'AccountChanged' });
    expect(ask).toHaveBeenCalledTimes(1);
    expect(await ledger.find(key)).toMatchObject({ state: 'pending', asks: 3, denials: 2 });
    expect(await attempt(operation)).toMatchObject({ result: { id: 'pi_1' } });
  });
});

describe('an unknown outcome', () => {
  it('is asked for again at the next start', async () => {
    const { attempt } = await startOnce();
    const { operation } = scripted(failure('stuck'), success('pi_1', true));
    expect(await failureOf(attempt(operation))).toMatchObject({ type: 'OutcomeUnknown' });
    expect(await attempt(operation)).toMatchObject({ result: { id: 'pi_1' } });
  });

  it('gives way to a late success', async () => {
    const { attempt, ledger } = await startOnce();
    const { operation } = scripted(async () => {
      await ledger.settle(key, unknown('time is up'));
      return success('pi_1');
    });
    expect(await attempt(operation)).toMatchObject({ result: { id: 'pi_1' } });
    expect(await ledger.find(key)).toMatchObject({ state: 'succeeded', error: null });
  });
});

describe('two attempts at once', () => {
  it.each([
    ['two successes', success('pi_2', true)],
    ['a success and a late failure', failure('declined')],
    ['a success and a late refusal', failure('refused')],
    ['a success and a stuck key', failure('stuck')],
  ])('%s: both end with the answer that was recorded first', async (_, late) => {
    const { attempt, ledger } = await startOnce();
    const faster = scripted(success('pi_1'));
    const slower = scripted(async () => {
      await attempt(faster.operation);
      return late;
    });
    expect(await attempt(slower.operation)).toMatchObject({ result: { id: 'pi_1' } });
    expect(await ledger.find(key)).toMatchObject({ state: 'succeeded', reference: 'pi_1', asks: 2 });
  });
});

describe('an attempt that breaks', () => {
  const left = {
    'before-claim': [undefined, 1],
    'after-claim': [{ state: 'pending', asks: 1 }, 1],
    'after-answer': [{ state: 'pending', asks: 1 }, 2],
    'after-settle': [{ state: 'succeeded', asks: 1 }, 1],
  } as const;

  it.each(breakPoints)('%s is taken up by the next one', async (breakPoint) => {
    const { attempt, ledger } = await startOnce();
    const { ask, operation } = scripted(success('pi_1'), success('pi_1', true));
    const breakAt = (point: string): void => {
      if (point === breakPoint) throw new Error('broken');
    };
    await expect(attempt(operation, { breakAt })).rejects.toThrow('broken');
    const [record, asks] = left[breakPoint];
    const found = await ledger.find(key);
    if (record) expect(found).toMatchObject(record);
    else expect(found).toBeUndefined();
    expect(await attempt(operation)).toMatchObject({ result: { id: 'pi_1' } });
    expect(ask).toHaveBeenCalledTimes(asks);
  });

  it('because the ledger could not be written after the answer is taken up too', async () => {
    const { attempt, ledger } = await startOnce();
    const { ask, operation } = scripted(success('pi_1'), success('pi_1', true));
    const full = Object.assign(Object.create(ledger) as typeof ledger, {
      settle: () => Promise.reject(new Error('disk full')),
    });
    await expect(attempt(operation, { ledger: full })).rejects.toThrow('disk full');
    expect(await attempt(operation)).toMatchObject({ result: { id: 'pi_1' }, receipt: { replays: 1 } });
    expect(ask.mock.calls.map(([, asked]) => asked)).toEqual([key, key]);
  });
});
