import type { RequestEntry, Sandbox } from '../sandbox/sandbox.js';

/** Often enough to look live. */
const pollIntervalMs = 100;

/** Prints every request as the outside world sees it come, until `work` is done. Returns what `work` returns. */
export async function withTimeline<T>(sandbox: Sandbox, print: (line: string) => void, work: Promise<T>): Promise<T> {
  const begun = Date.now();
  let printed = sandbox.effects().requests.length;
  const printNew = (requests: RequestEntry[]): void => {
    for (const request of requests) print(line(request, Date.parse(request.at) - begun));
    printed += requests.length;
  };
  const timer = setInterval(() => {
    printNew(untilUndecided(sandbox.effects().requests.slice(printed)));
  }, pollIntervalMs);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    printNew(sandbox.effects().requests.slice(printed));
  }
}

/** A request is in the log before its work is done; what became of it is told when that is known, in the order of the log. */
function untilUndecided(requests: RequestEntry[]): RequestEntry[] {
  const undecided = requests.findIndex(({ answer }) => answer === 'none');
  return undecided < 0 ? requests : requests.slice(0, undecided);
}

function line({ service, method, path, key, answer, fault }: RequestEntry, elapsed: number): string {
  const seconds = (Math.max(0, elapsed) / 1000).toFixed(1).padStart(5);
  const what = answer === 'executed' ? 'done' : answer === 'replayed' ? 'known: the first answer again' : answer;
  const lost = fault === null ? '' : '; the answer is withheld';
  return `${seconds} s  ${service.padEnd(6)} ${`${method} ${path}`.padEnd(26)} key ${shortKey(key)}  ${what}${lost}`;
}

/** Enough of a key to tell it from another. */
const shortKey = (key: string | null): string => (key === null ? '–' : `${key.slice(0, 16)}…`).padEnd(17);
