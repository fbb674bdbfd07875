import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AuditTrail } from '../../src/features/audit/index.js';
import { publicId } from '../../src/platform/kernel/index.js';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import type { TestOperator } from '../support/api.js';
import { ApiProcess } from '../support/api-process.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';

const CUSTOMERS = 4;
const BATCH = 16;
const KILLS = Number(process.env['VIGIA_MERGE_KILLS'] ?? 8);
/** How many people merge, split and undo at once. */
const HANDS = 3;
const WHY = 'Both tell of the same purchase, or of two after all.';

/** Takes what is sent; nobody kills it. */
let t: TestApp;
/** Evaluates, and opens or extends cases. */
let worker: ApiProcess;
/** Takes the steps of people. */
let desk: ApiProcess;
let analyst: TestOperator;
let organisationId: string;
let send: (count: number) => Promise<void>;

const startWorker = (): Promise<ApiProcess> =>
  ApiProcess.start(t, { ROLE: 'worker', RECONCILE_INTERVAL_MS: '500', LOG_LEVEL: 'error' });
const startDesk = (): Promise<ApiProcess> => ApiProcess.start(t, { LOG_LEVEL: 'error' });

beforeAll(async () => {
  t = await startTestApp({ settings: { role: 'api' } });
  const client = await t.client({ rules: false });
  organisationId = client.organisationId;
  await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
  analyst = await t.operator({ roles: ['ANALYST'], organisationId });
  send = async (count) => {
    // Without a document: what is missing is an alert.
    const items = Array.from({ length: count }, () =>
      aTransaction({ externalCustomerId: `merged-${randomInt(CUSTOMERS)}`, cpfCnpj: null, origin: {} }),
    );
    await t.api.as(client).ingestBatch(items).expect(207);
  };
  [worker, desk] = await Promise.all([startWorker(), startDesk()]);
}, 240_000);

afterAll(async () => {
  await Promise.all([worker.stop(), desk.stop()]);
  await t.close();
});

const one = <T>(all: readonly T[]): T | undefined => all[randomInt(Math.max(1, all.length))];

/** A random step about random cases of one customer; returns its name if it was made. */
async function step(): Promise<string | null> {
  const { rows } = await t.owner.query<{ id: string; customer: string; status: string; refs: string[] }>(
    `SELECT r.id, r.customer_id AS customer, r.status, ARRAY(
       SELECT x.transaction_ref FROM review_transactions x WHERE x.review_id = r.id LIMIT 5) AS refs
     FROM reviews r WHERE r.organisation_id = $1 ORDER BY r.id DESC LIMIT 60`,
    [organisationId],
  );
  const name = one(['merge', 'split', 'unmerge'] as const)!;
  const about = one(rows.filter(({ status }) => (status === 'MERGED') === (name === 'unmerge')));
  if (!about) return null;
  const other = one(rows.filter(({ id, customer }) => customer === about.customer && id !== about.id));
  if (name === 'merge' && !other) return null;
  const body = {
    merge: { review: publicId('rev', other?.id ?? about.id) },
    split: { transactions: about.refs.slice(0, randomInt(1, 3)).map((ref) => publicId('txn', ref)) },
    unmerge: {},
  }[name];
  const answer = await fetch(`${desk.url}/operator/reviews/${publicId('rev', about.id)}/${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${analyst.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, reason: WHY }),
  }).catch(() => null);
  // The process is gone: whether the step was made, its commit says.
  if (!answer) return null;
  expect([200, 201, 400, 404, 409, 503]).toContain(answer.status);
  return answer.ok ? name : null;
}

it(`each alert is in exactly one case, whatever is merged, split and joined while processes are killed ${KILLS} times`, async () => {
  const done = { merge: 0, split: 0, unmerge: 0 } as Record<string, number>;
  let sent = 0;
  const state = { over: false };
  const sending = (async () => {
    while (!state.over) {
      await send(BATCH);
      sent += BATCH;
      await sleep(150);
    }
  })();
  const hands = Array.from({ length: HANDS }, async () => {
    while (!state.over) {
      const made = await step();
      if (made !== null) done[made] = (done[made] ?? 0) + 1;
      await sleep(20);
    }
  });
  try {
    for (let i = 0; i < KILLS; i += 1) {
      await sleep(randomInt(300, 1_500));
      if (i % 2 === 0) {
        await desk.kill();
        desk = await startDesk();
      } else {
        await worker.kill();
        worker = await startWorker();
      }
    }
  } finally {
    state.over = true;
    await Promise.all([sending, ...hands]);
  }
  await eventually(
    'everything is evaluated',
    async () => {
      const { rows } = await t.owner.query<{ n: number }>(
        'SELECT count(*)::int AS n FROM kyt_evaluations WHERE organisation_id = $1',
        [organisationId],
      );
      return rows[0]!.n >= sent;
    },
    120_000,
  );

  const { rows: alerts } = await t.owner.query<{ ref: string; cases: number; merged: number }>(
    `SELECT e.transaction_ref AS ref, count(DISTINCT x.review_id)::int AS cases,
       count(*) FILTER (WHERE r.status = 'MERGED')::int AS merged
     FROM kyt_evaluations e
     LEFT JOIN review_transactions x ON x.transaction_ref = e.transaction_ref
     LEFT JOIN reviews r ON r.id = x.review_id
     WHERE e.organisation_id = $1 AND e.outcome = 'REVIEW' GROUP BY 1`,
    [organisationId],
  );
  expect(alerts).toHaveLength(sent);
  expect(alerts.filter(({ cases, merged }) => cases !== 1 || merged > 0)).toEqual([]);
  // A case counts the evaluations that are linked, and the points of the first one of each transaction. A case that has
  // given all of its alerts away keeps the points that it was opened for.
  const { rows: wrong } = await t.owner.query<object>(
    `SELECT r.status, r.linked, r.points, x.links, x.sum FROM reviews r CROSS JOIN LATERAL (
       SELECT count(*)::int AS links, coalesce(sum(f.points) FILTER (WHERE f.first), 0)::int AS sum
       FROM (SELECT l.points, row_number() OVER (PARTITION BY l.transaction_ref ORDER BY l.evaluation_version) = 1 AS first
             FROM review_transactions l WHERE l.review_id = r.id) f) x
     WHERE r.organisation_id = $1 AND r.status <> 'MERGED'
       AND (r.linked <> x.links OR (x.links > 0 AND r.points <> x.sum))`,
    [organisationId],
  );
  expect(wrong).toEqual([]);
  const { rows: all } = await t.owner.query<{ id: string }>(
    'SELECT id FROM reviews WHERE organisation_id = $1',
    [organisationId],
  );
  const trails = await t.app.get(AuditTrail).trailStatuses(
    organisationId,
    'review',
    all.map(({ id }) => id),
  );
  expect([...trails.values()].filter(({ status }) => status !== 'COMPLETE')).toEqual([]);
  expect(Math.min(...Object.values(done))).toBeGreaterThan(0);
}, 400_000);
