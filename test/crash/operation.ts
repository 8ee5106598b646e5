import type { SandboxProcess } from '../sandbox/spawn.js';

type Kind = 'charge' | 'decline' | 'refund' | 'email';

/** One keyed request, the same bytes however often it is sent, and every answer that came back whole. */
export interface Operation {
  kind: Kind;
  key: string;
  path: string;
  body: string;
  answers: { status: number; body: string }[];
  /** Answers whose head came and whose body perhaps did not: the sandbox must not deny them either. */
  heads: number;
}

const card = 'currency=usd&payment_method_types[]=card&confirm=true';

const requests: Record<Kind, (charge: string) => Pick<Operation, 'path' | 'body'>> = {
  charge: () => ({ path: '/v1/payment_intents', body: `amount=2500&${card}&payment_method=pm_card_visa` }),
  decline: () => ({ path: '/v1/payment_intents', body: `amount=2500&${card}&payment_method=pm_card_chargeDeclined` }),
  refund: (charge) => ({ path: '/v1/refunds', body: `payment_intent=${charge}&amount=1` }),
  email: () => ({
    path: '/emails',
    body: JSON.stringify({ from: 'a@x.test', to: 'b@x.test', subject: 'S', text: 'T' }),
  }),
};

export function newOperation(kind: Kind, key: string, charge = ''): Operation {
  return { kind, key, ...requests[kind](charge), answers: [], heads: 0 };
}

/** Sends it once. When the sandbox dies meanwhile there is no answer, and nothing is thrown. */
export async function send(operation: Operation, { ready }: SandboxProcess): Promise<void> {
  const isMail = operation.kind === 'email';
  const response = await fetch((isMail ? ready.mailUrl : ready.stripeUrl) + operation.path, {
    method: 'POST',
    headers: {
      authorization: isMail ? 'Bearer re_crash' : 'Bearer sk_test_crash',
      'content-type': isMail ? 'application/json' : 'application/x-www-form-urlencoded',
      'idempotency-key': operation.key,
    },
    body: operation.body,
  }).catch(() => undefined);
  if (!response) return;
  operation.heads += 1;
  const body = await response.text().catch(() => undefined);
  if (body !== undefined) operation.answers.push({ status: response.status, body });
}
