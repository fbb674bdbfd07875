import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { EventEnvelope } from '../../src/features/webhooks/index.js';

/** A webhook receiver as an integrator would write it: verifies signatures and counts each event once. */
export class DemoReceiver {
  queued = 0;
  completed = 0;
  /** Number of events about new customers and step-up sessions. */
  others = 0;
  verified = 0;
  invalid = 0;
  repeated = 0;
  readonly outcomes = new Map<string, number>();
  /** The results of the showcase transactions, by id. */
  readonly results = new Map<string, string>();
  readonly completionMs: number[] = [];
  private readonly seen = new Set<string>();
  private readonly sentAt = new Map<string, number>();
  private readonly doneAt = new Map<string, number>();
  private readonly header: string;
  private server: Server | undefined;

  constructor(
    private readonly secret: string,
    serviceName: string,
    private readonly purposes: ReadonlyMap<string, string>,
  ) {
    this.header = `x-${serviceName.toLowerCase()}-signature`;
  }

  listen(port: number): Promise<void> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        response.writeHead(this.receive(request, Buffer.concat(chunks)) ? 204 : 401).end();
      });
    });
    this.server = server;
    return new Promise((resolve, reject) => {
      server.once('error', () => {
        reject(
          new Error(
            `Port ${port} is taken, and the demo's webhook endpoint points to it. Is a demo running already?`,
          ),
        );
      });
      server.listen(port, '127.0.0.1', () => {
        resolve();
      });
    });
  }

  /** Records when a transaction was sent, to measure the time until its evaluation. */
  expect(transactionId: string, sentAt: number): void {
    const doneAt = this.doneAt.get(transactionId);
    if (doneAt === undefined) this.sentAt.set(transactionId, sentAt);
    else this.completionMs.push(doneAt - sentAt);
  }

  async close(): Promise<void> {
    const { server } = this;
    if (!server) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  private receive(request: IncomingMessage, body: Buffer): boolean {
    const expected = Buffer.from(`sha256=${createHmac('sha256', this.secret).update(body).digest('hex')}`);
    const signature = Buffer.from(String(request.headers[this.header] ?? ''));
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) {
      this.invalid += 1;
      return false;
    }
    this.verified += 1;
    this.countEvent(JSON.parse(body.toString('utf8')) as EventEnvelope);
    return true;
  }

  private countEvent(event: EventEnvelope): void {
    if (this.seen.has(event.id)) {
      this.repeated += 1;
      return;
    }
    this.seen.add(event.id);
    if (event.type === 'kyt.transaction.queued') {
      this.queued += 1;
      return;
    }
    if (event.type !== 'kyt.transaction.pipeline.completed') {
      this.others += 1;
      return;
    }
    this.completed += 1;
    const { outcome, recommendedAction, transactionId } = event.data;
    const verdict = 'verdict' in event.data ? `verdict ${event.data.verdict}, ` : '';
    if (this.purposes.has(transactionId)) {
      this.results.set(transactionId, `${verdict}outcome ${outcome}, recommended ${recommendedAction}`);
    }
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    this.recordCompletion(transactionId);
  }

  private recordCompletion(transactionId: string): void {
    const now = performance.now();
    const sentAt = this.sentAt.get(transactionId);
    // The webhook may arrive before the response to the submission.
    if (sentAt === undefined) this.doneAt.set(transactionId, now);
    else this.completionMs.push(now - sentAt);
  }
}
