import { z } from 'zod';
import { durationSchema } from '../../plan/duration.js';
import { formatPath } from '../../plan/json-path.js';

/** A control call that is refused; `field` says where it is wrong. */
export class ControlError extends Error {
  override readonly name = 'ControlError';

  constructor(
    readonly status: number,
    message: string,
    readonly field?: string,
  ) {
    super(message);
  }
}

/** Far more than any key lives, and far from where dates end, however often it is repeated. */
const longestAdvanceMs = 10 * 365 * 24 * 60 * 60 * 1000;

export const clockSchema = z.strictObject({
  advance: durationSchema.refine((ms) => ms <= longestAdvanceMs, 'must not be longer than ten years'),
});

/** Requests a second over all endpoints in test mode: https://docs.stripe.com/rate-limits */
const stripesRate = 25;

const noTime = z.enum(['0', '0ms', '0s']).transform(() => 0);

export const settingsSchema = z
  .strictObject({
    ignoreKeys: z.boolean().exactOptional(),
    rateLimit: z
      .union(
        [z.literal(true).transform(() => stripesRate), z.int().nonnegative()],
        'must be a number from 0 up, or true',
      )
      .exactOptional(),
    searchLag: z.union([noTime, durationSchema], 'must be a duration such as "60s", or "0"').exactOptional(),
    neverPrune: z.boolean().exactOptional(),
  })
  .transform(({ searchLag, ...others }) => ({ ...others, ...(searchLag !== undefined && { searchLagMs: searchLag }) }));

/** The body as `schema` has it, or a 400 that names the first faulty field. */
export function parseInput<T>(schema: z.ZodType<T>, body: string): T {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    throw new ControlError(400, 'The body is not valid JSON.');
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  // Of a field that there is not, the path names the place where it stands.
  const stray = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  throw new ControlError(
    400,
    issue?.message ?? 'The body is not valid.',
    formatPath([...(issue?.path ?? []), ...stray]),
  );
}
