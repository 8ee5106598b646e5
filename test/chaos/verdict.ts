import type { Ledger } from '../../src/ledger/ledger.js';
import type { Effects } from '../../src/sandbox/sandbox.js';
import type { Finding, FindingKind, Unknown } from './audit/finding.js';
import { Judge } from './audit/judge.js';
import { Truth } from './audit/truth.js';
import type { Counts } from './counts.js';
import type { Story } from './story.js';

/** The outcome of a run, as `--json` prints it. */
export interface Verdict extends Counts {
  plans: number;
  steps: number;
  /** Requests for an effect that the outside world received. */
  attempts: number;
  faults: Record<string, number>;
  duplicates: number;
  lost: number;
  claimedButAbsent: number;
  deniedButHappened: number;
  /** Effects of steps that were declined, refused or rejected. */
  unwanted: number;
  unknown: number;
  /** Of these, the ones for which nothing that was done to them is a reason. */
  unexplained: number;
  unknowns: Unknown[];
  findings: Finding[];
  seconds: number;
}

export async function judge(
  stories: readonly Story[],
  ledger: Ledger,
  effects: Effects,
  counts: Counts,
  seconds: number,
): Promise<Verdict> {
  const truth = new Truth(effects);
  const findings: Finding[] = [];
  const unknowns: Unknown[] = [];
  for (const story of stories) {
    const records = await ledger.receipts({ namespace: 'default', workflowId: story.order.workflowId });
    const judged = new Judge(story, truth, records);
    findings.push(...judged.findings);
    unknowns.push(...judged.unknowns);
  }
  const count = (kind: FindingKind): number => findings.filter((finding) => finding.kind === kind).length;
  const faults: Record<string, number> = {};
  for (const { fault } of effects.requests) if (fault) faults[fault] = (faults[fault] ?? 0) + 1;
  return {
    plans: stories.length,
    steps: stories.reduce((total, { order }) => total + order.plan.steps.length, 0),
    attempts: effects.requests.filter(({ method }) => method === 'POST').length,
    faults,
    ...counts,
    duplicates: count('duplicate'),
    lost: count('lost'),
    claimedButAbsent: count('claimedButAbsent'),
    deniedButHappened: count('deniedButHappened'),
    unwanted: count('unwanted'),
    unknown: unknowns.length,
    unexplained: count('unexplained'),
    ...{ unknowns, findings, seconds },
  };
}

/** Every broken promise counts; an unknown outcome that has its reason does not. */
export const isClean = ({ findings }: Verdict): boolean => findings.length === 0;
