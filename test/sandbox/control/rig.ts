import { expect } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';

type Answer = [number, unknown];

export async function call(sandbox: Sandbox, method: string, path: string, body?: unknown): Promise<Answer> {
  const init = { method, ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }) };
  const response = await fetch(sandbox.url + path, init);
  expect(response.headers.get('content-type')).toBe('application/json');
  return [response.status, await response.json()];
}

export const drop = { service: 'stripe', match: 'POST /v1/payment_intents', fault: 'drop' };

/** A charge by plain HTTP, and its status: 0 when no answer came. */
export const charge = (sandbox: Sandbox, key: string, authorization = 'Bearer sk_test_secret'): Promise<number> =>
  fetch(`${sandbox.stripeUrl}/v1/payment_intents`, {
    method: 'POST',
    headers: { authorization, 'idempotency-key': key, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'amount=2500&currency=usd&payment_method=pm_card_visa&payment_method_types[]=card&confirm=true',
  }).then(
    (response) => response.status,
    () => 0,
  );

export const mail = (sandbox: Sandbox, key: string, text = 'T'): Promise<number> =>
  fetch(`${sandbox.mailUrl}/emails`, {
    method: 'POST',
    headers: { authorization: 'Bearer re_secret', 'idempotency-key': key },
    body: JSON.stringify({ from: 'a@x.test', to: 'b@x.test', subject: 'S', text }),
  }).then((response) => response.status);
