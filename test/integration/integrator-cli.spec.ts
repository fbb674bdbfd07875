import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verifyWebhook } from '#vigia/client';
import type { TestClient } from '../support/api.js';
import { ApiProcess } from '../support/api-process.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { later } from '../support/needs.js';
import { WebhookReceiver } from '../support/receiver.js';
import { reservedPort } from '../support/ports.mjs';
import { sandboxClient } from '../support/sandbox.js';

const root = path.join(import.meta.dirname, '../..');
const PROGRAM = [
  '--import',
  path.join(root, 'test/support/register.mjs'),
  '--disable-warning=ExperimentalWarning',
  path.join(root, 'sdk/cli/src/main.ts'),
];

let t: TestApp;
let client: TestClient;
let service: ApiProcess;
let door: Server;
let url: string;
let home: string;

// The service is a process that can be killed; it stays where callers look for it.
beforeAll(async () => {
  t = await startTestApp({ settings: { role: 'api' } });
  client = await sandboxClient(t);
  service = await startService();
  door = createServer((caller) => {
    const onward = connect(Number(new URL(service.url).port), '127.0.0.1');
    for (const [one, other] of [
      [caller, onward],
      [onward, caller],
    ] as const) {
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
      one.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  await once(door, 'listening');
  url = `http://127.0.0.1:${(door.address() as AddressInfo).port}`;
  home = mkdtempSync(path.join(os.tmpdir(), 'vigia-cli-'));
});

afterAll(async () => {
  door.close();
  await service.stop();
  await t.close();
  rmSync(home, { recursive: true, force: true });
});

const startService = (): Promise<ApiProcess> => ApiProcess.start(t, { ROLE: 'all', ENVIRONMENT: 'sandbox' });

const environment = (): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'], XDG_CONFIG_HOME: home });

interface Run {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

async function vigia(args: readonly string[], { input = '', env = {} } = {}): Promise<Run> {
  const child = spawn(process.execPath, [...PROGRAM, ...args], { env: { ...environment(), ...env } });
  child.stdin.end(input);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (child.exitCode === null) await once(child, 'exit');
  return { status: child.exitCode ?? -1, out, err };
}

/** A command that goes on until it is stopped, and what it has said so far. */
class Running {
  out = '';
  err = '';
  private readonly child: ChildProcess;

  constructor(...args: string[]) {
    this.child = spawn(process.execPath, [...PROGRAM, ...args], { env: environment() });
    this.child.stdout?.on('data', (chunk: Buffer) => (this.out += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.err += chunk.toString()));
  }

  values<Value>(): Value[] {
    const whole = this.out.slice(0, this.out.lastIndexOf('\n') + 1);
    return whole
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Value);
  }

  async kill(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }

  async stop(): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = once(this.child, 'exit');
      this.child.kill('SIGINT');
      await ended;
    }
    return this.child.exitCode;
  }
}

const login = (): Promise<Run> =>
  vigia(['login', '--url', url, '--client-id', client.clientId], { input: `${client.clientSecret}\n` });

describe('the command line of an integrator', () => {
  it('says how to log in, refuses a wrong secret without showing it, and keeps a right one for its user only', async () => {
    const before = await vigia(['transactions', 'get', 'x']);
    expect([before.status, before.err]).toEqual([1, expect.stringContaining('run login')]);
    const kept = path.join(home, 'vigia/credentials.json');
    const wrong = await vigia(['login', '--url', url, '--client-id', client.clientId], {
      input: 'vsk_wrongwrong\n',
    });
    expect([wrong.status, wrong.err]).toEqual([1, expect.stringContaining('401')]);
    expect(wrong.out + wrong.err).not.toContain('wrongwrong');
    expect(existsSync(kept)).toBe(false);
    const right = await login();
    expect([right.status, right.out]).toEqual([0, `${client.clientId} at ${url}\n`]);
    expect(right.out + right.err).not.toContain(client.clientSecret);
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    await vigia(['logout']);
    expect(existsSync(kept)).toBe(false);
    const file = path.join(home, 'demo.json');
    const { clientId, clientSecret } = client;
    writeFileSync(file, JSON.stringify({ baseUrl: url, clientId, clientSecret, other: 1 }));
    expect((await vigia(['login', '--file', file])).status).toBe(0);
  });

  it('sends one transaction, many, and those of a pipe, and reads them back', async () => {
    await login();
    const one = aTransaction();
    const file = path.join(home, 'one.json');
    writeFileSync(file, JSON.stringify(one));
    const sent = await vigia(['transactions', 'send', file, '--wait', '--json']);
    expect(JSON.parse(sent.out)).toMatchObject({ transactionId: one.transactionId, status: 'COMPLETED' });
    const read = await vigia(['transactions', 'get', one.transactionId]);
    expect([read.status, read.out]).toEqual([0, expect.stringContaining(`${one.transactionId}  COMPLETED`)]);
    const lines = [aTransaction(), aTransaction({ amount: -1 }), aTransaction()];
    const many = await vigia(['transactions', 'send', '-', '--json'], {
      input: lines.map((line) => JSON.stringify(line)).join('\n'),
    });
    const answers = many.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { status: number });
    expect([many.status, answers.map(({ status }) => status)]).toEqual([1, [202, 400, 202]]);
    expect(many.err).toContain('3 of 3 sent, 1 refused');
    const text = `\uFEFF${JSON.stringify(aTransaction())}`;
    for (const bytes of [
      Buffer.from(text),
      Buffer.from(text, 'utf16le'),
      Buffer.from(text, 'utf16le').swap16(),
    ]) {
      writeFileSync(file, bytes);
      expect(await vigia(['transactions', 'send', file])).toMatchObject({ status: 0 });
    }
    const absent = await vigia(['transactions', 'get', 'never']);
    expect([absent.status, absent.err]).toEqual([1, 'There is no transaction never.\n']);
  });

  it('triggers a scenario and shows that its promise came true, and lists them', async () => {
    await login();
    const held = await vigia(['trigger', 'hold', '--json']);
    expect([held.status, JSON.parse(held.out)]).toEqual([0, expect.objectContaining({ verdict: 'HOLD' })]);
    const listed = await vigia(['trigger']);
    expect(listed.out).toMatch(/^release +RELEASE {2}Nothing speaks against it\.$/m);
    const wrong = await vigia(['trigger', 'hodl']);
    expect([wrong.status, wrong.err]).toEqual([1, expect.stringContaining('There are: release, challenge')]);
    const nowhere = await vigia(['trigger', 'session.completed']);
    expect([nowhere.status, nowhere.err]).toEqual([1, expect.stringContaining('No endpoint is in use')]);
  });

  it('listens where a killed one has left its endpoint, and at no address of another', async () => {
    await login();
    const port = await reservedPort();
    const left = new Running('listen', '--port', String(port));
    await eventually('it listens', () => left.err.includes('signing secret'), 60_000);
    await left.kill();
    const next = new Running('listen', '--port', String(port));
    try {
      await eventually('it listens again', () => next.err.includes('signing secret'), 20_000);
      expect(next.err).toMatch(/^removed whe_/);
    } finally {
      expect(await next.stop()).toBe(0);
    }
    const app = t.api.as(client);
    const taken = { url: `http://127.0.0.1:${port}/`, description: 'another' };
    const { data } = (await app.post('/webhook-endpoints').send(taken).expect(201)).body as {
      data: { endpoint: { id: string } };
    };
    const refused = await vigia(['listen', '--port', String(port)]);
    expect([refused.status, refused.err]).toEqual([1, expect.stringContaining(data.endpoint.id)]);
    await app.call('delete', `/webhook-endpoints/${data.endpoint.id}`).expect(200);
  });

  it('begins a tail so long ago, and says what it takes for that', async () => {
    await login();
    await vigia(['transactions', 'get', 'before-the-tail']);
    const logs = new Running('logs', 'tail', '--since', '10m', '--json');
    try {
      await eventually('what was before is shown', () => logs.out.includes('TRANSACTION_NOT_FOUND'));
    } finally {
      await logs.stop();
    }
    const wrong = await vigia(['events', 'tail', '--since', 'yesterday']);
    expect([wrong.status, wrong.err]).toEqual([1, expect.stringContaining('10m')]);
  });

  later(
    'listens, hands on and tails while the service is killed and comes back: nothing is missed',
    async () => {
      await login();
      const receiver = await WebhookReceiver.listen();
      const listening = new Running('listen', '--forward-to', receiver.url, '--json');
      const events = new Running('events', 'tail', '--json');
      const transactions = new Running('transactions', 'tail', '--json');
      const logs = new Running('logs', 'tail', '--json');
      try {
        const secret = await eventually(
          'it listens',
          () => /signing secret: (whsec_\S+)/.exec(listening.err)?.[1],
          60_000,
        );
        // The tails begin now.
        await eventually(
          'the tails have begun',
          async () => {
            await vigia(['trigger', 'release', '--no-wait']);
            return [events, transactions, logs].every(({ out }) => out !== '');
          },
          60_000,
        );
        const ids: string[] = [];
        const send = async (): Promise<void> => {
          const batch = Array.from({ length: 5 }, () => aTransaction());
          ids.push(...batch.map(({ transactionId }) => transactionId));
          const input = JSON.stringify(batch);
          expect((await vigia(['transactions', 'send', '-'], { input })).status).toBe(0);
        };
        const batches = (): number =>
          logs
            .values<{ route: string; status: number }>()
            .filter(({ route, status }) => route === '/kyt/transactions/ingest/batch' && status === 207)
            .length;
        await send();
        // A kill may take the last second of the log with it, and nothing else.
        await eventually('the first is in the log', () => batches() === 1);
        await service.kill();
        await eventually('the tails notice', () =>
          [events, transactions, logs].every(({ err }) => err.includes('trying again')),
        );
        service = await startService();
        await send();
        interface Told {
          readonly type: string;
          readonly data: { readonly transactionId: string };
        }
        const completed = (told: readonly Told[]): string[] =>
          told
            .filter(({ type }) => type === 'kyt.transaction.pipeline.completed')
            .map(({ data }) => data.transactionId);
        for (const [what, found] of [
          ['the receiver', () => completed(receiver.deliveries.map(({ event }) => event as unknown as Told))],
          ['listen', () => completed(listening.values<{ event: Told }>().map(({ event }) => event))],
          ['events tail', () => completed(events.values<Told>())],
          ['transactions tail', () => completed(transactions.values<Told>())],
        ] as const) {
          await eventually(`${what} has all`, () => {
            const have = found();
            return ids.every((id) => have.includes(id));
          });
        }
        // Each once, though the feed was read from where it broke off.
        const all = completed(events.values<Told>());
        expect(new Set(all).size).toBe(all.length);
        for (const { headers, body } of receiver.deliveries) verifyWebhook({ headers, body, secret });
        await eventually('both are in the log', () => batches() === 2);
        expect(await listening.stop()).toBe(0);
        const left = (await t.api.as(client).get('/webhook-endpoints').expect(200)).body as {
          data: unknown[];
        };
        expect(left.data).toEqual([]);
      } finally {
        await Promise.all([listening, events, transactions, logs].map((one) => one.stop()));
        await receiver.close();
      }
    },
  );

  it('doctor: says what is well, and which scopes are not there', async () => {
    await login();
    const well = await vigia(['doctor', '--json']);
    const findings = (run: Run): { what: string; verdict: string; says: string }[] =>
      run.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { what: string; verdict: string; says: string });
    expect(findings(well).map(({ what, verdict }) => `${verdict} ${what}`)).toEqual(
      ['clock', 'credentials', 'scopes', 'signature'].map((what) => `ok ${what}`),
    );
    expect(well.status).toBe(0);
    const less = await t.client({
      organisationId: client.organisationId,
      rules: false,
      scopes: ['kyt:read'],
    });
    const env = { VIGIA_URL: url, VIGIA_CLIENT_ID: less.clientId, VIGIA_CLIENT_SECRET: less.clientSecret };
    expect(findings(await vigia(['doctor', '--json'], { env }))).toContainEqual({
      what: 'scopes',
      verdict: 'look',
      says: 'not there: kyt:ingest, events:read, requests:read, webhooks:manage',
    });
    const wrong = await vigia(['doctor'], { env: { ...env, VIGIA_CLIENT_SECRET: 'vsk_x' } });
    expect([wrong.status, wrong.out]).toEqual([1, expect.stringContaining('bad   credentials')]);
  });

  it('completes its commands in bash', async () => {
    const { out } = await vigia(['completion', 'bash']);
    const complete = (line: string): string[] => {
      const words = line.split(' ');
      const script = `${out}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})\nCOMP_CWORD=${words.length - 1}\n_vigia\necho "\${COMPREPLY[@]}"`;
      return spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout.trim().split(' ');
    };
    expect(complete('vigia tr')).toEqual(['trigger', 'transactions']);
    expect(complete('vigia transactions ')).toEqual(expect.arrayContaining(['send', 'get', 'tail']));
    expect(complete('vigia listen --f')).toEqual(['--forward-to']);
  });

  it('serves tools over the Model Context Protocol that read and change nothing', async () => {
    await login();
    const body = aTransaction();
    expect((await vigia(['transactions', 'send', '-'], { input: JSON.stringify(body) })).status).toBe(0);
    // However the address was written.
    const env = { ...environment(), VIGIA_URL: `${url}/` };
    const { clientId: VIGIA_CLIENT_ID, clientSecret: VIGIA_CLIENT_SECRET } = client;
    const child = spawn(process.execPath, [...PROGRAM, 'mcp'], {
      env: { ...env, VIGIA_CLIENT_ID, VIGIA_CLIENT_SECRET },
    });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    interface Reply {
      readonly id?: number;
      readonly result: {
        readonly tools?: { name: string; annotations: { readOnlyHint: boolean } }[];
        readonly content?: { text: string }[];
        readonly isError?: boolean;
      };
    }
    let last = 0;
    const send = (message: object): void => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    };
    const ask = (method: string, params: object = {}): Promise<Reply['result']> => {
      const id = (last += 1);
      send({ id, method, params });
      return eventually(`${method} is answered`, () => {
        const replies = out
          .slice(0, out.lastIndexOf('\n') + 1)
          .split('\n')
          .filter(Boolean);
        return replies.map((line) => JSON.parse(line) as Reply).find((one) => one.id === id)?.result;
      });
    };
    const call = async (name: string, args: object): Promise<[text: string, isError: boolean]> => {
      const { content, isError } = await ask('tools/call', { name, arguments: args });
      return [content?.[0]?.text ?? '', isError ?? false];
    };
    try {
      const clientInfo = { name: 'test', version: '1' };
      await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
      send({ method: 'notifications/initialized' });
      const { tools = [] } = await ask('tools/list');
      expect(tools.map(({ name }) => name).sort()).toEqual([
        ...['explain_decision', 'explain_error', 'find_requests', 'find_scenario', 'search_documents'],
      ]);
      expect(tools.every(({ annotations }) => annotations.readOnlyHint)).toBe(true);
      const [decision] = await call('explain_decision', { transactionId: body.transactionId });
      expect(decision).toContain('kyt.transaction.queued');
      expect(await call('explain_decision', { transactionId: 'none-such' })).toEqual([
        expect.stringContaining('TRANSACTION_NOT_FOUND'),
        true,
      ]);
      expect((await call('explain_error', { code: 'TRANSACTION_ID_CONFLICT' }))[0]).toContain('409');
      expect((await call('find_scenario', { words: 'sanctions' }))[0]).toContain('sanctions_hit');
      expect((await call('search_documents', { words: 'rotate secret' }))[0]).toContain('/developers/');
      await eventually('the requests are in their log', async () =>
        (await call('find_requests', { status: 404 }))[0].includes('TRANSACTION_NOT_FOUND'),
      );
    } finally {
      child.kill('SIGKILL');
    }
  });
});
