import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditTrail } from '../../src/features/audit/index.js';
import { uuidOf } from '../../src/platform/kernel/index.js';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import type { TestApi } from '../support/api.js';
import { ApiProcess } from '../support/api-process.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { approve } from '../support/approvals.js';
import { aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';

// Cases that are closed while the worker that carries decisions out is killed again and again.
const CASES = Number(process.env['VIGIA_DECISIONS'] ?? 300);
// Each of a customer with several alerts: every transaction of it gets its own event.
const EACH = 3;
const KILLS = 6;
const LINES = 8;
const DECISION = {
  resolution: 'APPROVED',
  report: 'ARCHIVE',
  justification: 'Known to the branch for years; papers seen.',
} as const;

let t: TestApp;
let worker: ApiProcess;
let maker: TestApi;
let checker: TestApi;
let organisationId: string;
let reviews: readonly string[];

const startWorker = (): Promise<ApiProcess> =>
  ApiProcess.start(t, { ROLE: 'worker', RECONCILE_INTERVAL_MS: '500', LOG_LEVEL: 'error' });

beforeAll(async () => {
  t = await startTestApp({ settings: { role: 'api' } });
  const client = await t.client({ rules: false });
  organisationId = client.organisationId;
  await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
  const officer = { roles: ['COMPLIANCE_OFFICER'], organisationId } as const;
  maker = t.api.asOperator(await t.operator(officer));
  checker = t.api.asOperator(await t.operator(officer));
  worker = await startWorker();
  // Without a document: what is missing is one case of the customer.
  const items = Array.from({ length: CASES * EACH }, (_, i) =>
    aTransaction({ externalCustomerId: `customer-${i % CASES}`, cpfCnpj: null, origin: {} }),
  );
  for (let from = 0; from < items.length; from += 300) {
    await t.api.as(client).ingestBatch(items.slice(from, from + 300));
  }
  reviews = await eventually(
    'every customer has a case with all of their transactions',
    async () => {
      const { rows } = await t.owner.query<{ id: string }>('SELECT id FROM reviews WHERE linked = $1', [
        EACH,
      ]);
      return rows.length === CASES && rows.map(({ id }) => `rev_${id.replaceAll('-', '')}`);
    },
    120_000,
  );
}, 240_000);

afterAll(async () => {
  await worker.stop();
  await t.close();
});

async function close(id: string): Promise<void> {
  await approve(checker, await maker.post(`/operator/reviews/${id}/decision`).send(DECISION).expect(202));
}

describe(`${CASES} decisions while the worker is killed ${KILLS} times`, () => {
  it('each arrives, and has one effect on every transaction of its case', async () => {
    const waiting = [...reviews];
    const lines = Array.from({ length: LINES }, async () => {
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) await close(id);
    });
    const killing = (async () => {
      for (let i = 0; i < KILLS && waiting.length > 0; i += 1) {
        await sleep(randomInt(200, 1_500));
        await worker.kill();
        worker = await startWorker();
      }
    })();
    await Promise.all(lines);
    await killing;
    await eventually(
      'every decision has arrived',
      async () => {
        const { rows } = await t.owner.query<{ n: number }>('SELECT count(*)::int AS n FROM review_effects');
        return rows[0]!.n === 0;
      },
      120_000,
    );
    const { rows } = await t.owner.query<Record<string, number>>(
      `SELECT (SELECT count(*)::int FROM reviews WHERE status = 'CLOSED') AS closed,
              (SELECT count(*)::int FROM kyt_decisions) AS decisions,
              (SELECT count(DISTINCT transaction_ref)::int FROM kyt_decisions) AS transactions,
              (SELECT count(*)::int FROM events WHERE sequence = 3
               AND type = 'kyt.transaction.pipeline.completed') AS told,
              (SELECT count(*)::int FROM events WHERE sequence > 3) AS "toldTwice",
              (SELECT count(*)::int FROM audit_entries WHERE action = 'transaction.decided') AS entries`,
    );
    expect(rows[0]).toEqual({
      ...{ closed: CASES, decisions: CASES * EACH, transactions: CASES * EACH },
      ...{ told: CASES * EACH, toldTwice: 0, entries: CASES * EACH },
    });
    const { rows: refs } = await t.owner.query<{ id: string }>(
      'SELECT transaction_ref AS id FROM kyt_decisions',
    );
    const verdicts = await t.app.get(AuditTrail).trailStatuses(
      organisationId,
      'transaction',
      refs.map(({ id }) => id),
    );
    const cases = await t.app.get(AuditTrail).trailStatuses(
      organisationId,
      'review',
      reviews.map((id) => uuidOf('rev', id) ?? ''),
    );
    const judged = [...verdicts.values(), ...cases.values()];
    expect(judged).toHaveLength(CASES * (EACH + 1));
    expect(judged.filter(({ status }) => status !== 'COMPLETE')).toEqual([]);
  }, 400_000);
});
