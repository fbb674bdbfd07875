import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { PoolClient } from 'pg';
import { encryptionContextOf, Vault } from '../../src/platform/privacy/index.js';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import { SHIFT } from '../bench/cloned-history.mjs';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction, DICT } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { figure } from '../support/figure.js';

/**
 * A page of fifty cases and a whole case, each one call, over a history and over a tenth of it. The issue says ten
 * million transactions, of which one in a hundred is a case; they take some 40 GB.
 */
const ROWS = Number(process.env['VIGIA_ROWS'] ?? 2_000_000);
const STAGES = [Math.round(ROWS / 10), ROWS] as const;
const SEEDS = 600;
const CUSTOMERS = 60;
const CASES = SEEDS / 100;
const CHUNK = 50;
const DAYS = 360;
/** A small form is to see that it works. */
const ROUNDS = ROWS < 200_000 ? 3 : 6;
const PAGES = 50;
const MAX_GROWTH = 1.3;

let t: TestApp;
let client: TestClient;
let analyst: TestApi;
let owner: PoolClient;

beforeAll(async () => {
  t = await startTestApp();
  client = await t.client({ rules: false });
  const { organisationId } = client;
  await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
  analyst = t.api.asOperator(await t.operator({ roles: ['ANALYST'], organisationId }));
  const api = t.api.as(client);
  for (let from = 0; from < SEEDS; from += 200) {
    await api.ingestBatch(
      Array.from({ length: 200 }, (_, i) => {
        const customer = (from + i) % CUSTOMERS;
        return aTransaction({
          transactionId: `seed-${from + i}`,
          externalCustomerId: `customer-${customer}`,
          amount: 50 + i,
          metadata: { deviceId: `device-${customer}`, deviceRegistered: true, dict: DICT },
          // Nobody knows who they are: an alert each, in one case of the customer.
          ...(customer < CASES && { cpfCnpj: null, origin: { name: 'Pessoa Exemplo', country: 'BR' } }),
        });
      }),
    );
  }
  await eventually(
    'everything is evaluated and sealed',
    async () => {
      const { rows } = await t.owner.query<{ left: number }>(
        `SELECT ((SELECT count(*) FROM kyt_work) + (SELECT count(*) FROM audit_pending)
          + (SELECT count(*) FROM outbox))::int AS left`,
      );
      return rows[0]!.left === 0;
    },
    240_000,
  );
  owner = await t.owner.connect();
  await begin();
}, 600_000);

afterAll(async () => {
  owner.release();
  await t.close();
});

/** Keeps what the service has stored as the rows that are copied: all customers and transactions, and a case of each hundred. */
async function begin(): Promise<void> {
  await owner.query(`SET vigia.system = 'heavy'; ${SHIFT};
    CREATE FUNCTION pg_temp.other(key bytea, copy bigint) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
      SELECT substr(sha256(key || convert_to(copy::text, 'UTF8')), 1, 16) $$;
    CREATE TEMP TABLE seed_kyt_transactions AS SELECT * FROM kyt_transactions;
    CREATE TEMP TABLE seed_kyt_evaluations AS SELECT * FROM kyt_evaluations;
    CREATE TEMP TABLE seed_customers AS SELECT * FROM customers;
    CREATE TEMP TABLE seed_reviews AS SELECT * FROM reviews WHERE customer_id IS NOT NULL AND collects
      ORDER BY points DESC, linked DESC, id LIMIT ${CASES};
    CREATE TEMP TABLE seed_review_transactions AS SELECT l.* FROM review_transactions l JOIN seed_reviews r ON r.id = l.review_id;
    CREATE TEMP TABLE seed_audit_entries AS SELECT a.* FROM audit_entries a JOIN seed_reviews r ON a.subject_id = r.id::text
      WHERE a.subject_type = 'review';
    CREATE TEMP TABLE sealed_profiles (id uuid PRIMARY KEY, sealed bytea)`);
  for (const table of ['customers', 'reviews', 'review_transactions']) {
    await owner.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  }
  await owner.query('ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_await_seal');
  const { rows } = await owner.query<{ cases: number; customers: number; links: number }>(
    `SELECT (SELECT count(*)::int FROM seed_reviews) AS cases, (SELECT count(*)::int FROM seed_customers) AS customers,
       (SELECT count(*)::int FROM seed_review_transactions) AS links`,
  );
  figure(`seeds: ${JSON.stringify(rows[0])}`);
  expect(rows[0]).toMatchObject({ cases: CASES, customers: CUSTOMERS });
}

const shifted = (id: string): string => `pg_temp.shifted(s.${id}, b.back, b.copy)`;
const earlier = (...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, `s.${name} - b.span`]));
const others = (...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, `pg_temp.other(s.${name}, b.copy)`]));

/** The expressions in which a copy differs, in the order of the foreign keys. */
const DIFFERENCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  customers: {
    id: shifted('id'),
    ...others('external_index', 'document_index', 'masked_index'),
    ...earlier('identified_at', 'updated_at', 'last_activity_at'),
    subject_index: '$4::bytea',
    sealed: `(SELECT sealed FROM sealed_profiles p WHERE p.id = ${shifted('id')})`,
  },
  kyt_transactions: {
    id: shifted('id'),
    transaction_id: `s.transaction_id || '-' || b.copy`,
    ...earlier('occurred_at', 'received_at'),
    ...others(
      ...['document', 'customer', 'external', 'account', 'device', 'ip', 'counterparty'].map(
        (name) => `${name}_key`,
      ),
    ),
  },
  kyt_evaluations: { transaction_ref: shifted('transaction_ref'), ...earlier('evaluated_at') },
  reviews: {
    ...{ id: shifted('id'), customer_id: shifted('customer_id') },
    ...earlier('opened_at', 'updated_at', 'selection_deadline', 'analysis_deadline', 'due_at'),
  },
  review_transactions: {
    ...{ review_id: shifted('review_id'), transaction_ref: shifted('transaction_ref') },
    ...earlier('linked_at'),
  },
  audit_entries: {
    subject_id: 'pg_temp.shifted(s.subject_id::uuid, b.back, b.copy)::text',
    canonical: `convert_to(replace(convert_from(s.canonical, 'UTF8'), s.subject_id, pg_temp.shifted(s.subject_id::uuid, b.back, b.copy)::text), 'UTF8')`,
    ...earlier('recorded_at'),
  },
};

const STEP_MS = Math.floor((DAYS * 86_400_000) / (ROWS / SEEDS));
const COPIES = `(SELECT copy, copy * $3::bigint AS back, make_interval(secs => copy * $3::bigint / 1000.0) AS span
  FROM generate_series($1::bigint, $2::bigint) AS copy WHERE $4::bytea IS NOT NULL) b`;

/** Seals the profiles of copied customers anew, as they are read by a page of cases. */
async function seal(from: number, to: number): Promise<Buffer> {
  const { organisationId } = client;
  const vault = t.app.get(Vault);
  const subject = vault.organisationSubject(organisationId);
  await vault.prepare([subject]);
  const { rows } = await owner.query<{ id: string }>(
    `SELECT ${shifted('id')} AS id FROM ${COPIES} CROSS JOIN seed_customers s`,
    [from, to, STEP_MS, subject.index],
  );
  const profile = {
    ...{ document: null, documentMasked: null, externalCustomerId: null },
    ...{ birthDate: null, nationalities: [] },
  };
  const sealed = rows.map(({ id }, i) =>
    vault.seal(
      JSON.stringify({ ...profile, name: `Pessoa Exemplo ${from}-${i}` }),
      subject,
      encryptionContextOf('customers', id, organisationId),
    ),
  );
  await owner.query('TRUNCATE sealed_profiles');
  await owner.query('INSERT INTO sealed_profiles SELECT * FROM unnest($1::uuid[], $2::bytea[])', [
    rows.map(({ id }) => id),
    sealed,
  ]);
  return subject.index;
}

async function copies(first: number, last: number): Promise<void> {
  for (let from = first; from <= last; from += CHUNK) {
    const to = Math.min(last, from + CHUNK - 1);
    const index = await seal(from, to);
    for (const [table, differences] of Object.entries(DIFFERENCES)) {
      const { rows } = await owner.query<{ name: string }>(
        `SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1 AND table_schema = 'public'
           AND is_generated = 'NEVER' AND is_identity = 'NO' ORDER BY ordinal_position`,
        [table],
      );
      const names = rows.map(({ name }) => name);
      await owner.query(
        `INSERT INTO ${table} (${names.join(', ')}) SELECT ${names.map((name) => differences[name] ?? `s.${name}`).join(', ')}
         FROM ${COPIES} CROSS JOIN seed_${table} s ORDER BY b.copy DESC`,
        [from, to, STEP_MS, index],
      );
    }
  }
  await owner.query('VACUUM (ANALYZE)');
}

interface Row {
  readonly id: string;
  readonly customerName: string | null;
  readonly reason: { readonly en: string };
  readonly amount: string | null;
}

interface Page {
  readonly data: readonly Row[];
  readonly page: { readonly nextCursor: string | null };
}

/** The times of pages in several orders and of whole cases, each in ms and in order. */
async function measured(): Promise<{ readonly page: number[]; readonly file: number[] }> {
  const page: number[] = [];
  const file: number[] = [];
  const timed = async (times: number[], path: string): Promise<unknown> => {
    const begun = performance.now();
    const { status, body } = await analyst.get(path);
    if (status !== 200) {
      throw new Error(`${path} after ${performance.now() - begun} ms: ${JSON.stringify(body)}`);
    }
    times.push(performance.now() - begun);
    return body;
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const ids: string[] = [];
    for (const sort of ['URGENCY', 'CLOCK', 'NEWEST', 'AMOUNT', 'POINTS']) {
      let cursor = '';
      for (let i = 0; i < PAGES / 5; i += 1) {
        const path = `/operator/reviews?limit=50&include=alerts&sort=${sort}${cursor}`;
        const { data, page: next } = (await timed(page, path)) as Page;
        expect(data.length).toBeGreaterThan(0);
        for (const { customerName, reason, amount } of data.filter((_, at) => at % 10 === 0)) {
          expect([customerName, reason.en, amount]).not.toContain(null);
        }
        ids.push(data[Math.floor(data.length / 2)]!.id);
        if (next.nextCursor === null) {
          // A page with fewer cases is no measure of one with fifty.
          if (data.length < 50) page.pop();
          break;
        }
        cursor = `&cursor=${next.nextCursor}`;
      }
    }
    for (const id of ids) await timed(file, `/operator/reviews/${id}/file`);
    // The first round fills the caches.
    if (round === 0) [page.length, file.length] = [0, 0];
  }
  return { page: page.sort((a, b) => a - b), file: file.sort((a, b) => a - b) };
}

const at = (times: readonly number[], share: number): number => times[Math.floor(times.length * share)] ?? 0;

it(
  `a page of fifty cases and a whole case are one call each, and do not grow with ${ROWS} transactions`,
  async () => {
    const found: { readonly page: number[]; readonly file: number[] }[] = [];
    let copied = 0;
    for (const rows of STAGES) {
      const begun = performance.now();
      const last = Math.ceil(rows / SEEDS) - 1;
      await copies(copied + 1, last);
      copied = last;
      const { rows: counts } = await t.owner.query<{ transactions: number; cases: number; gb: string }>(
        `SELECT (SELECT count(*)::int FROM kyt_transactions) AS transactions, (SELECT count(*)::int FROM reviews) AS cases,
           round(pg_database_size(current_database()) / 1e9, 2) AS gb`,
      );
      const seconds = (performance.now() - begun) / 1_000;
      figure(`${JSON.stringify(counts[0])}, written in ${seconds.toFixed(0)} s`);
      expect(counts[0]!.transactions).toBeGreaterThanOrEqual(rows);
      const times = await measured();
      found.push(times);
      for (const [name, of] of Object.entries<number[]>(times)) {
        figure(
          `${name}: ${of.length} calls, p50 ${at(of, 0.5).toFixed(1)} ms, p99 ${at(of, 0.99).toFixed(1)} ms`,
        );
      }
    }
    const [few, many] = found as [(typeof found)[number], (typeof found)[number]];
    for (const name of ['page', 'file'] as const) {
      const [p50, p99] = [0.5, 0.99].map((share) => at(many[name], share) / at(few[name], share));
      figure(`${name}: ratio at p50 ${p50!.toFixed(2)}, at p99 ${p99!.toFixed(2)}`);
      expect(p50).toBeLessThanOrEqual(MAX_GROWTH);
    }
  },
  6 * 3_600_000,
);
