import { inject } from 'vitest';
import { readSpecification } from './specification.js';

export interface Exchange {
  method: string;
  path: string;
  query: string;
  body: string;
  status: number;
  answer: string;
}

interface ErrorBody {
  error?: { code?: string };
}

/** Where stripe-mock knows less than Stripe, or nobody knows what Stripe does. */
const exceptions: { reason: string; applies: (exchange: Exchange) => boolean }[] = [
  {
    reason: 'it fails to make an example of what the specification has: expand[]=total_count',
    applies: ({ path, query }) => path.endsWith('/search') && query.includes('total_count'),
  },
  {
    reason: 'it takes any name inside `created`, although there are four',
    applies: ({ query }) => query.startsWith('created[after]'),
  },
  {
    reason: 'its parser refuses broken escapes (%zz); what Stripe does with them is not known',
    applies: ({ body }) => body.includes('%zz'),
  },
];

/** Looks on while the sandbox is used, and says what Stripe's own specification and program think of it. */
export type Witness = (exchange: Exchange) => Promise<string[]>;

/** None where there is no program to ask: in every run but `npm run test:contract`. */
export const witness: Witness | undefined = createWitness();

export async function complaintsOf(exchanges: readonly Exchange[]): Promise<string[]> {
  const complaints: string[] = [];
  for (const exchange of exchanges) complaints.push(...((await witness?.(exchange)) ?? []));
  return complaints;
}

function createWitness(): Witness | undefined {
  const mock = inject('stripeMock');
  if (!mock) return undefined;
  const check = readSpecification(mock.openapi);
  return async (exchange) => {
    const { method, path, query, body, status, answer } = exchange;
    const parsed = JSON.parse(answer) as ErrorBody;
    const expand = [...new URLSearchParams([query, body].join('&'))].filter(([name]) => /^expand\[\d*\]$/.test(name));
    const complaints = check({
      method,
      path,
      expand: expand.map(([, path]) => path),
      status,
      body: parsed,
    });

    if (exceptions.some(({ applies }) => applies(exchange))) return complaints;

    // Any key will do: what a key may is the sandbox's business.
    const asked = await fetch(`${mock.url}${path}${query && `?${query}`}`, {
      method,
      headers: { authorization: 'Bearer sk_test_123', 'content-type': 'application/x-www-form-urlencoded' },
      ...(method === 'POST' && { body }),
    });
    const verdict = await asked.text();
    const isAccepted = asked.status === 200;
    const isRefused = ['parameter_unknown', 'parameter_missing'].includes(parsed.error?.code ?? '');
    if (status === 200 && !isAccepted) complaints.push(`stripe-mock refuses what the sandbox takes: ${verdict}`);
    if (isRefused && isAccepted) complaints.push(`stripe-mock takes what the sandbox refuses: ${answer}`);
    return complaints.map((complaint) => `${method} ${path}?${query} ${body}: ${complaint}`);
  };
}
