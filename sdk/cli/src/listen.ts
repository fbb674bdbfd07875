import { once } from 'node:events';
import {
  verifyWebhook,
  VigiaApiError,
  WebhookVerificationError,
  type EndpointSecret,
  type NewEndpoint,
  type VigiaClient,
  type WebhookEvent,
  type WebhookEventType,
} from '../../node/src/index.js';
import { openReceiver, type Received } from './receiver.js';
import { note, say, type Output } from './terminal.js';

export interface ListenOptions extends Output {
  /** The integrator's own receiver; without one the webhooks are only shown. */
  readonly forwardTo?: string;
  readonly events?: readonly WebhookEventType[];
  readonly port: number;
  /** Where a tunnel leads to this machine, for a service that is elsewhere. */
  readonly publicUrl?: string;
}

const DESCRIPTION = 'vigia listen';
const FORWARD_MS = 15_000;
// A proxy speaks these about its own connection.
const OF_THE_CONNECTION = new Set([
  'connection',
  'host',
  'content-length',
  'transfer-encoding',
  'keep-alive',
]);

/**
 * Makes an endpoint that ends on this machine, verifies what arrives, hands it on as it came and answers with what the
 * receiver answered, so that the service tries again as it would in production. The endpoint is removed at the end.
 */
export async function listen(
  client: VigiaClient,
  { forwardTo, events, port, publicUrl, ...output }: ListenOptions,
  stop: AbortSignal,
): Promise<void> {
  let tellSecret: (secret: string) => void = () => undefined;
  const known = new Promise<string>((resolve) => {
    tellSecret = resolve;
  });
  const receiver = await openReceiver(port, async (received) => {
    const event = verified(received, await known);
    if (event === null) return 401;
    const began = Date.now();
    const status = forwardTo === undefined ? 204 : await forward(forwardTo, received);
    const { id, type, sequence, timestamp } = event;
    const line = [timestamp, type, id, `sequence ${sequence}`, subjectOf(event), `${status}`].join('  ');
    say(output, line, { event, status, durationMs: Date.now() - began });
    return status;
  });
  try {
    const { endpoint, secret } = await endpointFor(client, {
      url: publicUrl ?? receiver.url,
      description: DESCRIPTION,
      ...(events && { eventTypes: [...events] }),
    });
    note(
      `webhooks of ${endpoint.id} ${forwardTo === undefined ? 'are shown' : `go to ${forwardTo}`} (Ctrl-C ends it)`,
    );
    note(`signing secret: ${secret}`);
    tellSecret(secret);
    if (!stop.aborted) await once(stop, 'abort');
    await remove(client, endpoint.id);
  } finally {
    await receiver.close();
  }
}

/** Makes the endpoint, in the place of one that a killed listener left at this address: its secret is shown to nobody. */
async function endpointFor(client: VigiaClient, wanted: NewEndpoint): Promise<EndpointSecret> {
  try {
    return await client.createEndpoint(wanted);
  } catch (error) {
    if (!(error instanceof VigiaApiError) || error.details[0]?.code !== 'ADDRESS_TAKEN') throw error;
    const address = new URL(wanted.url).href;
    for await (const { id, url, description } of client.endpoints()) {
      if (url !== address && url !== wanted.url) continue;
      if (description !== DESCRIPTION) throw new Error(`${id} has this address: ${url}`, { cause: error });
      await client.removeEndpoint(id);
      note(`removed ${id}, which a listener that was killed left here`);
    }
    return client.createEndpoint(wanted);
  }
}

async function remove(client: VigiaClient, id: string): Promise<void> {
  try {
    await client.removeEndpoint(id);
  } catch (cause) {
    throw new Error(`${id} is still there, because the service does not answer: remove it when it does.`, {
      cause,
    });
  }
}

function verified({ headers, body }: Received, secret: string): WebhookEvent | null {
  try {
    return verifyWebhook({ headers, body, secret });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    note(`REFUSED  ${error.code}`);
    return null;
  }
}

async function forward(url: string, { headers, body }: Received): Promise<number> {
  const own = Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.has(name));
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: own.map(([name, value]): [string, string] => [name, String(value)]),
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(FORWARD_MS),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    note(`${url} does not answer: 502`);
    return 502;
  }
}

/** Names the subject of an event; a session only by the beginning of its id, as its whole id gives access to it. */
export function subjectOf({ data }: WebhookEvent): string {
  if ('transactionId' in data) return data.transactionId;
  if ('sessionId' in data) return `${data.sessionId.slice(0, 8)}…`;
  return data.customerId;
}
