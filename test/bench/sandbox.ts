import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { openBareLoop } from './bare-loop.js';
import { openClients } from './clients.js';

/*
 * `npm run bench:sandbox`: keyed creates per second, durably committed through HTTP by 20 concurrent clients, against a
 * bare loop of one-row durable commits on the same disk. Exit code 1 when the sandbox is slower than it must be.
 */

/** Where the sandbox's database lies by default: a temporary folder may be in memory, where a commit costs nothing. */
const folder = 'data';

const clients = 20;

/** By turns, a second each: what else the machine does changes from one moment to the next, and meets both. */
const rounds = 8;
const roundMs = 1000;

/** What must hold: this many per second, or this share of what the disk gives, whichever is less. */
const enough = 300;
const share = 0.8;

mkdirSync(folder, { recursive: true });
const place = mkdtempSync(join(folder, 'bench-'));
const bareLoop = openBareLoop(join(place, 'bare.db'));
const sandbox = await openClients(join(place, 'sandbox.db'), clients);
try {
  await sandbox.run(roundMs); // code and disk have to warm up
  const commits: number[] = [];
  const creates: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    commits.push(bareLoop.run(roundMs));
    creates.push(await sandbox.run(roundMs));
  }
  report(mean(commits), mean(creates));
} finally {
  bareLoop.close();
  await sandbox.close();
  rmSync(place, { recursive: true });
}

function report(commits: number, creates: number): void {
  const needed = Math.min(enough, share * commits);
  console.log(`bare loop of one-row durable commits  ${perSecond(commits)}`);
  console.log(`keyed creates by ${clients} clients          ${perSecond(creates)}`);
  console.log(`ratio                                 ${(creates / commits).toFixed(2)}`);
  // A create needs a processor and a bare commit hardly any, so on a machine that is busy with other work the ratio sinks.
  console.log(
    `load average                          ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} processors`,
  );
  console.log(`${creates >= needed ? 'passed' : 'FAILED'}: at least ${perSecond(needed)} needed`);
  if (creates < needed) process.exitCode = 1;
}

function mean(rates: readonly number[]): number {
  return rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
}

function perSecond(rate: number): string {
  return `${Math.round(rate)}/s`;
}
