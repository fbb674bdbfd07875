import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { verifyWebhook, WebhookVerificationError, type WebhookEvent } from '#vigia/client';

export interface ListenOptions {
  readonly port: number;
  readonly secrets: readonly string[];
  /** Prints whole events instead of one line each. */
  readonly json: boolean;
  /** The status of every response. With a status other than 2xx, the service retries its deliveries. */
  readonly status: number;
}

const MAX_BODY_BYTES = 1_048_576;

/** Receives webhooks on this machine, verifies them as an integrator would, and prints them until it is aborted. */
export async function listenToWebhooks(options: ListenOptions, stop: AbortSignal): Promise<void> {
  const seenEvents = new Set<string>();
  const server = createServer((request, response) => {
    bodyOf(request).then(
      (body) => {
        const status = verifyAndPrint(request, body, options, seenEvents);
        response.writeHead(status).end();
      },
      () => response.writeHead(413).end(), // the body is too long, or the sender disconnected
    );
  });
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  print(`listening on http://127.0.0.1:${port}/ (stop with Ctrl-C)`);
  if (!stop.aborted) await once(stop, 'abort');
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}

function verifyAndPrint(
  request: IncomingMessage,
  body: Buffer,
  { secrets, json, status }: ListenOptions,
  seen: Set<string>,
): number {
  try {
    const event = verifyWebhook({ headers: request.headers, body, secret: secrets });
    const again = seen.has(event.id);
    seen.add(event.id);
    print(json ? JSON.stringify(event) : lineOf(event, request, again));
    return status;
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    print(`REFUSED  ${error.code}`);
    return 401;
  }
}

function lineOf(event: WebhookEvent, request: IncomingMessage, again: boolean): string {
  const marks = [event.test ? 'test' : '', again ? 'repeated' : ''].filter(Boolean).join(', ');
  const attempt = Object.entries(request.headers).find(([name]) => name.endsWith('-attempt'))?.[1];
  return [
    'VERIFIED',
    event.timestamp,
    event.type,
    event.id,
    `sequence ${event.sequence}`,
    `attempt ${String(attempt ?? '?')}`,
    subjectOf(event),
    marks,
  ]
    .filter(Boolean)
    .join('  ');
}

/** Returns the id of an event's subject. A session id is shortened, because it gives access to the session. */
function subjectOf({ data }: WebhookEvent): string {
  if ('transactionId' in data) return data.transactionId;
  if ('sessionId' in data) return `${data.sessionId.slice(0, 8)}…`;
  return data.customerId;
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

const print = (line: string): boolean => process.stdout.write(`${line}\n`);
