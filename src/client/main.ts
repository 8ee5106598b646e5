import { runCommand } from '../command.js';
import { runClient } from './program.js';

await runCommand(() => runClient(process.argv.slice(2), process));
