import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly headers: IncomingMessage['headers'];
  /** As it arrived: a signature is over these bytes. */
  readonly body: Buffer;
}

const MAX_BODY_BYTES = 1_048_576;

/** Receives webhooks on this machine; `answer` returns the status of each. */
export async function openReceiver(
  port: number,
  answer: (received: Received) => Promise<number>,
): Promise<{ readonly url: string; close: () => Promise<void> }> {
  const server: Server = createServer((request, response) => {
    bodyOf(request)
      .then((body) => answer({ headers: request.headers, body }))
      .then(
        (status) => response.writeHead(status).end(),
        () => response.writeHead(502).end(),
      );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error('the body is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
