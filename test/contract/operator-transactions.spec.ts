import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { canonicalJson } from '../../src/platform/kernel/values/canonical-json.js';
import { firstUuidAt, publicId } from '../../src/platform/kernel/index.js';
import { expectError, detailsOf, type Answer } from '../support/answers.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { approve, askedIn } from '../support/approvals.js';
import { aTransaction, CPF } from '../support/builders.js';
import { eventually } from '../support/eventually.js';

/** Accepts only; the worker starts when the bodies of those that are to die are broken. */
let front: TestApp;
let worker: TestApp;
let client: TestClient;
let analyst: TestApi;
let developer: TestApi;
let officer: TestApi;
let stranger: TestApi;

const DEAD = Array.from({ length: 6 }, (_, i) => `dead-${i}`);
const idOf = new Map<string, string>();

beforeAll(async () => {
  front = await startTestApp({ settings: { role: 'api' } });
  client = await front.client();
  const { organisationId } = client;
  const login = async (role: 'ANALYST' | 'DEVELOPER' | 'COMPLIANCE_OFFICER', own = true): Promise<TestApi> =>
    front.api.asOperator(await front.operator({ roles: [role], ...(own ? { organisationId } : {}) }));
  analyst = await login('ANALYST');
  developer = await login('DEVELOPER');
  officer = await login('COMPLIANCE_OFFICER');
  stranger = await login('COMPLIANCE_OFFICER', false);
  const api = front.api.as(client);
  for (const transactionId of DEAD) await api.ingest(aTransaction({ transactionId })).expect(202);
  await front.owner.query('ALTER TABLE kyt_transactions DISABLE TRIGGER kyt_transactions_insert_only');
  await front.owner.query(
    `UPDATE kyt_transactions SET sealed_body = set_byte(sealed_body, length(sealed_body) - 1,
       (get_byte(sealed_body, length(sealed_body) - 1) + 1) % 256) WHERE transaction_id LIKE 'dead-%'`,
  );
  await front.owner.query('ALTER TABLE kyt_transactions ENABLE ALWAYS TRIGGER kyt_transactions_insert_only');
  for (const [i, amount] of [150, 60_000, 75.5].entries()) {
    await api
      .ingest(
        aTransaction({
          transactionId: `t-${i}`,
          externalCustomerId: 'customer-7',
          origin: { name: 'Maria Exemplo', cpfCnpj: CPF.customer, country: 'BR' },
          amount,
          metadata: { note: `customer wrote CPF 529.982.247-25`, deviceId: 'device-1' },
        }),
      )
      .expect(202);
  }
  worker = await startTestApp({ like: front, settings: { role: 'all' } });
  for (const id of [...DEAD, 't-0', 't-1', 't-2']) await api.settled(id);
  const { rows } = await front.owner.query<{ id: string; transaction_id: string }>(
    'SELECT id, transaction_id FROM kyt_transactions',
  );
  for (const row of rows) idOf.set(row.transaction_id, publicId('txn', row.id));
});

afterAll(async () => {
  await worker.close();
  await front.close();
});

interface Shown {
  readonly id: string;
  readonly transactionId: string;
}
// The caller says what it expects the data to be.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as above
const dataOf = <T = Record<string, unknown>>(answer: Answer): T => (answer.body as { data: T }).data;
const list = async (query: string, as = analyst): Promise<string[]> =>
  dataOf<Shown[]>(await as.get(`/operator/transactions?${query}`).expect(200)).map((t) => t.transactionId);
const idNamed = (name: string): string => idOf.get(name) ?? '';

describe('operator/transactions/pipeline', () => {
  it('counts the transactions of the last 24 hours of the organisation alone, and what waits', async () => {
    interface Hour {
      readonly hour: string;
      readonly received: number;
      readonly challenged: number;
      readonly review: number;
    }
    const read = async (as: TestApi) =>
      dataOf<{ hours: Hour[]; waiting: number; oldestQueuedAt: string | null }>(
        await as.get('/operator/transactions/pipeline').expect(200),
      );
    const sum = (hours: readonly Hour[], of: (hour: Hour) => number): number =>
      hours.reduce((total, hour) => total + of(hour), 0);
    const { hours, waiting, oldestQueuedAt } = await read(analyst);
    const { rows } = await front.owner.query<{ received: number; review: number }>(
      `SELECT (SELECT count(*)::int FROM kyt_transactions) AS received,
         (SELECT count(*)::int FROM kyt_standings WHERE outcome = 'REVIEW') AS review`,
    );
    expect(hours).toHaveLength(24);
    expect(hours.map(({ hour }) => new Date(hour).getTime() % 3_600_000)).toEqual(hours.map(() => 0));
    expect(sum(hours, (hour) => hour.received)).toBe(rows[0]?.received);
    expect(rows[0]?.review).toBeGreaterThan(0);
    expect(sum(hours, (hour) => hour.review)).toBe(rows[0]?.review);
    // Dead letters wait for a person, not for the service.
    expect([waiting, oldestQueuedAt]).toEqual([0, null]);
    expect(sum((await read(stranger)).hours, (hour) => hour.received)).toBe(0);
  });

  it('counts what comes in the last moment of an hour in that hour', async () => {
    interface Hour {
      readonly hour: string;
      readonly review: number;
    }
    const operator = await front.operator({ roles: ['ANALYST'] });
    const { organisationId } = operator;
    const as = front.api.asOperator(operator);
    const read = async (): Promise<Hour[]> =>
      dataOf<{ hours: Hour[] }>(await as.get('/operator/transactions/pipeline').expect(200)).hours;
    const shown = (await read()).map(({ hour }) => new Date(hour).getTime());
    await front.owner.query(
      `INSERT INTO kyt_standings (transaction_ref, organisation_id, evaluation_version, outcome, defensible)
       SELECT id, $2, 1, 'REVIEW', true FROM unnest($1::uuid[]) AS id`,
      [shown.map((hour) => firstUuidAt(new Date(hour + 3_600_000 - 1))), organisationId],
    );
    const counted = (await read()).filter(({ hour }) => shown.includes(new Date(hour).getTime()));
    expect(counted.map(({ review }) => review)).toEqual(counted.map(() => 1));
    await front.owner.query('DELETE FROM kyt_standings WHERE organisation_id = $1', [organisationId]);
  });
});

describe('operator/transactions', () => {
  it('the newest received first, page by page, each once', async () => {
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const answer = await analyst.get(`/operator/transactions?limit=4${cursor}`).expect(200);
      const { data, page } = answer.body as { data: Shown[]; page: { nextCursor: string | null } };
      seen.push(...data.map((t) => t.transactionId));
      if (page.nextCursor === null) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    expect(seen).toEqual(['t-2', 't-1', 't-0', ...[...DEAD].reverse()]);
  });

  it.each([
    ['status=DEAD_LETTERED', [...DEAD].reverse()],
    ['status=COMPLETED', ['t-2', 't-1', 't-0']],
    ['transactionId=t-1', ['t-1']],
    ['externalCustomerId=customer-7', ['t-2', 't-1', 't-0']],
    ['externalCustomerId=customer-8', []],
    ['outcome=REVIEW&minScore=60', ['t-1']],
    ['type=CARD_PURCHASE', []],
    ['receivedTo=2020-01-01T00:00:00Z', []],
    ['receivedFrom=2020-01-01T00:00:00Z&limit=1', ['t-2']],
  ])('%s', async (query, expected) => {
    expect(await list(query)).toEqual(expected);
  });

  it('names both parties: in full to those who may see customers, else by first letters', async () => {
    const parties = async (as: TestApi): Promise<unknown> =>
      dataOf(await as.get('/operator/transactions?transactionId=t-1').expect(200));
    expect(await parties(analyst)).toMatchObject([
      { originName: 'Maria Exemplo', destinationName: 'João Exemplo' },
    ]);
    expect(await parties(developer)).toMatchObject([{ originName: 'M*** E***' }]);
  });

  it('an unknown filter and a broken cursor are refused', async () => {
    expectError(await analyst.get('/operator/transactions?mood=good'), 400, 'VALIDATION_FAILED');
    expectError(await analyst.get('/operator/transactions?cursor=abc'), 400, 'CURSOR_INVALID');
  });

  it('shows the submission with every document masked, in free text too', async () => {
    const answer = await analyst.get(`/operator/transactions/${idNamed('t-1')}`).expect(200);
    expect(dataOf(answer)).toMatchObject({
      transactionId: 't-1',
      amount: '60000',
      status: 'COMPLETED',
      submissionState: 'OPEN',
      submission: {
        cpfCnpj: '***.982.247-**',
        origin: { cpfCnpj: '***.982.247-**' },
        destination: { cpfCnpj: '***.444.777-**' },
        metadata: { note: 'customer wrote CPF ***.982.247-**' },
      },
      evaluations: [{ version: 1, ruleset: expect.stringMatching(/@1$/), rulesetHash: expect.any(String) }],
    });
    expect(answer.text).not.toMatch(new RegExp(`${CPF.customer}|${CPF.payee}|529\\.982`));
  });

  it('the timeline says who did what, and that the trail is whole', async () => {
    const completed = dataOf(
      await analyst.get(`/operator/transactions/${idNamed('t-0')}/timeline`).expect(200),
    );
    expect(completed).toMatchObject({
      trail: 'COMPLETE',
      entries: [
        { seq: 1, action: 'transaction.received', actor: `client:${client.id}` },
        { seq: 2, action: 'transaction.evaluated', actor: 'system:kyt.pipeline' },
      ],
    });
  });

  it('the receipt gives its hash', async () => {
    const { receipt, receiptHash } = dataOf<{ receipt: object; receiptHash: string }>(
      await analyst.get(`/operator/transactions/${idNamed('t-0')}/receipt`).expect(200),
    );
    expect(createHash('sha256').update(canonicalJson(receipt)).digest('hex')).toBe(receiptHash);
    expectError(
      await analyst.get(`/operator/transactions/${idNamed('t-0')}/receipt?version=9`),
      404,
      'EVALUATION_NOT_FOUND',
    );
    expectError(
      await analyst.get(`/operator/transactions/${idNamed('dead-0')}/receipt`),
      404,
      'EVALUATION_NOT_FOUND',
    );
  });

  it('another organisation sees nothing of it: the same answer as for what never existed', async () => {
    expect(await list('', stranger)).toEqual([]);
    for (const part of ['', '/timeline', '/receipt']) {
      for (const id of [idNamed('t-0'), publicId('txn', '019364d0-c0de-7000-a000-000000000009'), 'txn_1']) {
        expectError(await stranger.get(`/operator/transactions/${id}${part}`), 404, 'TRANSACTION_NOT_FOUND');
      }
    }
  });

  it('an application cannot read here', async () => {
    expectError(await front.api.as(client).get('/operator/transactions'), 401, 'CREDENTIALS_MISSING');
  });
});

/** The body that makes them die was changed behind the service's back: the trail says that, and nothing else. */
const CHANGED_BODY = {
  kind: 'STATE_MISMATCH',
  seq: 1,
  detail: 'the stored state is not what the transaction.received entry says',
};

const gapsOf = async (transactionId: string): Promise<object[]> => {
  const path = `/operator/audit/trails/transaction/${idNamed(transactionId)}`;
  return dataOf<{ gaps: object[] }>(await officer.get(path).expect(200)).gaps;
};

describe('operator/dead-letters', () => {
  const dead = (path = '', as = developer): ReturnType<TestApi['get']> =>
    as.get(`/operator/dead-letters${path}`);

  it('lists them, the oldest first, with what went wrong', async () => {
    const shown = dataOf<Shown[]>(await dead('?code=SEALED_BODY_BROKEN').expect(200));
    expect(shown.map((letter) => letter.transactionId)).toEqual(DEAD);
    expect(shown[0]).toMatchObject({
      id: idNamed('dead-0'),
      failure: { code: 'SEALED_BODY_BROKEN', stage: 'OPEN' },
      generation: 1,
      discardedAt: null,
      ...{ amount: '120.5', currency: 'BRL', originName: null },
    });
    expect(dataOf<Shown[]>(await dead('?code=OTHER').expect(200))).toEqual([]);
    expect(dataOf(await dead(`/${idNamed('dead-0')}`).expect(200))).toMatchObject({
      transactionId: 'dead-0',
    });
    expectError(await dead(`/${idNamed('t-0')}`), 404, 'DEAD_LETTER_NOT_FOUND');
  });

  it('one is replayed with a new generation, and dies again of the same cause', async () => {
    await developer
      .post(`/operator/dead-letters/${idNamed('dead-0')}/replay`)
      .send({})
      .expect(200);
    await front.api.as(client).settled('dead-0');
    const { entries, trail } = dataOf<{ trail: string; entries: { action: string; actor: string }[] }>(
      await analyst.get(`/operator/transactions/${idNamed('dead-0')}/timeline`).expect(200),
    );
    expect(trail).toBe('STATE_MISMATCH');
    expect(await gapsOf('dead-0')).toEqual([CHANGED_BODY]);
    expect(entries.map((entry) => entry.action)).toEqual([
      'transaction.received',
      'transaction.dead_lettered',
      'transaction.replayed',
      'transaction.dead_lettered',
    ]);
    expect(entries[2]?.actor).toMatch(/^opr_/);
  });

  it('a filter replays what it finds, and no more than asked for', async () => {
    const answer = await developer
      .post('/operator/dead-letters/replay')
      .send({ type: 'PIX_TRANSFER', limit: 2 });
    expect(dataOf(answer)).toEqual({ replayed: 2 });
    for (const id of DEAD) await front.api.as(client).settled(id);
    expect(dataOf(await developer.post('/operator/dead-letters/replay').send({ code: 'NONE' }))).toEqual({
      replayed: 0,
    });
  });

  it('one is discarded with a reason: it stays, and cannot be replayed', async () => {
    const path = `/operator/dead-letters/${idNamed('dead-5')}`;
    expectError(await developer.post(`${path}/discard`).send({}), 400, 'VALIDATION_FAILED');
    await approve(
      officer,
      await developer.post(`${path}/discard`).send({ reason: 'test traffic' }).expect(202),
    );
    const refused = await developer.post(`${path}/replay`).send({});
    expect(detailsOf(expectError(refused, 409, 'STATE_CONFLICT'))).toEqual(['DISCARDED']);
    expect(dataOf<Shown[]>(await dead('?discarded=true').expect(200)).map((l) => l.transactionId)).toEqual([
      'dead-5',
    ]);
    expect(await gapsOf('dead-5')).toEqual([CHANGED_BODY]);
  });

  it('many are discarded by two people only', async () => {
    const asked = await developer
      .post('/operator/dead-letters/discards')
      .send({ code: 'SEALED_BODY_BROKEN', limit: 3, reason: 'test traffic' })
      .expect(202);
    const { id, approvalId } = dataOf<{ id: string; approvalId: string }>(asked);
    expect(dataOf(asked)).toMatchObject({ status: 'REQUESTED', count: 3, discarded: null });
    const path = `/operator/approvals/${approvalId}`;
    const body = { digest: askedIn(await developer.get(path).expect(200)).digest };
    expectError(await developer.post(`${path}/approve`).send(body), 403, 'FOUR_EYES_REQUIRED');
    expectError(await analyst.post(`${path}/approve`).send(body), 403, 'PERMISSION_DENIED');
    expectError(await stranger.post(`${path}/approve`).send(body), 404, 'APPROVAL_NOT_FOUND');
    // One of them is brought back meanwhile and dies again: of another death than the one asked about.
    await officer
      .post(`/operator/dead-letters/${idNamed('dead-1')}/replay`)
      .send({})
      .expect(200);
    await front.api.as(client).settled('dead-1');
    await approve(officer, asked);
    expect(
      dataOf<object[]>(await developer.get('/operator/dead-letters/discards').expect(200))[0],
    ).toMatchObject({
      id,
      status: 'APPROVED',
      count: 3,
      discarded: 2,
    });
    expectError(await officer.post(`${path}/approve`).send(body), 409, 'STATE_CONFLICT');
    expect(dataOf<Shown[]>(await dead().expect(200)).map((l) => l.transactionId)).toEqual([
      'dead-1',
      'dead-3',
      'dead-4',
    ]);
  });

  it('a request that is withdrawn discards nothing', async () => {
    const { approvalId } = dataOf<{ approvalId: string }>(
      await developer.post('/operator/dead-letters/discards').send({ reason: 'a mistake' }).expect(202),
    );
    const withdraw = `/operator/approvals/${approvalId}/withdraw`;
    await developer.post(withdraw).send({ reason: 'it was a mistake' }).expect(200);
    expect(dataOf<object[]>(await developer.get('/operator/dead-letters/discards').expect(200))).toEqual([
      expect.objectContaining({ status: 'WITHDRAWN', count: 3 }),
      expect.objectContaining({ status: 'APPROVED', count: 3 }),
      expect.objectContaining({ status: 'APPROVED', count: 1 }),
    ]);
    expect(dataOf<Shown[]>(await dead().expect(200))).toHaveLength(3);
  });

  it('of two people at once, the second hears what the first did', async () => {
    const path = `/operator/dead-letters/${idNamed('dead-3')}`;
    const asked = await developer.post(`${path}/discard`).send({ reason: 'test traffic' }).expect(202);
    const holder = await front.owner.connect();
    await holder.query('BEGIN');
    await holder.query(
      `SELECT FROM kyt_work JOIN kyt_transactions ON id = transaction_ref
       WHERE transaction_id = 'dead-3' FOR UPDATE OF kyt_work`,
    );
    const waiting = (count: number): Promise<true> =>
      eventually(`${count} wait for the row`, async () => {
        const { rows } = await front.owner.query<{ count: number }>(
          `SELECT count(*)::int AS count FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return rows[0]?.count === count;
      });
    const replay = developer.post(`${path}/replay`).send({}).then();
    await waiting(1);
    const approved = approve(officer, asked);
    await waiting(2);
    await holder.query('ROLLBACK');
    holder.release();
    expect((await replay).status).toBe(200);
    await approved;
    expect(
      dataOf<object[]>(await developer.get('/operator/dead-letters/discards').expect(200))[0],
    ).toMatchObject({
      status: 'APPROVED',
      discarded: 0,
    });
  });
});
