import { setTimeout as sleep } from 'node:timers/promises';
import { ClientDirectoryService } from '../../src/features/auth/index.js';
import { UnitOfWork } from '../../src/platform/database/index.js';
import { countOf } from '../../src/platform/kernel/index.js';
import { WebhookEndpointsService } from '../../src/features/webhooks/index.js';
import { withServices } from '../../src/cli/context.js';
import { DemoReceiver } from './demo-receiver.js';
import { demoTransaction, newRunId, demoPurposes } from './demo-traffic.js';
import { freshSampleRates } from './sample-rates.js';
import {
  DEMO_NOT_RUNNING,
  DEMO_RECEIVER_PORT,
  readDemoCredentials,
  type DemoCredentials,
} from './seed-demo.js';

export interface DemoOptions {
  readonly transactions: number;
  readonly rate: number;
}

interface Tally {
  accepted: number;
  duplicates: number;
  /** Submissions that were refused with Retry-After, or got no answer, and were sent again. */
  retried: number;
  refused: number;
  readonly ackMs: number[];
}

// Sends one transaction in fifty twice, like an integrator that missed a response.
const RESEND_EVERY = 50;
const ACTOR = { type: 'operator', id: 'cli-demo' } as const;
// How long to wait for the last webhooks.
const SETTLE_MS = 30_000;
const MAX_TRIES = 10;
// Pause before a submission that got no answer is sent again.
const NO_ANSWER_MS = 500;

/** Sends a realistic stream to the running service, receives and verifies its webhooks, prints a summary. */
export async function runDemo(options: DemoOptions): Promise<number> {
  return withServices(async (services, settings) => {
    const credentials = readDemoCredentials(settings.dataDir);
    await requireService(credentials.baseUrl);
    const runId = newRunId();
    const shown = demoPurposes(runId);
    const receiver = new DemoReceiver(credentials.signingSecret, settings.serviceName, shown);
    await receiver.listen(DEMO_RECEIVER_PORT);
    const endpoints = services.get(WebhookEndpointsService);
    const uow = services.get(UnitOfWork);
    const endpointId = credentials.webhookEndpointId;
    const client = await services.get(ClientDirectoryService).find(credentials.clientId);
    if (!client) {
      throw new Error('The demo application is not in this database: start Vigia with npm start first.');
    }
    const { organisationId } = client.principal;
    await freshSampleRates(services, organisationId);
    await uow.run(organisationId, (tx) => endpoints.activate(tx, endpointId, ACTOR));
    try {
      const tally = await send(credentials, options, runId, receiver);
      const complete = await waitUntilSettled(receiver, tally.accepted);
      printSummary(options, tally, receiver, shown, complete);
      return complete && receiver.invalid === 0 ? 0 : 1;
    } finally {
      await uow.run(organisationId, (tx) => endpoints.disable(tx, endpointId, DEMO_NOT_RUNNING, ACTOR));
      await receiver.close();
    }
  });
}

async function requireService(baseUrl: string): Promise<void> {
  const ready = await fetch(`${baseUrl}/health/ready`).then(
    (response) => response.ok,
    () => false, // the service does not listen yet
  );
  if (!ready) throw new Error(`Vigia does not answer at ${baseUrl}: start it with npm start first.`);
}

async function send(
  credentials: DemoCredentials,
  options: DemoOptions,
  runId: string,
  receiver: DemoReceiver,
): Promise<Tally> {
  const tally: Tally = { accepted: 0, duplicates: 0, retried: 0, refused: 0, ackMs: [] };
  const startedAt = performance.now();
  const pending = new Set<Promise<void>>();
  for (let i = 0; i < options.transactions; i += 1) {
    const body = JSON.stringify(demoTransaction(runId, i, new Date()));
    const times = i % RESEND_EVERY === RESEND_EVERY - 1 ? 2 : 1;
    const work = submit(credentials, body, times, tally, receiver).finally(() => pending.delete(work));
    pending.add(work);
    const dueMs = ((i + 1) / options.rate) * 1_000 - (performance.now() - startedAt);
    if (dueMs > 1) await sleep(dueMs);
    if (i % 25 === 0) printProgress(i + 1, options.transactions, tally, receiver);
  }
  await Promise.all(pending);
  printProgress(options.transactions, options.transactions, tally, receiver);
  return tally;
}

async function submit(
  credentials: DemoCredentials,
  body: string,
  times: number,
  tally: Tally,
  receiver: DemoReceiver,
): Promise<void> {
  let tries = 0;
  let isUnanswered = false;
  for (let time = 0; time < times;) {
    const sentAt = performance.now();
    const answer = await ingest(credentials, body).catch((error: unknown) => {
      if (tries >= MAX_TRIES) throw error;
      return null;
    });
    const waitMs = answer && retryAfterMs(answer);
    if (answer === null || (waitMs !== null && tries < MAX_TRIES)) {
      isUnanswered ||= answer === null;
      tries += 1;
      tally.retried += 1;
      await sleep(waitMs ?? NO_ANSWER_MS);
      continue;
    }
    time += 1;
    tally.ackMs.push(performance.now() - sentAt);
    // An earlier call that got no answer may have submitted the transaction.
    if (answer.status === 202 || (answer.status === 200 && isUnanswered)) {
      isUnanswered = false;
      tally.accepted += 1;
      receiver.expect((JSON.parse(body) as { transactionId: string }).transactionId, sentAt);
    } else if (answer.status === 200) tally.duplicates += 1;
    else tally.refused += 1;
  }
}

/** Submits once; rejects if there is no answer, or not all of it. */
async function ingest(
  { baseUrl, clientId, clientSecret }: DemoCredentials,
  body: string,
): Promise<Pick<Response, 'status' | 'headers'>> {
  const response = await fetch(`${baseUrl}/kyt/transactions/ingest`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-client-id': clientId,
      'x-client-secret': clientSecret,
    },
    body,
  });
  await response.arrayBuffer();
  return response;
}

/** Returns the Retry-After of a 429 or 503 in milliseconds; null for any other response. */
export function retryAfterMs({ status, headers }: Pick<Response, 'status' | 'headers'>): number | null {
  const seconds = Number(headers.get('retry-after') ?? NaN);
  return (status === 429 || status === 503) && Number.isFinite(seconds) ? seconds * 1_000 : null;
}

/** Waits until both events of every accepted transaction have arrived. */
async function waitUntilSettled(receiver: DemoReceiver, accepted: number): Promise<boolean> {
  const until = performance.now() + SETTLE_MS;
  while (performance.now() < until) {
    if (receiver.queued >= accepted && receiver.completed >= accepted) return true;
    await sleep(50);
  }
  return false;
}

const isInteractive = process.stdout.isTTY;

function printProgress(done: number, total: number, tally: Tally, receiver: DemoReceiver): void {
  if (!isInteractive && done < total) return;
  const width = 30;
  const filled = Math.round((done / total) * width);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`;
  const line = `${bar} ${done}/${total}  accepted ${tally.accepted}  completed ${receiver.completed}  verified ${receiver.verified}`;
  process.stdout.write(isInteractive ? `\r${line}${done === total ? '\n' : ''}` : `${line}\n`);
}

function printSummary(
  options: DemoOptions,
  tally: Tally,
  receiver: DemoReceiver,
  shown: ReadonlyMap<string, string>,
  complete: boolean,
): void {
  const lines = [
    '',
    `sent          ${countOf(options.transactions, 'transaction', 'transactions')} at ${options.rate}/s`,
    `accepted      ${tally.accepted} (202), duplicates ${tally.duplicates} (200), refused ${tally.refused}, ${tally.retried} sent again after Retry-After`,
    `webhooks      ${receiver.verified} with a valid signature, ${receiver.invalid} invalid, ${receiver.repeated} repeated`,
    `              ${receiver.queued} kyt.transaction.queued, ${receiver.completed} kyt.transaction.pipeline.completed, ${receiver.others} of other types`,
    `outcomes      ${[...receiver.outcomes].map(([outcome, n]) => `${outcome} ${n}`).join(', ')}`,
    ...[...shown].map(([id, what]) => `  ${what}: ${receiver.results.get(id) ?? 'no result yet'}`),
    `acknowledged  ${formatPercentiles(tally.ackMs)}`,
    `completed     ${formatPercentiles(receiver.completionMs)} (from sending to the verified webhook)`,
    complete
      ? 'every accepted transaction was evaluated and reported'
      : 'NOT every accepted transaction was reported in time',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function formatPercentiles(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (q: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0).toFixed(1);
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`;
}
