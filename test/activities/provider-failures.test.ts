import { describe, expect, it } from 'vitest';
import type { FailureKind } from '../../src/activities/answer.js';
import { type FailedReply, judge } from '../../src/activities/provider-failures.js';

const reply = (fields: Partial<FailedReply>): FailedReply => ({
  message: 'Reworded.',
  replayed: false,
  ...fields,
});

/** The table of the design, row by row: answer, meaning. */
const rows: [string, Partial<FailedReply>, FailureKind][] = [
  ['no answer', {}, 'ambiguous'],
  ['a status without the provider’s own error', { status: 404 }, 'ambiguous'],
  ['a type without a status', { type: 'card_error' }, 'ambiguous'],
  ['a known name without a status', { type: 'rate_limit_exceeded' }, 'ambiguous'],
  ['a success that says it is an error', { status: 200, type: 'card_error' }, 'ambiguous'],
  ['5xx', { status: 500, type: 'api_error' }, 'ambiguous'],
  ['a stored 5xx', { status: 500, type: 'api_error', replayed: true }, 'stuck'],
  ['5xx, whatever it calls itself', { status: 500, type: 'idempotency_error' }, 'ambiguous'],
  ['a stored 5xx of nobody', { status: 502, replayed: true }, 'ambiguous'],
  ['idempotency_error', { status: 400, type: 'idempotency_error' }, 'stuck'],
  ['invalid_idempotent_request', { status: 409, type: 'invalid_idempotent_request' }, 'stuck'],
  ['409', { status: 409, type: 'invalid_request_error', code: 'idempotency_key_in_use' }, 'not_now'],
  ['409 of another kind', { status: 409, type: 'invalid_request_error', code: 'resource_conflict' }, 'not_now'],
  ['in use with 400', { status: 400, type: 'invalid_request_error', code: 'idempotency_key_in_use' }, 'not_now'],
  ['429', { status: 429, type: 'invalid_request_error' }, 'not_now'],
  ['rate_limit with 400', { status: 400, type: 'invalid_request_error', code: 'rate_limit' }, 'not_now'],
  ['Resend’s rate limit with 400', { status: 400, type: 'rate_limit_exceeded' }, 'not_now'],
  ['in flight with 400', { status: 400, type: 'concurrent_idempotent_requests' }, 'not_now'],
  ['lock_timeout', { status: 400, type: 'invalid_request_error', code: 'lock_timeout' }, 'not_now'],
  ['401', { status: 401, type: 'invalid_request_error' }, 'not_now'],
  ['403', { status: 403, type: 'invalid_request_error' }, 'not_now'],
  ['403 about the message', { status: 403, type: 'validation_error' }, 'refused'],
  ['402 card_error', { status: 402, type: 'card_error', code: 'card_declined' }, 'declined'],
  ['402 for another reason', { status: 402, type: 'invalid_request_error' }, 'refused'],
  ['400', { status: 400, type: 'invalid_request_error' }, 'refused'],
  ['404', { status: 404, type: 'invalid_request_error', code: 'resource_missing' }, 'refused'],
];

describe('what a failure means', () => {
  it.each(rows)('%s', (_, fields, kind) => {
    expect(judge(reply(fields))).toMatchObject({ kind, replayed: fields.replayed ?? false });
  });

  it('does not depend on the wording', () => {
    const message = 'Keys for idempotent requests can only be used with the same parameters';
    const fields = { status: 400, type: 'invalid_request_error', message };
    expect(judge(reply(fields)).kind).toBe('refused');
    expect(judge(reply({ ...fields, type: 'idempotency_error', message: 'Invalid card_declined 500' })).kind).toBe(
      'stuck',
    );
  });

  it('is told with type, code and decline code, where there are any', () => {
    const declined = { status: 402, type: 'card_error', code: 'card_declined', declineCode: 'stolen_card' };
    expect(judge(reply(declined)).error).toEqual({
      ...{ type: 'card_error', code: 'card_declined', decline_code: 'stolen_card', message: 'Reworded.' },
    });
    expect(judge(reply({})).error).toEqual({ type: 'no_answer', message: 'Reworded.' });
  });
});

describe('the message', () => {
  it.each([
    'Invalid API Key provided: sk_test_51Abc',
    'Invalid API Key provided: rk_live_51Abc',
    'Expired: pk_test_51Abc',
    'API key re_Abc123_Def is invalid',
    'authorization: Bearer abc.def',
    'card 4242424242424242',
    'card4242424242424242x',
    'card 4242 4242 4242 4242',
    'card 4242-4242-4242-4242',
    'card 4242.4242.4242.4242',
    'card 3782 822463 10005',
  ])('%s: the secret is taken out', (message) => {
    expect(judge(reply({ message })).error.message).toMatch(/^[A-Za-z: ]*\[removed\]( is invalid|x)?$/);
  });

  it('keeps what a person needs', () => {
    const message = 'No such PaymentMethod: pm_card_x; amount 2500 of 2026-09-21, see https://stripe.com/docs/re_try';
    expect(judge(reply({ message })).error.message).toBe(message);
  });

  it('is short', () => {
    expect(judge(reply({ message: 'x'.repeat(100_000) })).error.message.length).toBeLessThanOrEqual(300);
  });
});
