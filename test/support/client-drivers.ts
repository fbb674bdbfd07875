import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import path from 'node:path';
import {
  verifyWebhook,
  VigiaApiError,
  VigiaClient,
  WebhookVerificationError,
  type Attempt,
  type NewEndpoint,
  type TransactionToIngest,
} from '#vigia/client';

const root = path.join(import.meta.dirname, '../..');

export interface Setup {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly timeoutMs: number;
  readonly proxy?: string;
  /** The file of a certificate to trust. */
  readonly ca?: string;
}

export interface Said {
  readonly value?: unknown;
  /** The class of the error. */
  readonly error?: string;
  readonly message?: string;
  readonly code?: string | null;
  readonly details?: readonly { readonly path: string }[] | null;
  readonly attempts: number;
  readonly pausesMs: readonly number[];
}

interface Signed {
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly secret: string;
  /** In seconds. */
  readonly now: number;
}

export type Step =
  | 'ingest'
  | 'ingestExact'
  | 'ingestBatch'
  | 'ingestAndWait'
  | 'transaction'
  | 'createEndpoint'
  | 'endpoints'
  | 'deliveries'
  | 'events'
  | 'post'
  | 'verify';

/** One of the clients, asked to do the steps that each of them knows. */
export interface ClientDriver {
  run(step: Step, given?: unknown): Promise<Said>;
  close(): void;
}

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The client for TypeScript, in this process. */
export function typescriptDriver({ url, clientId, clientSecret, timeoutMs, proxy, ca }: Setup): ClientDriver {
  const attempts: Attempt[] = [];
  const made = (): VigiaClient =>
    new VigiaClient({
      ...{ baseUrl: url, clientId, clientSecret, timeoutMs, onAttempt: (one) => attempts.push(one) },
      ...(proxy !== undefined && { proxy }),
      ...(ca !== undefined && { tls: { ca: readFileSync(ca) } }),
    });
  const stepsOf = (client: VigiaClient): Record<Step, (given: unknown) => unknown> => ({
    ingest: (body) => client.ingest(body as TransactionToIngest),
    ingestExact: (given) => {
      const body = given as { amount: string };
      return client.ingest({ ...body, amount: Number(body.amount) } as unknown as TransactionToIngest);
    },
    ingestBatch: (bodies) => client.ingestBatch(bodies as TransactionToIngest[]),
    ingestAndWait: (body) => client.ingestAndWait(body as TransactionToIngest),
    transaction: (id) => client.transaction(id as string),
    createEndpoint: (body) => client.createEndpoint(body as NewEndpoint),
    endpoints: () => collected(client.endpoints()),
    deliveries: (query) => collected(client.deliveries(query as Record<string, string>)),
    events: (cursor) => collected(client.events(typeof cursor === 'string' ? { cursor } : {})),
    post: (to) => client.send({ method: 'POST', path: to as string, body: {} }),
    verify: (given) => {
      const { now, ...signed } = given as Signed;
      return verifyWebhook({ ...signed, now: 1_000 * now });
    },
  });
  let steps: ReturnType<typeof stepsOf> | undefined;
  return {
    async run(step, given = null) {
      attempts.length = 0;
      const said = await Promise.resolve()
        .then(() => (steps ??= stepsOf(made()))[step](given))
        .then(
          (value) => ({ value }),
          (error: unknown) => refusalOf(error),
        );
      const pausesMs = attempts.flatMap(({ retryInMs }) => (retryInMs === null ? [] : [retryInMs]));
      return { ...said, attempts: attempts.length, pausesMs };
    },
    close: () => undefined,
  };
}

function refusalOf(error: unknown): Pick<Said, 'error' | 'message' | 'code' | 'details'> {
  if (!(error instanceof Error)) throw error;
  const { name, message } = error;
  if (error instanceof VigiaApiError) {
    return { error: name, message, code: error.code, details: error.details };
  }
  const code = error instanceof WebhookVerificationError ? error.code : null;
  return { error: name, message, code, details: null };
}

/** The client for Python, in a process of its own. */
export const pythonDriver = (setup: Setup): ClientDriver =>
  processDriver(setup, 'python3', ['-B', path.join(root, 'test/support/client_journey.py')], {
    PYTHONPATH: path.join(root, 'sdk/python'),
  });

let journey: string | undefined;

/** The client for Go, in a process of its own, which is built first. */
export const goDriver = (setup: Setup): ClientDriver => {
  if (journey === undefined) {
    journey = path.join(mkdtempSync(path.join(tmpdir(), 'vigia-go-')), 'journey');
    inGo(path.join(root, 'test/support/go-journey'), 'build', '-o', journey, '.');
  }
  return processDriver(setup, journey, []);
};

/** Runs a command of Go that fetches nothing. */
export function inGo(cwd: string, ...args: string[]): string {
  const env = { ...process.env, GOFLAGS: '-mod=mod', GOPROXY: 'off', GONOSUMDB: '*', GOTOOLCHAIN: 'local' };
  const { status, stdout, stderr } = spawnSync('go', args, { cwd, encoding: 'utf8', env });
  if (status !== 0) throw new Error(`go ${args.join(' ')}: ${stderr}`);
  return stdout;
}

function processDriver(
  setup: Setup,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ClientDriver {
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  child.stdin.write(`${JSON.stringify(setup)}\n`);
  return {
    async run(step, given = null) {
      child.stdin.write(`${JSON.stringify({ step, given })}\n`);
      const line = await lines.next();
      if (line.done === true) throw new Error(`${command} ended in the middle of ${step}`);
      return JSON.parse(line.value) as Said;
    },
    close() {
      child.stdin.end();
    },
  };
}
