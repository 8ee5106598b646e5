import { describe, expect, it, vi } from 'vitest';
import type { Finding } from '../../src/activities/answer.js';
import { claimOf } from '../ledger/claims.js';
import { failure, failureOf, notFinal, type OnceRig, scripted, startOnce, success } from './once-rig.js';

const { key } = claimOf();
const hour = 3_600_000;
const minute = 60_000;

/** A rig in which the first ask's answer was lost, `age` ms ago. */
async function afterLostAnswer(age: number): Promise<OnceRig> {
  const rig = await startOnce();
  await failureOf(rig.attempt(scripted(failure('ambiguous')).operation));
  rig.clock.now += age;
  return rig;
}

const finding = (found: Finding<{ id: string }>) => vi.fn(() => Promise.resolve(found));

describe('a key that the provider may have forgotten', () => {
  it('is one of more than 23 hours', async () => {
    const young = await afterLostAnswer(23 * hour);
    expect(await young.attempt(scripted(success()).operation)).toMatchObject({ result: { id: 'pi_1' } });
    const old = await afterLostAnswer(23 * hour + 1);
    expect(await failureOf(old.attempt(scripted().operation))).toMatchObject({ type: 'OutcomeUnknown' });
  });

  it('is also one from the future: the clock has jumped back', async () => {
    const skewed = await afterLostAnswer(-minute);
    expect(await skewed.attempt(scripted(success()).operation)).toMatchObject({ result: { id: 'pi_1' } });
    const jumped = await afterLostAnswer(-hour);
    expect(await failureOf(jumped.attempt(scripted().operation))).toMatchObject({ type: 'OutcomeUnknown' });
  });

  it('is never asked blindly; where nothing can be looked up, nobody knows', async () => {
    const { attempt, ledger } = await afterLostAnswer(25 * hour);
    const { ask, operation } = scripted();
    expect((await failureOf(attempt(operation))).message).toContain('its key is older than the provider remembers');
    expect(await failureOf(attempt(operation))).toMatchObject({ type: 'OutcomeUnknown', nonRetryable: true });
    expect(ask).not.toHaveBeenCalled();
    expect(await ledger.find(key)).toMatchObject({ state: 'unknown', asks: 3, denials: 2, replays: 0 });
  });

  it.each([
    ['a success', success('pi_7'), { state: 'succeeded', reference: 'pi_7', replays: 1 }],
    ['a decline', failure('declined'), { state: 'failed', replays: 1 }],
    ['what is not final', notFinal('pi_7'), { state: 'pending', reference: 'pi_7', replays: 0 }],
    ['nothing that can be told', failure('ambiguous'), { state: 'pending', reference: null }],
  ])('is looked for: %s', async (_, found, record) => {
    const { attempt, ledger } = await afterLostAnswer(25 * hour);
    const { ask, operation } = scripted();
    await attempt({ ...operation, look: finding(found) }).catch((error: unknown) => error);
    expect(await ledger.find(key)).toMatchObject(record);
    expect(ask).not.toHaveBeenCalled();
  });

  it('is asked again where surely nothing happened', async () => {
    const { attempt } = await afterLostAnswer(25 * hour);
    const { ask, operation } = scripted(success('pi_8'));
    const look = finding({ kind: 'absent' });
    expect(await attempt({ ...operation, look })).toMatchObject({ result: { id: 'pi_8' } });
    expect(look).toHaveBeenCalledTimes(1);
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it('is looked for an hour around all asks that may have acted', async () => {
    const { attempt } = await afterLostAnswer(25 * hour);
    const look = vi.fn<(request: unknown, key: string, window: { gte: number; lte: number }) => Promise<never>>();
    look.mockResolvedValue(success('pi_7') as never);
    await attempt({ ...scripted().operation, look });
    const firstAsked = 1_800_000_000;
    expect(look.mock.calls[0]?.[2]).toEqual({ gte: firstAsked - 3600, lte: firstAsked + 26 * 3600 });
  });

  it('is asked after a look of four request time-outs, and not after a longer one', async () => {
    for (const [duration, asks] of [
      [40_000, 1],
      [40_001, 0],
    ] as const) {
      const { attempt, clock } = await afterLostAnswer(25 * hour);
      const { ask, operation } = scripted(...Array.from({ length: asks }, () => success('pi_1')));
      const look = () => {
        clock.now += duration;
        return Promise.resolve({ kind: 'absent' as const });
      };
      const attempted = attempt({ ...operation, look });
      if (asks === 0) expect(await failureOf(attempted)).toMatchObject({ nonRetryable: false });
      else expect(await attempted).toMatchObject({ receipt: { attempts: 2 } });
      expect(ask).toHaveBeenCalledTimes(asks);
    }
  });

  it('is looked for by one attempt at a time, for six request time-outs', async () => {
    const { attempt, clock, ledger } = await afterLostAnswer(25 * hour);
    let leased: number | null | undefined;
    const leasing = async () => {
      leased = (await ledger.find(key))?.lease_until;
      return { kind: 'absent' as const };
    };
    await failureOf(attempt({ ...scripted(failure('ambiguous')).operation, look: leasing }));
    expect(leased).toBe(clock.now + 60_000);
    const { operation } = scripted();
    const look = finding({ kind: 'absent' });
    expect(await failureOf(attempt({ ...operation, look }))).toMatchObject({ nonRetryable: false });
    expect(look).not.toHaveBeenCalled();
  });

  it('that was answered is answered from the ledger, however old', async () => {
    const { attempt, clock } = await startOnce();
    await attempt(scripted(success('pi_1')).operation);
    clock.now += 1_000 * hour;
    expect(await attempt(scripted().operation)).toMatchObject({ result: { id: 'pi_1' } });
  });
});

describe('a claim', () => {
  it('of a process that stood still for more than a minute permits no ask any more', async () => {
    const { attempt, clock, ledger } = await startOnce();
    const { ask, operation } = scripted(success('pi_1'));
    const breakAt = (point: string): void => {
      if (point === 'after-claim') clock.now += minute + 1;
    };
    expect(await failureOf(attempt(operation, { breakAt }))).toMatchObject({ type: 'claim', nonRetryable: false });
    expect(ask).not.toHaveBeenCalled();
    expect(await ledger.find(key)).toMatchObject({ state: 'pending', asks: 1, denials: 1 });
    expect(await attempt(operation)).toMatchObject({ result: { id: 'pi_1' } });
  });
});

describe('an answer that no asking will change', () => {
  it.each([
    ['found', success('pi_7'), 'succeeded'],
    ['found declined', failure('declined'), 'failed'],
    ['absent: another request took the key', { kind: 'absent' } as const, 'unknown'],
  ])('is looked for at once: %s', async (_, found, state) => {
    const { attempt, ledger } = await startOnce();
    const { operation } = scripted(failure('stuck'));
    await attempt({ ...operation, look: finding(found) }).catch((error: unknown) => error);
    expect(await ledger.find(key)).toMatchObject({ state });
  });

  it('stays open while the look itself fails', async () => {
    const { attempt, ledger } = await startOnce();
    const { operation } = scripted(failure('stuck'));
    const look = finding(failure('not_now', { retryAfter: 5_000 }));
    expect(await failureOf(attempt({ ...operation, look }))).toMatchObject({
      ...{ nonRetryable: false, nextRetryDelay: 5_000 },
    });
    expect(await ledger.find(key)).toMatchObject({ state: 'pending' });
  });
});
