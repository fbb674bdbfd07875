import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { allowsSandboxScenarios, readSettings, Settings } from '../../src/platform/config/index.js';
import { madeUpCpf } from '../../src/platform/kernel/index.js';
import { DeadLettersService } from '../../src/features/kyt/index.js';
import { expectError } from '../support/answers.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aMinimalTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { aPicture } from '../support/files.js';
import { later } from '../support/needs.js';
import { WebhookReceiver } from '../support/receiver.js';
import { sandboxClient } from '../support/sandbox.js';

interface Scenario {
  readonly name: string;
  readonly status: string;
  readonly verdict: string | null;
  readonly defensible: boolean | null;
  readonly reasons: string[];
  readonly events: string[];
}
interface Told {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly verdict?: string };
}
interface Read {
  readonly status: string;
  readonly verdict: string | null;
  readonly defensible: boolean | null;
  readonly evaluationVersion: number | null;
  readonly nonDefensibleReasons: string[];
  readonly reasons: { readonly reasonCode: string }[];
  readonly nextAction: { readonly sessionId: string } | null;
}

let t: TestApp;
let client: TestClient;
let api: TestApi;

beforeAll(async () => {
  t = await startTestApp({ settings: { rateLimitSessionPerMinute: 100_000, sessionSweepMs: 1_000 } });
  client = await sandboxClient(t);
  api = t.api.as(client);
});

afterAll(async () => {
  await t.close();
});

const steeredBy = (
  sandboxScenario: string,
  metadata: object = {},
  fields: object = {},
): { transactionId: string } =>
  aMinimalTransaction({ metadata: { sandboxScenario, mine: 'stays', ...metadata }, ...fields });

async function read(transactionId: string): Promise<Read> {
  return ((await api.transaction(transactionId).expect(200)).body as { data: Read }).data;
}

async function told(transactionId: string): Promise<Told[]> {
  const answer = await api.get(`/kyt/transactions/${transactionId}/events`).expect(200);
  return (answer.body as { data: Told[] }).data;
}

async function sent(name: string, metadata: object = {}, fields: object = {}): Promise<string> {
  const body = steeredBy(name, metadata, fields);
  await api.ingest(body).expect(202);
  return body.transactionId;
}

async function catalogue(): Promise<{ scenarios: Scenario[]; missing: string[] }> {
  const answer = await api.get('/sandbox/scenarios').expect(200);
  return (answer.body as { data: { scenarios: Scenario[]; missing: string[] } }).data;
}

/** The customer follows the link with that CPF and the one test picture of the integrator. */
async function verified({ nextAction }: Read, cpf: string): Promise<void> {
  const path = `/kyc-sessions/${nextAction!.sessionId}`;
  const photo = await aPicture(640, 640, 7).jpeg().toBuffer();
  await t.api.post(`${path}/upload`).attach('file', photo, { filename: 'me.jpg' }).expect(201);
  const userData = { privacy: true, name: 'Ana Exemplo', cpf, birthDate: '1980-05-17' };
  await t.api.post(`${path}/complete`).send({ userData }).expect(202);
}

const settledAs = (transactionId: string, verdict: string): Promise<Read> =>
  eventually(`${transactionId} is ${verdict}`, async () => {
    const found = await read(transactionId);
    return found.verdict === verdict && found;
  });

describe('the scenarios of the sandbox', () => {
  it('keep what they promise, each of them, and tell it by the events that they name', async () => {
    const { scenarios, missing } = await catalogue();
    expect(missing).toEqual([]);
    expect(scenarios.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'release',
        'challenge',
        'hold',
        'sanctions_hit',
        'pep',
        'stale_list',
        'provider_down',
      ]),
    );
    // The burst last: it would be in the way of the others.
    const ids = new Map<string, string>();
    for (const { name } of scenarios) {
      if (name !== 'rate_limit' && !name.startsWith('late')) ids.set(name, await sent(name));
    }
    for (const { name, status, verdict, defensible, reasons, events } of scenarios) {
      const id = ids.get(name);
      if (id === undefined) continue;
      const found = await eventually(`${name} is what it promises`, async () => {
        const now = await read(id);
        return now.status === status && now.verdict === verdict && now;
      });
      const codes = [...found.reasons.map(({ reasonCode }) => reasonCode), ...found.nonDefensibleReasons];
      expect([name, found.defensible, codes]).toEqual([
        name,
        defensible,
        reasons.length === 0 ? codes : expect.arrayContaining(reasons),
      ]);
      const types = await eventually(`the events of ${name} are there`, async () => {
        const all = (await told(id)).map(({ type }) => type);
        return all.length >= events.length && all;
      });
      expect([name, types]).toEqual([name, events]);
    }
  });

  it('challenge: ends well with one magic document, badly with another, without an answer with the third', async () => {
    const documents = ['900000001', '901000001', '902000001', '900000002'].map(madeUpCpf);
    const ids: string[] = [];
    for (const cpfCnpj of documents) ids.push(await sent('challenge', {}, { cpfCnpj }));
    const [well = '', badly = '', unanswered = '', wellToo = ''] = ids;
    const { nextAction } = await settledAs(well, 'CHALLENGE');
    const page = `/kyc-sessions/${nextAction!.sessionId}/public`;
    const hint = { testPerson: { name: 'Ana Exemplo', cpf: documents[0] } };
    expect((await t.api.get(page).expect(200)).body).toMatchObject(hint);
    const production = await startTestApp({ like: t, settings: { sandboxScenarios: 'off', role: 'api' } });
    expect((await production.api.get(page).expect(200)).body).not.toHaveProperty('testPerson');
    await production.close();
    for (const [i, id] of ids.entries()) {
      await verified(await settledAs(id, 'CHALLENGE'), documents[i]!);
    }
    for (const id of [well, wellToo]) {
      expect(await settledAs(id, 'RELEASE')).toMatchObject({ defensible: true, evaluationVersion: 2 });
    }
    for (const id of [badly, unanswered]) await settledAs(id, 'HOLD');
    expect((await told(badly)).map(({ data }) => data.verdict).slice(1)).toEqual(['CHALLENGE', 'HOLD']);
  });

  later('dead_letter: a replay lets it through', async () => {
    const id = await sent('dead_letter');
    await eventually('it is given up', async () => (await read(id)).status === 'DEAD_LETTERED');
    const { rows } = await t.owner.query<{ id: string }>(
      'SELECT id FROM kyt_transactions WHERE transaction_id = $1',
      [id],
    );
    expect(await t.app.get(DeadLettersService).replay(rows[0]!.id, 'test')).toBe(true);
    await settledAs(id, 'RELEASE');
  });

  it('late_event: what was judged without it is judged again, and told', async () => {
    const sandboxCustomer = 'somebody';
    const first = await sent('late_event_first', { sandboxCustomer });
    expect(await settledAs(first, 'RELEASE')).toMatchObject({ evaluationVersion: 1 });
    const late = await sent('late_event', { sandboxCustomer });
    await settledAs(late, 'HOLD');
    const found = await settledAs(first, 'HOLD');
    expect(found.reasons.map(({ reasonCode }) => reasonCode)).toContain('PASS_THROUGH');
    expect((await told(first)).map(({ data }) => data.verdict).slice(1)).toEqual(['RELEASE', 'HOLD']);
  });

  it('an endpoint whose address asks for it gets its events at the second attempt', async () => {
    const receiver = await WebhookReceiver.listen();
    try {
      const url = `${receiver.url}?sandboxFailures=1`;
      const made = await api.post('/webhook-endpoints').send({ url }).expect(201);
      const { id: endpoint } = (made.body as { data: { endpoint: { id: string } } }).data.endpoint;
      const id = await sent('release');
      await settledAs(id, 'RELEASE');
      const [first] = await receiver.about(id, 2);
      expect(first!.headers['x-vigia-attempt']).toBe('2');
      const { body } = await api.get(`/webhook-deliveries?endpointId=${endpoint}`).expect(200);
      const [delivery] = (body as { data: { id: string }[] }).data;
      const shown = await eventually('it is recorded', async () => {
        const answer = await api.get(`/webhook-deliveries/${delivery!.id}`).expect(200);
        const { log } = (answer.body as { data: { log: { statusCode: number }[] } }).data;
        return log.length === 2 && log;
      });
      expect(shown.map(({ statusCode }) => statusCode)).toEqual([500, 204]);
      await api.call('delete', `/webhook-endpoints/${endpoint}`).expect(200);
    } finally {
      await receiver.close();
    }
  });

  it('rate_limit: is accepted, and the next calls are told when to come back', async () => {
    const limited = await t.client({
      organisationId: client.organisationId,
      rules: false,
      perSecond: 5,
      burst: 10,
    });
    const own = t.api.as(limited);
    await own.ingest(steeredBy('rate_limit')).expect(202);
    const refused = await own.ingest(steeredBy('release'));
    expectError(refused, 429, 'RATE_LIMITED');
    await sleep(1_000 * Number(refused.headers['retry-after']));
    await eventually(
      'it is let in again',
      async () => (await own.ingest(steeredBy('release'))).status === 202,
    );
  });

  it('repeated it is a duplicate, in a batch it is one of many, and a misspelt name is refused', async () => {
    const body = steeredBy('hold');
    await api.ingest(body).expect(202);
    const again = await api.ingest(body).expect(200);
    expect((again.body as { data: { duplicate: boolean } }).data.duplicate).toBe(true);
    const batch = await api.ingestBatch([steeredBy('release'), steeredBy('relaese')]).expect(207);
    const { results } = (batch.body as { data: { results: { status: number }[] } }).data;
    expect(results.map(({ status }) => status)).toEqual([202, 400]);
    const { details } = expectError(await api.ingest(steeredBy('relaese')), 400, 'VALIDATION_FAILED');
    expect(details).toMatchObject([{ path: 'metadata.sandboxScenario', suggestion: 'release' }]);
    const legacy = { transactionId: 'l-1', customer: {}, amount: 1, metadata: { sandboxScenario: 'hold' } };
    expectError(await api.legacy(legacy), 400, 'VALIDATION_FAILED');
  });

  it('say what an organisation lacks of what their promises need', async () => {
    const other = t.api.as(await t.client());
    const { body } = await other.get('/sandbox/scenarios').expect(200);
    expect((body as { data: { missing: string[] } }).data.missing).toEqual([
      'the ruleset br-starter',
      ...['sanctions', 'pep', 'blocklist'].map((name) => `the list sample-${name}`),
    ]);
  });

  it.each([true, false])('are refused where there are none, ingest lane %s', async (ingestLane) => {
    const closed = await startTestApp({
      like: t,
      settings: { sandboxScenarios: 'off', ingestLane, role: 'api' },
    });
    try {
      const there = closed.api.as(client);
      const { details } = expectError(await there.ingest(steeredBy('release')), 403, 'SANDBOX_ONLY');
      expect(details.map(({ path }) => path)).toEqual(['metadata.sandboxScenario']);
      expectError(await there.get('/sandbox/scenarios'), 403, 'SANDBOX_ONLY');
      const batch = await there.ingestBatch([steeredBy('release')]).expect(207);
      expect((batch.body as { data: { results: { status: number }[] } }).data.results).toMatchObject([
        { status: 403, error: { code: 'SANDBOX_ONLY' } },
      ]);
    } finally {
      await closed.close();
    }
  });

  it.each([
    ['sandbox', 'development', 'development', true],
    ['sandbox', 'production', 'development', false],
    ['sandbox', 'production', 'on', true],
    ['sandbox', 'development', 'off', false],
    ['staging', 'development', 'development', false],
    ['production', 'development', 'development', false],
    ['production', 'production', 'on', false],
  ] as const)(
    'ENVIRONMENT %s, NODE_ENV %s, SANDBOX_SCENARIOS %s: %s',
    (environment, nodeEnv, sandboxScenarios, are) => {
      expect(
        allowsSandboxScenarios(Settings.of({ ...t.settings, environment, nodeEnv, sandboxScenarios })),
      ).toBe(are);
    },
  );

  it('a start that asks for them in production is refused', () => {
    const key = (): string => randomBytes(32).toString('base64');
    const start = (): unknown =>
      readSettings({
        ...{ NODE_ENV: 'test', ENVIRONMENT: 'production', SANDBOX_SCENARIOS: 'on' },
        ...{ DATABASE_URL: 'postgres://x@y/z', KEY_RING: `k:${key()}`, AUDIT_KEYS: `k:${key()}` },
        ...{ INDEX_KEY: key(), CLIENT_SECRET_PEPPER: key() },
      });
    expect(start).toThrow('SANDBOX_SCENARIOS=on is refused unless ENVIRONMENT is sandbox');
  });
});
