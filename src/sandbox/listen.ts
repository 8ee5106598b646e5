import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts a server and tells its port; 0 asks for any free one. */
export function listen(server: Server, host: string, port: number, what: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'the port is already in use' : error.message;
      reject(new Error(`Cannot open the ${what} port ${host}:${port}: ${reason}`));
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Closes without waiting for callers: a connection that a fault keeps hanging would never end by itself. */
export function shut(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
