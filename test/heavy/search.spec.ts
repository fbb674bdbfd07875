import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { encryptionContextOf, Vault } from '../../src/platform/privacy/index.js';
import { newUuid } from '../../src/platform/kernel/index.js';
import { NameIndexService } from '../../src/features/search/names/name-index.service.js';
import type { TestApi } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { figure } from '../support/figure.js';

/** The issue says a million; a smaller table is for a machine that others use as well. */
const CUSTOMERS = Number(process.env['SEARCH_CUSTOMERS'] ?? 1_000_000);
const BATCH = 5_000;

let t: TestApp;
let analyst: TestApi;
let organisationId: string;

beforeAll(async () => {
  t = await startTestApp();
  ({ organisationId } = await t.client({ rules: false }));
  analyst = t.api.asOperator(await t.operator({ roles: ['ANALYST'], organisationId }));
});

afterAll(async () => {
  await t.close();
});

// Few are very frequent, as among people: the n-th name is borne by one in about n.
const FIRST = ['joao', 'maria', 'jose', 'ana', 'antonio', 'francisca', 'carlos', 'paulo', 'pedro', 'lucas'];
const LAST = [
  'silva',
  'santos',
  'oliveira',
  'souza',
  'rodrigues',
  'ferreira',
  'alves',
  'pereira',
  'lima',
  'gomes',
];
const SYLLABLES = [
  'ba',
  'ce',
  'di',
  'fo',
  'gu',
  'la',
  'me',
  'ni',
  'po',
  'ru',
  'sa',
  'te',
  'vi',
  'zo',
  'mar',
  'len',
];

function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
const next = numbers(26);

function word(usual: readonly string[]): string {
  const rank = Math.floor(next() ** -1.1);
  if (rank <= usual.length) return usual[rank - 1]!;
  const kind = Math.min(rank, 40_000);
  return [kind % 16, (kind >> 4) % 16, (kind >> 8) % 16, (kind >> 12) % 16].map((i) => SYLLABLES[i]).join('');
}

/** The tables in which a name stands as text or as bytes, however it is written. */
async function placesWith(name: string): Promise<string[]> {
  const { rows: tables } = await t.owner.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'`,
  );
  const forms = [name, name.toLowerCase(), name.toUpperCase()].flatMap((form) => [
    form,
    Buffer.from(form).toString('hex'),
    Buffer.from(form, 'utf16le').toString('hex'),
  ]);
  const found: string[] = [];
  for (const table of tables) {
    const { rowCount } = await t.owner.query(
      `SELECT FROM ${table.name} AS r WHERE r::text LIKE ANY ($1) LIMIT 1`,
      [forms.map((form) => `%${form}%`)],
    );
    if (rowCount !== 0) found.push(table.name);
  }
  return found;
}

it(`finds a customer among ${CUSTOMERS} by a mistyped name in at most 300 ms at p99`, async () => {
  const vault = t.app.get(Vault);
  const subject = vault.organisationSubject(organisationId);
  await vault.prepare([subject]);
  for (let at = 0; at < CUSTOMERS; at += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, CUSTOMERS - at) }, (_, i) => {
      const id = newUuid();
      const name = at + i === 0 ? 'João da Silva Anhanguera' : `${word(FIRST)} ${word(LAST)} ${word(LAST)}`;
      const profile = {
        ...{ name, document: null, documentMasked: null, externalCustomerId: `c-${at + i}` },
        ...{ birthDate: null, nationalities: [] },
      };
      return {
        id,
        sealed: vault.seal(
          JSON.stringify(profile),
          subject,
          encryptionContextOf('customers', id, organisationId),
        ),
      };
    });
    await t.owner.query(
      `INSERT INTO customers (id, organisation_id, assurance, identified_by, subject_index, sealed, trail_hash, named)
       SELECT id, $1, 'DECLARED', 'OPERATOR', $2, sealed, '\\x00', true FROM unnest($3::uuid[], $4::bytea[]) AS c (id, sealed)`,
      [organisationId, subject.index, rows.map(({ id }) => id), rows.map(({ sealed }) => sealed)],
    );
  }
  const began = performance.now();
  for (;;) {
    await t.app.get(NameIndexService).catchUp();
    const { rows } = await t.owner.query('SELECT 1 FROM name_changes LIMIT 1');
    if (rows.length === 0) break;
  }
  figure(`indexed in ${Math.round((performance.now() - began) / 1_000)} s`);
  await t.owner.query('VACUUM ANALYZE name_words, name_keys, customers');
  const asked = [
    'Joao da Sliva Anhanguera',
    'Joao da Sliva',
    'joao silva',
    'maria santos',
    'mar sil',
    'maria',
    'souza',
  ];
  for (let i = 0; i < 40; i += 1) asked.push(`${word(FIRST)} ${word(LAST)}`);
  const times: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    for (const q of asked) {
      const start = performance.now();
      const { body } = await analyst.get(`/operator/search?q=${encodeURIComponent(q)}`).expect(200);
      // The first round fills the caches.
      if (round > 0) times.push(performance.now() - start);
      const [first] = (body as { data: { customers: { name: string }[] } }).data.customers;
      if (q === 'Joao da Sliva Anhanguera') expect(first?.name).toBe('João da Silva Anhanguera');
      if (q === 'Joao da Sliva') expect(first?.name).toMatch(/^jo[aã]o .*silva/i);
    }
  }
  times.sort((a, b) => a - b);
  const at = (share: number): number => Math.round(times[Math.floor(times.length * share)] ?? 0);
  figure(`${CUSTOMERS} customers, ${times.length} searches: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`);
  const { rows } = await t.owner.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN (ANALYZE, BUFFERS) SELECT customer_id FROM name_words WHERE organisation_id = $1 AND word =
       (SELECT word FROM name_words GROUP BY word ORDER BY count(*) DESC LIMIT 1) ORDER BY words LIMIT 20000`.replace(
      '$1',
      `'${organisationId}'`,
    ),
  );
  process.stdout.write(rows.map((row) => row['QUERY PLAN']).join('\n') + '\n');
  expect(await placesWith('Anhanguera')).toEqual([]);
  expect(at(0.99)).toBeLessThanOrEqual(300);
}, 3_600_000);
