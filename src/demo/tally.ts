import type { Effects } from '../sandbox/sandbox.js';

/** What the outside world saw of one run of the plan. */
export interface Tally {
  workflowId: string;
  charges: number;
  emails: number;
  /** Requests that reached the providers. */
  attempts: { charge: number; email: number };
  /** The plan's steps, each with all the keys its requests came under. */
  steps: { index: number; tool: string; keys: string[]; effects: string[] }[];
}

const writes = [
  { tool: 'charge', path: '/v1/payment_intents' },
  { tool: 'email', path: '/emails' },
] as const;

/** Counts what came to pass after `before` was taken. */
export function tally(workflowId: string, before: Effects, after: Effects): Tally {
  const charges = after.charges.slice(before.charges.length).filter(({ status }) => status === 'succeeded');
  const emails = after.emails.slice(before.emails.length);
  const requests = after.requests.slice(before.requests.length).filter(({ method }) => method === 'POST');
  const of = (path: string) => requests.filter((request) => request.path === path);
  return {
    workflowId,
    charges: charges.length,
    emails: emails.length,
    attempts: { charge: of('/v1/payment_intents').length, email: of('/emails').length },
    steps: writes.map(({ tool, path }, index) => ({
      index,
      tool,
      keys: [...new Set(of(path).map(({ key }) => key ?? 'none'))],
      effects: (tool === 'charge' ? charges : emails).map(({ id }) => id),
    })),
  };
}
