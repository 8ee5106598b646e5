import { z } from 'zod';
import { utf8Bytes } from './cut.js';
import { forbiddenValues } from './forbidden-values.js';
import { InputError } from './input-error.js';
import { schemaFaults } from './plan.js';

/** As JSON. A report with a note for each of a thousand steps must fit into one payload of Temporal's, 2 MB. */
const maximumNoteBytes = 1000;

/**
 * A person's decision on one step. Not a truthy value but `true` spends money: what arrives as `"false"` is refused. A note
 * may be absent or null.
 */
const decisionSchema = z.object({
  /** The step's index. */
  step: z.int('must be the index of a step'),
  /** Says which plan and step was looked at. */
  key: z.string('must be the idempotency key of the step'),
  approve: z.boolean('must be true or false'),
  note: z
    .string('must be a text')
    .refine((note) => utf8Bytes(JSON.stringify(note)) <= maximumNoteBytes, `must be at most ${maximumNoteBytes} bytes`)
    .nullish(),
});

export type Decision = z.infer<typeof decisionSchema>;

/** What is wrong with a decision, in one line, or undefined. A note stays in the history like everything in a plan. */
export function decisionFault(input: unknown): string | undefined {
  const { data, error } = decisionSchema.safeParse(input);
  // Not the key: one in some thousands has digits in it that look like a card number.
  const [fault] = error ? schemaFaults(error) : forbiddenValues({ note: data.note });
  return fault && new InputError('decision', [fault]).message;
}
