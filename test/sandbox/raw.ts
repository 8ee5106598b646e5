import { connect } from 'node:net';

const authorization = 'Authorization: Bearer sk_test_raw\r\nContent-Type: application/x-www-form-urlencoded\r\n';

export const chargeBody =
  'amount=100&currency=usd&payment_method=pm_card_visa&payment_method_types[]=card&confirm=true';

/** A create as bytes, with whatever headers a client would never send; `headers` ends with a line break, if there are any. */
export function rawCreate(headers: string, body: string | Buffer = chargeBody): Buffer {
  const head = `POST /v1/payment_intents HTTP/1.1\r\nHost: x\r\n${authorization}${headers}`;
  return Buffer.concat([Buffer.from(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`), Buffer.from(body)]);
}

export const lastOfConnection = 'Connection: close\r\n';

/** Sends bytes and resolves, when the other side has closed, with all that came back. */
export function exchangeBytes(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
    socket.write(bytes);
  });
}
