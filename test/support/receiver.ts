import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { eventually } from './eventually.js';

/** One POST as it arrived: the raw bytes, which are what is signed. */
export interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly event: EventBody;
  /** When its last byte was here, in milliseconds since 1970. */
  readonly at: number;
}

export interface ReceiverOptions {
  /** Any free one when left out. */
  readonly port?: number;
  /** Chooses the answer to each; without it the next status, or 204. */
  readonly answer?: (delivery: Delivery) => number;
}

export interface EventBody {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly sequence: number;
  readonly correlationId: string;
  readonly audit: unknown;
  readonly data: Readonly<Record<string, unknown>>;
}

/** An integrator's webhook receiver on a free port of this machine. */
export class WebhookReceiver {
  readonly deliveries: Delivery[] = [];
  /** Answers of the next calls; 204 when there is none left. */
  readonly nextStatuses: number[] = [];
  /** The body of its answers. */
  says = '';

  private constructor(private readonly server: Server) {}

  static async listen({ port = 0, answer }: ReceiverOptions = {}): Promise<WebhookReceiver> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks);
        const event = JSON.parse(body.toString('utf8')) as EventBody;
        const at = performance.timeOrigin + performance.now();
        const delivery = { headers: request.headers, body, event, at };
        receiver.deliveries.push(delivery);
        response.writeHead(answer?.(delivery) ?? receiver.nextStatuses.shift() ?? 204).end(receiver.says);
      });
    });
    const receiver = new WebhookReceiver(server);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/webhooks`;
  }

  /** The deliveries about one transaction, once there are so many. */
  about(transactionId: string, count: number): Promise<Delivery[]> {
    return eventually(`${count} webhooks about ${transactionId} have arrived`, () => {
      const found = this.deliveries.filter(({ event }) => event.data['transactionId'] === transactionId);
      return found.length >= count && found;
    });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
