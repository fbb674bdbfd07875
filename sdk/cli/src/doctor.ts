import {
  verifyWebhook,
  VigiaApiError,
  VigiaClient,
  WebhookVerificationError,
  type Endpoint,
} from '../../node/src/index.js';
import type { components } from '../../node/src/schema.js';
import { openReceiver } from './receiver.js';
import { say, type Credentials, type Output } from './terminal.js';

interface Finding {
  readonly what: string;
  readonly verdict: 'ok' | 'look' | 'bad';
  readonly says: string;
}
type Statistics = components['schemas']['EndpointStatisticsView'];

/** A webhook is refused by a clock that is off by five minutes. */
const CLOCK_BAD_MS = 240_000;
const CLOCK_LOOK_MS = 5_000;
const TEST_EVENT_MS = 20_000;
const LEAST_SUCCESS = 0.95;

/** By scope, a read that needs it. */
const PROBES = {
  'kyt:ingest': '/sandbox/scenarios',
  'kyt:read': '/kyt/transactions/vigia-doctor',
  'events:read': '/events?limit=1',
  'requests:read': '/requests?limit=1',
  'webhooks:manage': '/webhook-endpoints?limit=1',
} as const;

/** Looks at what is between an integrator and the service, and returns the exit status. */
export async function runDoctor(credentials: Credentials, output: Output): Promise<number> {
  const client = new VigiaClient({ ...credentials, maxRetries: 1 });
  const found: Finding[] = [];
  const tell = (finding: Finding): void => {
    found.push(finding);
    say(output, `${finding.verdict.padEnd(5)} ${finding.what}: ${finding.says}`, finding);
  };
  await examine(client, credentials.baseUrl, tell);
  return found.some(({ verdict }) => verdict === 'bad') ? 1 : 0;
}

async function examine(
  client: VigiaClient,
  baseUrl: string,
  tell: (finding: Finding) => void,
): Promise<void> {
  const clock = await clockOf(baseUrl);
  tell(clock);
  if (clock.what === 'service') return;
  const lacking = await scopesLacking(client);
  if (lacking === null) {
    tell({ what: 'credentials', verdict: 'bad', says: 'refused: run login again' });
    return;
  }
  tell({ what: 'credentials', verdict: 'ok', says: 'accepted' });
  const says = lacking.length === 0 ? Object.keys(PROBES).join(', ') : `not there: ${lacking.join(', ')}`;
  tell({ what: 'scopes', verdict: lacking.length === 0 ? 'ok' : 'look', says });
  if (lacking.includes('webhooks:manage')) return;
  for await (const endpoint of client.endpoints()) tell(await endpointFinding(client, endpoint));
  tell(await signature(client));
}

async function clockOf(baseUrl: string): Promise<Finding> {
  try {
    const response = await fetch(`${baseUrl}/health/live`, {
      signal: AbortSignal.timeout(10_000),
    });
    const offMs = Math.abs(Date.parse(response.headers.get('date') ?? '') - Date.now());
    const verdict = !(offMs < CLOCK_BAD_MS) ? 'bad' : offMs < CLOCK_LOOK_MS ? 'ok' : 'look';
    return {
      what: 'clock',
      verdict,
      says: `within ${Math.ceil(offMs / 1_000)} s of the clock of the service`,
    };
  } catch {
    return { what: 'service', verdict: 'bad', says: `${baseUrl} does not answer` };
  }
}

/** The scopes that the application does not have; null when its credentials are refused. */
async function scopesLacking(client: VigiaClient): Promise<string[] | null> {
  const lacking: string[] = [];
  for (const [scope, path] of Object.entries(PROBES)) {
    try {
      await client.send({ method: 'GET', path });
    } catch (error) {
      if (!(error instanceof VigiaApiError)) throw error;
      if (error.status === 401) return null;
      if (error.code === 'SCOPE_INSUFFICIENT') lacking.push(scope);
      else if (error.status !== 403 && error.status !== 404) throw error;
    }
  }
  return lacking;
}

async function endpointFinding(client: VigiaClient, { id, status, url }: Endpoint): Promise<Finding> {
  if (status !== 'ACTIVE') return { what: id, verdict: 'look', says: `${status}, ${url}` };
  const path = `/webhook-endpoints/${encodeURIComponent(id)}/statistics`;
  const { successRate, waiting } = await client.send<Statistics>({ method: 'GET', path });
  const isWell = successRate === null || successRate >= LEAST_SUCCESS;
  const rate = successRate === null ? 'nothing sent yet' : `${Math.round(1_000 * successRate) / 10} % arrive`;
  return { what: id, verdict: isWell ? 'ok' : 'look', says: `${rate}, ${waiting} waiting, ${url}` };
}

/** Has a test event sent to this machine and verifies it. */
async function signature(client: VigiaClient): Promise<Finding> {
  const what = 'signature';
  let end: (finding: Finding) => void = () => undefined;
  const ended = new Promise<Finding>((resolve) => {
    end = resolve;
  });
  let secret = '';
  const receiver = await openReceiver(0, ({ headers, body }) => {
    try {
      verifyWebhook({ headers, body, secret });
      end({ what, verdict: 'ok', says: 'a test event arrived here and is signed rightly' });
      return Promise.resolve(204);
    } catch (error) {
      const code = error instanceof WebhookVerificationError ? error.code : 'BODY_INVALID';
      end({ what, verdict: 'bad', says: `a test event was refused: ${code}` });
      return Promise.resolve(401);
    }
  });
  const timer = setTimeout(() => {
    end({ what, verdict: 'bad', says: `no test event arrived within ${TEST_EVENT_MS / 1_000} s` });
  }, TEST_EVENT_MS);
  try {
    const made = await client.createEndpoint({ url: receiver.url, description: 'vigia doctor' });
    ({ secret } = made);
    const path = `/webhook-endpoints/${made.endpoint.id}`;
    try {
      await client.send({ method: 'POST', path: `${path}/test`, body: {} });
      return await ended;
    } finally {
      await client.removeEndpoint(made.endpoint.id);
    }
  } catch (error) {
    if (!(error instanceof VigiaApiError) || error.status >= 500) throw error;
    return {
      what,
      verdict: 'look',
      says: `not tried, the service sends nothing to this machine: ${error.code}`,
    };
  } finally {
    clearTimeout(timer);
    await receiver.close();
  }
}
