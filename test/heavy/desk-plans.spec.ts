import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ScopedClient } from '../../src/platform/database/connection/scoped-client.js';
import { COMMON_SESSION } from '../../src/platform/database/connection/session-settings.js';
import { roles } from '../../src/platform/http/index.js';
import { publicId } from '../../src/platform/kernel/index.js';
import { cloneHistory } from '../bench/cloned-history.mjs';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction, CPF } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { exampleOf, type ApiDocument, type Parameter } from '../support/openapi.js';
import { WebhookReceiver } from '../support/receiver.js';

const SEEDS = 240;
const ROWS = 24_000;
/** Every row that a plan looks at in one table, for a page of twenty. A scan of the history would be tens of thousands. */
const MAX_ROWS = 4_000;
/** They grow with every transaction. */
const LARGE = new Set([
  ...['kyt_transactions', 'kyt_evaluations', 'events', 'webhook_deliveries', 'webhook_attempts'],
  ...['audit_entries', 'audit_leaves'],
]);

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly Plan[];
}

let t: TestApp;
let client: TestClient;
let receiver: WebhookReceiver;
let operator: TestApi;
const asked: { readonly text: string; readonly values: readonly unknown[] }[] = [];

beforeAll(async () => {
  // Whatever the service asks, by a statement or by TypeORM, goes through its connections.
  const { query } = ScopedClient.prototype as unknown as { query: (...given: readonly unknown[]) => unknown };
  jest.spyOn(ScopedClient.prototype, 'query').mockImplementation(function (
    this: ScopedClient,
    ...given: readonly unknown[]
  ) {
    const [config, values] = given as [string | { text: string; values?: unknown[] }, unknown[] | undefined];
    const { text, values: own = values ?? [] } =
      typeof config === 'string' ? { text: config, values: values ?? [] } : config;
    asked.push({ text, values: own });
    return query.apply(this, [...given]);
  });
  receiver = await WebhookReceiver.listen();
  t = await startTestApp({ settings: { role: 'api', webhookAllowCidrs: ['127.0.0.0/8'] } });
  // Gone before anything is explained: what runs by itself is no list.
  const worker = await startTestApp({ like: t, settings: { role: 'worker' } });
  client = await t.client({ scopes: ['kyt:ingest', 'transactions:write', 'kyt:read', 'webhooks:manage'] });
  const api = t.api.as(client);
  await api.post('/webhook-endpoints').send({ url: receiver.url }).expect(201);
  await api.ingestBatch(
    Array.from({ length: SEEDS }, (_, i) =>
      aTransaction({
        transactionId: `seed-${i}`,
        externalCustomerId: `customer-${i % 40}`,
        cpfCnpj: null,
        type: i % 60 === 0 ? 'CRYPTO_TRANSFER' : 'PIX_TRANSFER',
        amount: i % 20 === 0 ? 90_000 + i : 50 + i,
        origin: { cpfCnpj: i % 30 === 0 ? CPF.customer : null },
      }),
    ),
  );
  const left = async (): Promise<number> =>
    Number(
      (
        await t.owner.query<{ left: string }>(
          `SELECT (SELECT count(*) FROM kyt_work) + (SELECT count(*) FROM webhook_deliveries WHERE finished_at IS NULL)
             + (SELECT count(*) FROM audit_pending) AS left`,
        )
      ).rows[0]?.left,
    );
  await eventually('everything is stored, sent and sealed', async () => (await left()) === 0, 120_000);
  await worker.close();
  const owner = await t.owner.connect();
  try {
    expect(await cloneHistory(owner, { rows: ROWS })).toBeGreaterThanOrEqual(ROWS);
  } finally {
    owner.release();
  }
  operator = t.api.asOperator(await t.operator({ roles: [...roles], organisationId: client.organisationId }));
}, 300_000);

afterAll(async () => {
  jest.restoreAllMocks();
  await t.close();
  await receiver.close();
});

/** Explains what a statement reads of each large table, as the service would run it. */
async function readBy({ text, values }: (typeof asked)[number]): Promise<Map<string, Plan[]>> {
  const owner = await t.owner.connect();
  const read = new Map<string, Plan[]>();
  try {
    await owner.query('BEGIN');
    await owner.query(
      `SELECT set_config('vigia.system', '', true), set_config('vigia.organisations', $1, true),
         set_config('random_page_cost', $2, true)`,
      [`{${client.organisationId}}`, COMMON_SESSION['random_page_cost']],
    );
    await owner.query('SET LOCAL ROLE vigia_app');
    const { rows } = await owner.query<{ 'QUERY PLAN': readonly [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      [...values],
    );
    const visit = (plan: Plan): void => {
      const table = plan['Relation Name'];
      if (table !== undefined && LARGE.has(table)) read.set(table, [...(read.get(table) ?? []), plan]);
      plan.Plans?.forEach(visit);
    };
    visit(rows[0]!['QUERY PLAN'][0].Plan);
  } finally {
    await owner.query('ROLLBACK');
    owner.release();
  }
  return read;
}

const rowsOf = (plans: readonly Plan[]): number =>
  plans.reduce(
    (sum, plan) =>
      sum +
      plan['Actual Loops'] *
        (plan['Actual Rows'] +
          (plan['Rows Removed by Filter'] ?? 0) +
          (plan['Rows Removed by Index Recheck'] ?? 0)),
    0,
  );

/** Values that a filter is asked with: each of a set, both of a flag, what is rare and what is frequent. */
function valuesOf(
  document: ApiDocument,
  path: string,
  { name, schema = {}, example }: Parameter,
): readonly string[] {
  const particular: Readonly<Record<string, readonly string[]>> = {
    transactionId: ['seed-7', 'seed-7-50', 'nobody'],
    externalCustomerId: ['customer-3'],
    minScore: ['0', '1', '60', '100'],
    clientApp: [publicId('app', client.id)],
    clientAppId: [publicId('app', client.id)],
    customerId: [publicId('cus', client.id)],
    action: ['transaction.evaluated', 'transaction.decided', 'operator.logged_in', 'list.created'],
    subjectType: ['transaction', 'operator', 'state'],
  };
  if (path === '/operator/transactions' && name === 'type') {
    return ['CRYPTO_TRANSFER', 'PIX_TRANSFER', 'NEVER_SEEN'];
  }
  if (particular[name]) return particular[name];
  const { enum: set, type } = schema as { readonly enum?: readonly string[]; readonly type?: string };
  if (set) return set;
  return type === 'boolean' ? ['true', 'false'] : [String(example ?? exampleOf(document, schema))];
}

/** Each list of operators, without a filter and with each one that its document names. */
async function everyList(): Promise<readonly string[]> {
  const document = (await t.api.get('/operator/openapi.json').expect(200)).body as ApiDocument;
  return Object.entries(document.paths).flatMap(([path, { get }]) => {
    const parameters = get?.parameters ?? [];
    if (path.includes('{') || !parameters.some(({ name }) => name === 'limit')) return [];
    const filters = parameters.filter(
      (one) => one.in === 'query' && !['limit', 'cursor', 'page', 'offset'].includes(one.name),
    );
    const asking = (one: Parameter, value: string): string => `${one.name}=${encodeURIComponent(value)}`;
    const needed = filters
      .filter(({ required }) => required)
      .map((one) => asking(one, valuesOf(document, path, one)[0] ?? ''));
    return [
      [path, needed.join('&')].join('?'),
      ...filters
        .filter(({ required }) => !required)
        .flatMap((one) =>
          valuesOf(document, path, one).map(
            (value) => `${path}?${[...needed, asking(one, value)].join('&')}`,
          ),
        ),
    ];
  });
}

describe('the lists of operators', () => {
  it('read a page of a large history, whatever they are asked for, and scan none of its tables', async () => {
    const lists = await everyList();
    expect(lists.filter((path) => path.startsWith('/operator/transactions?')).length).toBeGreaterThan(15);
    const found: string[] = [];
    const refused: string[] = [];
    let explained = 0;
    for (const path of lists) {
      asked.length = 0;
      const answer = await operator.get(path);
      if (answer.status !== 200) refused.push(`${path}: ${answer.status}`);
      const statements = asked.filter(
        ({ text }) => /^\s*(SELECT|WITH)\b/.test(text) && !/\b(INSERT|UPDATE|DELETE|pg_advisory)/.test(text),
      );
      for (const statement of statements) {
        for (const [table, plans] of await readBy(statement)) {
          explained += 1;
          const scans = plans.filter((plan) => plan['Node Type'] === 'Seq Scan');
          const rows = rowsOf(plans);
          if (scans.length > 0 || rows > MAX_ROWS) {
            const kinds = plans.map((plan) => plan['Node Type']).join(', ');
            found.push(`${path}: ${rows} rows of ${table} by ${kinds}`);
          }
        }
      }
    }
    expect({ refused, found }).toEqual({ refused: [], found: [] });
    expect(explained).toBeGreaterThan(60);
  }, 300_000);
});
