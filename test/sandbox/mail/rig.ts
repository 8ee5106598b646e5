import { Resend } from 'resend';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';

export const receipt = {
  from: 'Shop <shop@example.com>',
  to: 'ada@example.com',
  subject: 'Receipt',
  text: 'Thank you',
};

export const clientOf = (sandbox: Sandbox, apiKey = 're_test'): Resend =>
  new Resend(apiKey, { baseUrl: sandbox.mailUrl });

/** What the official client cannot be made to send. */
export async function raw(sandbox: Sandbox, init: RequestInit = {}, path = '/emails'): Promise<[number, unknown]> {
  const { headers, ...rest } = init;
  const response = await fetch(sandbox.mailUrl + path, {
    method: 'POST',
    body: JSON.stringify(receipt),
    ...rest,
    headers: { authorization: 'Bearer re_test', 'content-type': 'application/json', ...(headers as object) },
  });
  return [response.status, await response.json()];
}

export const answers = (sandbox: Sandbox): string[] => sandbox.effects().requests.map(({ answer }) => answer);
