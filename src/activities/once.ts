import { ambiguousAsks, type ActionRecord, type Claim, isSettled, type Settlement } from '../ledger/action-record.js';
import type { Ledger } from '../ledger/ledger.js';
import type { StepError } from '../plan/report.js';
import type { Acted, Receipt } from '../plan/step-failure.js';
import type { Answer, Failure, Finding } from './answer.js';
import type { BreakAt } from './break-point.js';
import { AccountChanged, askAgain, outcomeUnknown, stepFailed } from './failures.js';
import { claimDuration, followInterval, isOld, leaseDuration, lookLimit, lookWindow, type LookWindow } from './look.js';
import { unknownError } from './unknown-error.js';

/** What one tool does, for `once` to do it once. No method throws; each request has a hard deadline and no retries. */
export interface Operation<Request, Result> {
  /** What today's code would send. What is sent is what the first claim recorded. */
  request: Request;
  /** The provider's account this worker talks to: keys of another account are other keys. */
  account: string | null;
  /** One request to the provider under `key`. */
  ask(request: Request, key: string): Promise<Answer<Result>>;
  /** Reads what became of an effect that was accepted but not final. */
  follow?(reference: string, request: Request): Promise<Answer<Result>>;
  /** Lists the provider's effects and compares their keys; absent where a provider cannot be asked. */
  look?(request: Request, key: string, window: LookWindow): Promise<Finding<Result>>;
}

export interface OnceDeps {
  ledger: Ledger;
  /** ms since the epoch. */
  now: () => number;
  breakAt: BreakAt;
  /** In ms. */
  requestTimeout: number;
  /** Throws if this operation may not be done at all; asked only while surely nothing was done. */
  mayBegin: () => void;
}

/**
 * Does an operation at most once, however often it is called:
 *
 *     claim ──settled──▶ the recorded answer
 *       │
 *       ├──older than the provider remembers──▶ look: found ──▶ adopt it
 *       │                                        └─ absent ─┐
 *      ask, with the recorded request, under the key ◀──────┘
 *       │
 *     settle, unless another attempt was faster ──▶ the record is the answer
 *
 * A claim is written before the ask, so a crash at any point leaves a trace of every request that may have been sent.
 * A lost answer ends the attempt with a retryable failure: Temporal tries again, and the same key gives the first
 * answer again.
 */
export async function once<Request, Result>(
  deps: OnceDeps,
  claim: Omit<Claim, 'request' | 'account'>,
  operation: Operation<Request, Result>,
): Promise<Acted<Result>> {
  const { account } = operation;
  deps.breakAt('before-claim', claim.stepIndex);
  const claimedAt = deps.now();
  const request = JSON.stringify(operation.request);
  const record = await deps.ledger.claim({ ...claim, request, account }, deps.mayBegin);
  deps.breakAt('after-claim', claim.stepIndex);
  if (isSettled(record)) return recordedAnswer(record, 'ledger');
  return new Asking(deps, record, operation, claimedAt).answer();
}

/** One attempt at an operation that is claimed and not settled. */
class Asking<Request, Result> {
  /** Recorded at the first claim: a deploy between two attempts may have changed what today's code would send. */
  private readonly request: Request;

  constructor(
    private readonly deps: OnceDeps,
    private readonly record: ActionRecord,
    private readonly operation: Operation<Request, Result>,
    private readonly claimedAt: number,
  ) {
    this.request = JSON.parse(record.request) as Request;
  }

  async answer(): Promise<Acted<Result>> {
    const { record, operation } = this;
    if (record.account !== operation.account) {
      return this.askNothing(new AccountChanged(record.account, operation.account));
    }
    if (isOld(record, this.deps)) return this.findOrAsk();
    if (record.reference === null || !operation.follow) return this.ask();
    return this.act(await operation.follow(record.reference, this.request));
  }

  private async ask(): Promise<Acted<Result>> {
    if (this.deps.now() - this.claimedAt > claimDuration)
      return this.askNothing(notYet('claim', 'The claim is too old'));
    const answer = await this.operation.ask(this.request, this.record.key);
    this.deps.breakAt('after-answer', this.record.step_index);
    return this.act(answer);
  }

  /** The claim counted an ask that is not made. */
  private async askNothing(reason: Error): Promise<never> {
    await this.deps.ledger.deny(this.record.key);
    throw reason;
  }

  /** Turns an answer into the record, or into a failure that makes Temporal try again. */
  private async act(answer: Answer<Result>): Promise<Acted<Result>> {
    const { ledger } = this.deps;
    const { key } = this.record;
    switch (answer.kind) {
      case 'succeeded':
      case 'declined':
        return this.settle(settlement(answer));
      case 'not_final':
        await ledger.accept(key, answer.reference);
        throw askAgain({ ...answer, retryAfter: followInterval });
      case 'refused': {
        // This ask did nothing, but an earlier or simultaneous one may have: then the refusal may be its consequence.
        const record = await ledger.settle(key, settlement(answer), (latest) => ambiguousAsks(latest) === 1);
        return isSettled(record) ? this.settled(record, answer) : this.find(answer.error.message);
      }
      case 'stuck':
        return this.find(answer.error.message);
      case 'not_now':
        return this.askNothing(askAgain(answer));
      case 'ambiguous':
        throw askAgain(answer);
    }
  }

  /** For a key that the provider may have forgotten: a blind request could act a second time. */
  private async findOrAsk(): Promise<Acted<Result>> {
    const { ledger, now, requestTimeout } = this.deps;
    const { key } = this.record;
    if (this.operation.look && !(await ledger.lease(key, leaseDuration(requestTimeout)))) {
      return this.askNothing(notYet('lease', 'Another attempt is looking for the effect'));
    }
    const lookedAt = now();
    const finding = await this.look();
    // What was absent a while ago may be there by now.
    if (finding?.kind === 'absent' && now() - lookedAt <= lookLimit(requestTimeout)) return this.ask();
    await ledger.release(key);
    if (!finding) return this.unknown('its key is older than the provider remembers');
    if (finding.kind === 'absent') throw notYet('look', 'The look is too old');
    return this.adopt(finding);
  }

  /** For an answer that no further asking will change: only the provider's own list can tell. */
  private async find(reason: string): Promise<Acted<Result>> {
    const finding = await this.look();
    if (finding?.kind === 'absent') return this.unknown(`${reason}; no trace of it was found`);
    return finding ? this.adopt(finding) : this.unknown(reason);
  }

  /** Undefined where the provider cannot be asked. */
  private async look(): Promise<Finding<Result> | undefined> {
    return this.operation.look?.(this.request, this.record.key, lookWindow(this.record));
  }

  private async adopt(found: Answer<Result>): Promise<Acted<Result>> {
    switch (found.kind) {
      case 'succeeded':
      case 'declined':
        return this.settle({ ...settlement(found), replayed: true });
      case 'not_final':
        return this.act(found);
      default:
        // The look itself failed: nothing is known yet.
        throw askAgain(found);
    }
  }

  private unknown(reason: string): Promise<Acted<Result>> {
    const error = JSON.stringify(unknownError(this.record, reason, this.operation.look ? 'ask again' : 'look'));
    return this.settle({ state: 'unknown', error, replayed: false });
  }

  private async settle(settlement: Settlement): Promise<Acted<Result>> {
    return this.settled(await this.deps.ledger.settle(this.record.key, settlement), settlement);
  }

  private settled(record: ActionRecord, { replayed }: Pick<Settlement, 'replayed'>): Acted<Result> {
    this.deps.breakAt('after-settle', record.step_index);
    return recordedAnswer(record, replayed ? 'provider-replay' : 'provider');
  }
}

function settlement<Result>(answer: Extract<Answer<Result>, { kind: 'succeeded' }> | Failure): Settlement {
  const { replayed } = answer;
  if (answer.kind !== 'succeeded') return { state: 'failed', error: JSON.stringify(answer.error), replayed };
  return { state: 'succeeded', result: JSON.stringify(answer.result), reference: answer.reference, replayed };
}

const notYet = (type: string, message: string): Error => askAgain({ error: { type, message } });

/** The answer is always what the record says, so that a replayed one looks exactly like the first. */
function recordedAnswer<Result>(record: ActionRecord, answeredBy: Receipt['answeredBy']): Acted<Result> {
  const receipt: Receipt = { attempts: record.asks, replays: record.replays, answeredBy };
  if (record.state === 'succeeded') return { result: JSON.parse(record.result ?? 'null') as Result, receipt };
  const error = JSON.parse(record.error ?? 'null') as StepError;
  throw record.state === 'failed' ? stepFailed(error, receipt) : outcomeUnknown(error, receipt);
}
