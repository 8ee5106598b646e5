import { UsageError } from '../command.js';

/** Something was set going, and it cannot be told here what it came to: exit code 3, and never "refused". */
export class LostSight extends Error {
  override readonly name = 'LostSight';
}

/** Nobody answered from the start: nothing was done by this command, unless it had sent something before. */
export class NoAnswer extends UsageError {}
