import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * How one request fares: `lost` and `half` arrive and are answered, and the answer is lost whole or in its middle; the
 * others never arrive.
 */
export type Fate = '429' | '503' | 'reset' | 'hang' | 'lost' | 'half';

/** A way to the service on which requests and answers come to grief as planned; after the plan, none does. */
export class FaultyWay {
  plan: Fate[] = [];
  /** Requests that came by, also those that went no further. */
  seen = 0;

  private constructor(
    private readonly server: Server,
    private readonly target: string,
  ) {}

  static async to(target: string): Promise<FaultyWay> {
    const server = createServer((incoming, response) => {
      way.lead(incoming, response);
    });
    const way = new FaultyWay(server, target);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return way;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private lead(incoming: IncomingMessage, response: ServerResponse): void {
    this.seen += 1;
    const fate = this.plan.shift();
    switch (fate) {
      case '429':
        response.writeHead(429, { 'retry-after': '1' }).end('{"data":null,"error":null}');
        break;
      case '503':
        response.writeHead(503, { 'content-type': 'text/html' }).end('<html>no backend</html>');
        break;
      case 'reset':
        incoming.socket.resetAndDestroy();
        break;
      case 'hang':
        break;
      case 'lost':
      case 'half':
      case undefined:
        this.forward(incoming, response, fate);
    }
  }

  private forward(
    incoming: IncomingMessage,
    response: ServerResponse,
    fate: 'lost' | 'half' | undefined,
  ): void {
    const { method, headers, url = '/' } = incoming;
    const onward = request(new URL(url, this.target), { method, headers, agent: false }, (answer) => {
      const { statusCode = 500, headers: given } = answer;
      if (fate === undefined) {
        response.writeHead(statusCode, given);
        answer.pipe(response);
        return;
      }
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        if (fate === 'lost') {
          incoming.socket.resetAndDestroy();
          return;
        }
        response.writeHead(statusCode, given);
        response.write(Buffer.concat(parts).subarray(0, 20), () => incoming.socket.resetAndDestroy());
      });
    });
    onward.on('error', () => incoming.socket.destroy());
    incoming.pipe(onward);
  }
}
