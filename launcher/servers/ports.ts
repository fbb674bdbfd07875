import { createServer } from 'node:net';
import { hasCode } from '../launcher-error.js';

/** The port the system gave, or undefined when `port` is taken. Port 0 asks for any free one. */
async function listenOnce(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => {
      if (hasCode(error, 'EADDRINUSE', 'EACCES')) resolve(undefined);
      else reject(error);
    });
    server.listen(port, host, () => {
      const address = server.address();
      server.close(() => {
        resolve(typeof address === 'object' && address !== null ? address.port : undefined);
      });
    });
  });
}

export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return (await listenOnce(port, host)) !== undefined;
}

/** The preferred port when it is free, else one that the system picks. */
export async function freePort(preferred?: number): Promise<number> {
  const port = preferred === undefined ? undefined : await listenOnce(preferred, '127.0.0.1');
  const found = port ?? (await listenOnce(0, '127.0.0.1'));
  if (found === undefined) throw new Error('The system has no free port on 127.0.0.1.');
  return found;
}
