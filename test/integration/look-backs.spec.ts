import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { systemActor } from '../../src/features/audit/index.js';
import { newUuid, publicId, uuidOf } from '../../src/platform/kernel/index.js';
import { RulesetsService, type RuleDefinition } from '../../src/features/rules/index.js';
import { brFirst } from '../support/br-first.js';
import {
  SearchIndexService,
  ListImporterService,
  ScreeningListsService,
} from '../../src/features/screening/index.js';
import type { TestApi, TestClient } from '../support/api.js';
import { expectError } from '../support/answers.js';
import { ApiProcess } from '../support/api-process.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { approve, askedIn } from '../support/approvals.js';
import { aTransaction, cpfOf } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { withLists } from '../support/lists.js';
import { laterBlock } from '../support/needs.js';

const WHY = 'The pattern was there before the rule was.';
const DAY = 86_400_000;

/** Asks and looks; who works is beside it, so that it can be taken away. */
let t: TestApp;
let worker: TestApp | null = null;
let client: TestClient;
let api: TestApi;
let officer: TestApi;
let second: TestApi;
let analyst: TestApi;

const USUAL = brFirst.rules[0]!;
const rule = (key: string, fields: Partial<RuleDefinition>): RuleDefinition => ({
  ...USUAL,
  ...{ key, category: 'STRUCTURING', parameters: {}, evidence: [] },
  message: { 'pt-BR': key, en: `The rule ${key}` },
  score: { points: 60, group: key, groupMax: null },
  effect: { minOutcome: 'REVIEW', recommend: 'NONE', reasonCode: 'LOOKED_AT' },
  ...fields,
});
const HUGE = rule('HUGE', { when: 'amountBrl >= 5000.0' });
const LARGE = rule('LARGE', { when: 'amountBrl >= 900.0' });
/** Asks a list of the house about what a snapshot withholds. */
const NETWORK = rule('NETWORK', {
  when: "list('bad-networks').has(ip.address)",
  category: 'DEVICE_FRAUD',
  lists: ['bad-networks'],
});
const DECLINES = rule('DECLINES', { when: 'card.declines10m >= 3.0', onIndeterminate: 'RECORD' });

let version = 0;
const publish = (rules: readonly RuleDefinition[]): Promise<unknown> =>
  t.app
    .get(RulesetsService)
    .publish(client.organisationId, { ...brFirst, version: (version += 1), rules: [...rules] }, 'test');

async function importList(key: string, kind: 'SANCTIONS' | 'ALLOWLIST', lines: string): Promise<string> {
  const ctx = systemActor(client.organisationId, 'test');
  const list = await t.app
    .get(ScreeningListsService)
    .findOrCreate(ctx, { key, name: key, kind, format: 'HOUSE_CSV' });
  const { id } = await t.app.get(ListImporterService).startImport(ctx, list, null);
  const main = Readable.from([Buffer.from(`key;name;kind;birthDate;type;value\n${lines}`)]);
  await t.app
    .get(ListImporterService)
    .runImport(ctx, list, id, { main, bytesTotal: null }, { confirmation: 'NEVER' });
  for (const one of [t, worker]) await one?.app.get(SearchIndexService).refresh();
  return publicId('lst', list.id);
}

beforeAll(async () => {
  t = await startTestApp({ settings: { role: 'api' } });
  worker = await startTestApp({ like: t, settings: { role: 'all' } });
  client = await t.client({ rules: false });
  api = t.api.as(client);
  const { organisationId } = client;
  const as = async (role: 'COMPLIANCE_OFFICER' | 'ANALYST'): Promise<TestApi> =>
    t.api.asOperator(await t.operator({ roles: [role], organisationId }));
  [officer, second, analyst] = [
    await as('COMPLIANCE_OFFICER'),
    await as('COMPLIANCE_OFFICER'),
    await as('ANALYST'),
  ];
});

afterAll(async () => {
  await worker?.close();
  await t.close();
});

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- says what the answer is
const dataOf = <T>({ body }: { readonly body: unknown }): T => (body as { data: T }).data;

interface Run {
  readonly id: string;
  readonly status: string;
  readonly total: number;
  readonly done: number;
  readonly failureCode: string | null;
  readonly counts: Record<string, unknown>;
}

/** Sends a payment and waits for its evaluation; the stored id. */
async function paid(customer: string, amount: number, fields: Record<string, unknown> = {}): Promise<string> {
  const body = aTransaction({ externalCustomerId: customer, amount, ...fields });
  await api.ingest(body).expect(202);
  await api.settled(body.transactionId);
  const { rows } = await t.owner.query<{ id: string }>(
    `SELECT id FROM kyt_transactions WHERE organisation_id = $1 AND transaction_id = $2`,
    [client.organisationId, body.transactionId],
  );
  return publicId('txn', rows[0]!.id);
}

const findRun = async (id: string): Promise<Run> =>
  dataOf<Run>(await analyst.get(`/operator/look-backs/${id}`).expect(200));

async function ended(id: string): Promise<Run> {
  return eventually(
    'the look-back has ended',
    async () => {
      const run = await findRun(id);
      return !['QUEUED', 'RUNNING'].includes(run.status) && run;
    },
    60_000,
  );
}

/** Asked for by one, approved by another; ends as the id of the run. */
async function begun(path: string, days = 30): Promise<string> {
  const asked = await officer.post(path).send({ days, reason: WHY }).expect(202);
  await approve(second, asked);
  return askedIn(asked).subjectId;
}

const versionPath = async (): Promise<string> => {
  const rows = dataOf<{ key: string; version: number; status: string }[]>(
    await officer.get('/operator/rulesets?status=PUBLISHED').expect(200),
  );
  return `/operator/rulesets/${rows[0]!.key}/versions/${rows[0]!.version}/look-backs`;
};

interface Row {
  readonly id: string;
  readonly kind: string;
  readonly priority: string;
  readonly alerts: { transaction: string; rule: string; lookBack: string | null }[];
}

const casesOf = async (lookBack: string): Promise<Row[]> =>
  dataOf<Row[]>(
    await analyst.get(`/operator/reviews?lookBack=${lookBack}&include=alerts&limit=100`).expect(200),
  );

/** Everything that a look-back must not touch. */
async function untouched(): Promise<unknown> {
  const { rows } = await t.owner.query(
    `SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM kyt_evaluations) AS evaluations,
       (SELECT count(*) FROM kyt_decisions) AS decisions, (SELECT count(*) FROM webhook_deliveries) AS deliveries`,
  );
  return rows[0];
}

describe('A look-back', () => {
  const known: Record<string, string> = {};
  let path: string;

  it('of the rules opens and joins cases about what would have been an alert, once, after a second person approved it', async () => {
    await publish([HUGE, DECLINES]);
    // Without lists nothing can be defended: a case about what is missing is no look at the payment.
    known['ana'] = await paid('ana', 950);
    await withLists(t, client.organisationId);
    await worker?.app.get(SearchIndexService).refresh();
    known['ana2'] = await paid('ana', 1_200);
    known['bia'] = await paid('bia', 950);
    known['bad'] = await paid('caio', 10, {
      metadata: { deviceId: 'd', deviceRegistered: true, ipAddress: '198.51.100.9' },
    });
    known['small'] = await paid('dora', 20);
    known['old'] = await paid('edu', 950, { occurredAt: new Date(Date.now() - 40 * DAY).toISOString() });
    // Was an alert when it took place: somebody looks at it.
    known['huge'] = await paid('bia', 6_000);
    await importList('bad-networks', 'ALLOWLIST', 'n1;Bad network;ORGANISATION;;IP;198.51.100.9\n');
    await publish([HUGE, LARGE, NETWORK, DECLINES]);
    path = await versionPath();

    const before = await untouched();
    const asked = await officer.post(path).send({ days: 30, reason: WHY }).expect(202);
    const { id: request, digest } = askedIn(asked);
    const alone = await officer.post(`/operator/approvals/${request}/approve`).send({ digest });
    expectError(alone, 403, 'FOUR_EYES_REQUIRED');
    expect(dataOf<unknown[]>(await analyst.get('/operator/look-backs').expect(200))).toEqual([]);
    await approve(second, asked);
    const id = askedIn(asked).subjectId;
    const run = await ended(id);
    expect(run).toMatchObject({
      ...{ status: 'FINISHED', total: 6, done: 6, failureCode: null },
      counts: {
        ...{ looked: 6, alerts: 5, known: 1, opened: 2, joined: 2, unreadable: 0 },
        undecided: [{ rule: 'DECLINES', count: 6 }],
        judgedBy: ['br-first@2'],
      },
    });

    const cases = await casesOf(id);
    const found = cases.flatMap(({ alerts }) => alerts.filter(({ lookBack }) => lookBack === id));
    expect(found.map(({ transaction, rule: key }) => [transaction, key]).sort()).toEqual(
      [
        [known['ana'], 'LARGE'],
        [known['ana2'], 'LARGE'],
        [known['bia'], 'LARGE'],
        [known['bad'], 'NETWORK'],
      ].sort(),
    );
    // Both payments of one customer are one case; that of another joined the case that was open.
    expect(cases).toHaveLength(3);
    const joined = cases.find(({ alerts }) =>
      alerts.some(({ transaction }) => transaction === known['huge']),
    );
    expect(joined?.alerts.map(({ lookBack }) => lookBack).sort()).toEqual([id, null].sort());

    expect(await untouched()).toEqual(before);
    const trail = dataOf<{ status: string; entries: { action: string }[] }>(
      await officer.get(`/operator/audit/trails/look_back/${id}`).expect(200),
    );
    expect(trail.status).toBe('COMPLETE');
    for (const { id: review } of cases) {
      const { trailStatus, entries } = dataOf<{ trailStatus: string; entries: { content: unknown }[] }>(
        await analyst.get(`/operator/reviews/${review}/timeline`).expect(200),
      );
      expect(trailStatus).toBe('COMPLETE');
      expect(JSON.stringify(entries)).toContain(id);
    }
  });

  it('again finds what has its case, and decided cases decide their transactions once each', async () => {
    const again = await ended(await begun(path));
    expect(again.counts).toMatchObject({ looked: 6, alerts: 5, known: 5, opened: 0, joined: 0 });

    const [run] = dataOf<Run[]>(await analyst.get('/operator/look-backs?limit=100').expect(200)).slice(-1);
    const ofAna = (await casesOf(run!.id)).find(({ alerts }) =>
      alerts.some(({ transaction }) => transaction === known['ana']),
    );
    const proposed = await officer.post(`/operator/reviews/${ofAna!.id}/decision`).send({
      resolution: 'REJECTED',
      report: 'ARCHIVE',
      justification: 'Nobody could explain the payments.',
    });
    await approve(second, proposed);
    const refs = [known['ana'], known['ana2']].map((id) => uuidOf('txn', id!));
    await eventually('both are decided', async () => {
      const { rows } = await t.owner.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM kyt_decisions WHERE transaction_ref = ANY ($1)`,
        [refs],
      );
      return rows[0]?.n === 2;
    });
    const { rows } = await t.owner.query<{ ref: string; n: number }>(
      `SELECT resource_id AS ref, count(*)::int AS n FROM events WHERE resource_id = ANY ($1)
         AND type = 'kyt.transaction.pipeline.completed' GROUP BY 1`,
      [refs],
    );
    // One of its evaluation, one of the decision.
    expect(rows.map(({ n }) => n)).toEqual([2, 2]);
    for (const id of [known['ana'], known['ana2']]) {
      const trail = dataOf<{ status: string }>(
        await officer.get(`/operator/audit/trails/transaction/${id}`).expect(200),
      );
      expect(trail.status).toBe('COMPLETE');
    }
  });

  it('of a list opens a case about whom it names now, also where the customer is somebody else', async () => {
    const other = (name: string): object => ({
      name,
      cpfCnpj: cpfOf(name),
      accountReference: `acc-${name}`,
      country: 'BR',
    });
    const payee = await paid('fabio', 50, { destination: other('Zulmira Designada Ficticia') });
    const list = await importList('designated', 'SANCTIONS', 'd1;Zulmira Designada Ficticia;PERSON;;;\n');
    const later = await paid('gil', 50, { destination: other('Somebody Else Entirely') });
    const before = await untouched();
    const id = await begun(`/operator/lists/${list}/look-backs`);
    const run = await ended(id);
    expect(run).toMatchObject({
      status: 'FINISHED',
      counts: { alerts: 1, opened: 1, judgedBy: ['designated@1'] },
    });
    expect(run.done).toBe(run.total);
    const [found, ...more] = await casesOf(id);
    expect(more).toEqual([]);
    expect(found).toMatchObject({
      ...{ kind: 'HIT', priority: 'CRITICAL' },
      alerts: [{ transaction: payee, rule: 'LIST_HIT', lookBack: id }],
    });
    expect(JSON.stringify(found)).not.toContain(later);
    expect(await untouched()).toEqual(before);
    expect((await ended(await begun(`/operator/lists/${list}/look-backs`))).counts).toMatchObject({
      ...{ alerts: 1, known: 1, opened: 0, joined: 0 },
    });
  });

  it('names what it cannot do, and what nobody may ask for', async () => {
    const body = { days: 30, reason: WHY };
    expectError(await officer.post(path).send({ days: 0, reason: WHY }), 400, 'VALIDATION_FAILED');
    expectError(await officer.post(path).send({ days: 367, reason: WHY }), 400, 'VALIDATION_FAILED');
    expectError(await analyst.post(path).send(body), 403, 'PERMISSION_DENIED');
    expectError(
      await officer.post(path.replace('versions/2', 'versions/1')).send(body),
      409,
      'STATE_CONFLICT',
    );
    expectError(
      await officer.post(path.replace('versions/2', 'versions/9')).send(body),
      404,
      'RULESET_NOT_FOUND',
    );
    const networks = await importList('networks', 'ALLOWLIST', 'n1;N;ORGANISATION;;IP;198.51.100.1\n');
    expectError(
      await officer.post(`/operator/lists/${networks}/look-backs`).send(body),
      409,
      'STATE_CONFLICT',
    );
    const unknown = publicId('lst', newUuid());
    expectError(
      await officer.post(`/operator/lists/${unknown}/look-backs`).send(body),
      404,
      'LIST_NOT_FOUND',
    );
    const nothing = `/operator/look-backs/${publicId('lbk', newUuid())}`;
    expectError(await analyst.get(nothing), 404, 'LOOK_BACK_NOT_FOUND');
    expectError(await officer.post(`${nothing}/cancel`), 404, 'LOOK_BACK_NOT_FOUND');

    // A version that went live after the request is another change than the one that was asked for.
    const asked = await officer.post(path).send(body).expect(202);
    await publish([HUGE, LARGE, NETWORK]);
    const { id, digest } = askedIn(asked);
    const late = await second.post(`/operator/approvals/${id}/approve`).send({ digest });
    expectError(late, 409, 'STATE_CONFLICT');

    const stranger = await t.client();
    const other = await t.operator({
      roles: ['COMPLIANCE_OFFICER'],
      organisationId: stranger.organisationId,
    });
    const runs = dataOf<unknown[]>(await t.api.asOperator(other).get('/operator/look-backs').expect(200));
    expect(runs).toEqual([]);
  });
});

laterBlock('A look-back whose process dies', () => {
  const PAYERS = 3;
  let holder: pg.Client;

  beforeAll(async () => {
    holder = new pg.Client({ connectionString: t.database.ownerUrl });
    await holder.connect();
  });

  afterAll(async () => {
    await holder.end();
  });

  it('goes on where its last commit was: every alert in exactly one case, none missed, none counted twice', async () => {
    const payments = Array.from({ length: 240 }, (_, i) =>
      aTransaction({
        externalCustomerId: `payer-${i % PAYERS}`,
        ...{ cpfCnpj: cpfOf(`payer-${i % PAYERS}`), amount: 5 },
        // The first hundred name nobody; of the others each second one somebody who is listed afterwards.
        destination: {
          name: i >= 100 && i % 2 === 0 ? 'Ubaldo Procurado Ficticio' : `Padaria ${i}`,
          ...{ cpfCnpj: cpfOf(`payee-${i}`), accountReference: `acc-${i}`, country: 'BR' },
        },
      }),
    );
    await api.ingestBatch(payments.slice(0, 120)).expect(207);
    await api.ingestBatch(payments.slice(120)).expect(207);
    const ids = payments.map(({ transactionId }) => transactionId);
    await eventually(
      'all are evaluated',
      async () => {
        const { rows } = await t.owner.query<{ n: number }>(
          `SELECT count(*)::int AS n FROM kyt_transactions k JOIN kyt_evaluations e ON e.transaction_ref = k.id
           WHERE k.organisation_id = $1 AND k.transaction_id = ANY ($2)`,
          [client.organisationId, ids],
        );
        return rows[0]?.n === ids.length;
      },
      60_000,
    );
    const list = await importList('wanted', 'SANCTIONS', 'w1;Ubaldo Procurado Ficticio;PERSON;;;\n');
    await worker?.close();
    worker = null;

    // One that nobody has begun is called off, and stays so.
    const idle = await begun(await versionPath());
    const cancelled = await officer.post(`/operator/look-backs/${idle}/cancel`).expect(200);
    expect(dataOf<Run>(cancelled).status).toBe('CANCELLED');
    expectError(await officer.post(`/operator/look-backs/${idle}/cancel`), 409, 'STATE_CONFLICT');
    await expect(
      t.owner.query(`UPDATE look_backs SET status = 'QUEUED' WHERE id = $1`, [uuidOf('lbk', idle)]),
    ).rejects.toThrow('ends once');

    const id = await begun(`/operator/lists/${list}/look-backs`);
    const uuid = uuidOf('lbk', id);
    // The commit of a piece stands still at the first alert that it links: the process dies there.
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE review_transactions IN SHARE MODE');
    const doomed = await ApiProcess.start(t, { ROLE: 'worker' });
    await eventually(
      'the process is in the middle of a commit',
      async () => {
        const { rows } = await t.owner.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return rows.length > 0;
      },
      60_000,
    );
    await doomed.kill();
    await holder.query('ROLLBACK');
    const { rows: between } = await t.owner.query<{ status: string; alerts: number }>(
      `SELECT status, (counts ->> 'alerts')::int AS alerts FROM look_backs WHERE id = $1`,
      [uuid],
    );
    expect(between).toEqual([{ status: 'RUNNING', alerts: expect.any(Number) }]);
    expect(between[0]!.alerts).toBeLessThan(70);

    const next = await ApiProcess.start(t, { ROLE: 'worker' });
    try {
      const run = await ended(id);
      expect(run).toMatchObject({ status: 'FINISHED', counts: { alerts: 70, known: 0 } });
      expect(run.counts['looked']).toBe(run.total);
    } finally {
      await next.stop();
    }
    const { rows } = await t.owner.query<{ cases: number; alerts: number; linked: number; twice: number }>(
      `SELECT count(DISTINCT l.review_id)::int AS cases, count(*)::int AS alerts,
         (SELECT sum(r.linked)::int FROM reviews r WHERE r.id IN
           (SELECT review_id FROM review_transactions WHERE look_back_id = $1)) AS linked,
         (SELECT count(*)::int FROM (SELECT FROM review_transactions WHERE look_back_id = $1
            GROUP BY transaction_ref HAVING count(*) > 1) d) AS twice
       FROM review_transactions l WHERE l.look_back_id = $1`,
      [uuid],
    );
    expect(rows).toEqual([{ cases: PAYERS, alerts: 70, linked: 70, twice: 0 }]);
  }, 240_000);
});
