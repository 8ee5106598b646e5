import type { CreateEmailOptions, Resend } from 'resend';
import type { StepOf } from '../plan/plan-schema.js';
import type { EmailResult } from '../plan/results.js';
import type { Answer } from './answer.js';
import type { Operation } from './once.js';
import { judge } from './provider-failures.js';

export interface EmailOperationDeps {
  resend: Resend;
  /** The sender, e.g. `Shop <orders@example.com>`. */
  from: string;
  /** A hard deadline for each request, in ms. */
  requestTimeout: number;
}

type EmailRequest = CreateEmailOptions & { text: string };

export function emailOperation(
  { resend, from, requestTimeout }: EmailOperationDeps,
  { to, subject, text }: StepOf<'email'>['args'],
): Operation<EmailRequest, EmailResult> {
  return {
    account: null,
    request: { from, to, subject, text },
    ask: async (request, idempotencyKey) => {
      try {
        // The client has no time-out of its own; the signal also ends the reading of the body.
        const signal = AbortSignal.timeout(requestTimeout);
        return readReply(await resend.emails.send(request, { idempotencyKey, signal }));
      } catch (error) {
        return judge({ message: error instanceof Error ? error.message : String(error), replayed: false });
      }
    },
  };
}

type Reply = Awaited<ReturnType<Resend['emails']['send']>>;

function readReply({ data, error, headers }: Reply): Answer<EmailResult> {
  if (error) {
    const { name, statusCode } = error;
    // The client itself says "application_error" for whatever it could not read, whatever the status: not Resend's word.
    const isResendsWord = typeof statusCode === 'number' && (name as string) !== 'application_error';
    return judge({
      message: error.message,
      replayed: false,
      ...(isResendsWord ? { type: name, status: statusCode } : {}),
      retryAfter: headers?.['retry-after'],
    });
  }
  const id: unknown = (data as { id?: unknown } | null)?.id;
  if (typeof id !== 'string' || !/^[\w-]{1,250}$/.test(id)) {
    return judge({ message: 'The answer has no e-mail id', replayed: false });
  }
  return { kind: 'succeeded', reference: id, replayed: false, result: { id, status: 'sent' } };
}
