import { z } from 'zod';
import type { ServiceAnswer } from '../service.js';
import type { UpstreamAnswer } from './forward.js';

/** As much of Stripe's and Resend's error objects as tells why a request was refused. */
const errorSchema = z.object({
  error: z.object({ type: z.string().optional(), code: z.string().optional() }).optional(),
  name: z.string().optional(),
});

/** What became of a request, as far as the answer of a real provider tells. */
export function classify({ status, headers, body }: UpstreamAnswer): ServiceAnswer {
  if (headers['idempotent-replayed'] === 'true') return 'replayed';
  const { error, name } = parseError(body);
  if (error?.code === 'idempotency_key_in_use' || name === 'concurrent_idempotent_requests') return 'in_flight';
  if (error?.type === 'idempotency_error' || name === 'invalid_idempotent_request') return 'mismatch';
  // A decline (402) was executed and is saved under the key; so is a 500, as far as anybody can tell.
  const refused = status >= 400 && status < 500 && status !== 402;
  return refused ? 'rejected' : 'executed';
}

function parseError(body: string): z.infer<typeof errorSchema> {
  try {
    return errorSchema.parse(JSON.parse(body));
  } catch {
    return {};
  }
}
