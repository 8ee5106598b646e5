import { findProgram } from '../../../src/sandbox/temporal/find-program.js';
import { temporalCli } from '../../../src/sandbox/temporal/program.js';

// A process of its own, for tests that kill it or run several at once: prints the path of the Temporal CLI.
console.log(await findProgram(temporalCli, { env: process.env, log: console.error }));
