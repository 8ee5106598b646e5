export interface Fault {
  /** Where: `steps[1].args.subject`; empty for the document as a whole. */
  path: string;
  /** What is wrong and what would be right. Never quotes the value: it may be a secret. */
  message: string;
}

/** Input that was refused before anything was done. Its message is one line for people: the first fault, with its path. */
export class InputError extends Error {
  override readonly name = 'InputError';

  constructor(
    what: string,
    readonly faults: readonly [Fault, ...Fault[]],
  ) {
    const [first, ...rest] = faults;
    const more = rest.length > 0 ? ` (and ${rest.length} more)` : '';
    super(`${what}: ${first.path ? `${first.path}: ` : ''}${first.message}${more}`);
  }
}

/** Throws an `InputError` if there is any fault. */
export function refuse(what: string, faults: readonly Fault[]): void {
  const [first, ...rest] = faults;
  if (first) throw new InputError(what, [first, ...rest]);
}
