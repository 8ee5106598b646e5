import type { Socket } from 'node:net';

/** A client that pipelines more than this on one connection is not a client. */
const waitingLimit = 1_000;

/**
 * One request at a time on each connection. HTTP/1.1 lets a client send the next request before it has the answer, but
 * answers must come in order: without turns a fault that closes the socket would also take an earlier answer with it.
 */
export function createTurns(): (socket: Socket, serve: () => Promise<void>) => void {
  const connections = new WeakMap<Socket, { last: Promise<void>; waiting: number }>();
  return (socket, serve) => {
    const connection = connections.get(socket) ?? { last: Promise.resolve(), waiting: 0 };
    connections.set(socket, connection);
    if (connection.waiting >= waitingLimit) return void socket.destroy();
    connection.waiting += 1;
    connection.last = connection.last.then(async () => {
      connection.waiting -= 1;
      if (!socket.destroyed) await serve();
    });
  };
}
