import type { IncomingMessage } from 'node:http';

/** What Stripe and Resend calls of these tools need is a few kB; memory stays bounded with a thousand callers. */
const bodyLimit = 1024 * 1024;

/** How much of an oversized body is read and thrown away, so that the caller gets to read its 413, before we hang up. */
const discardLimit = 64 * 1024 * 1024;

/** The whole body, `too large`, or `aborted` when the caller went away in the middle of it. */
export function readBody(request: IncomingMessage): Promise<Buffer | 'too large' | 'aborted'> {
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= bodyLimit) return void chunks.push(chunk);
      // Closing the socket now would reset the connection, and the caller would never see the answer.
      chunks = [];
      resolve('too large');
      if (size > discardLimit) request.socket.destroy();
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('close', () => resolve('aborted'));
    request.on('error', () => resolve('aborted'));
  });
}
