import { createHash } from 'node:crypto';
import type { QueryRunner } from 'typeorm';
import { canonicalJson } from '../../kernel/values/canonical-json.js';
import { CATALOGUE } from './catalogue.js';

/** Organisation id of entries that concern the whole installation. */
const OPERATIONS = '00000000-0000-0000-0000-000000000000';

interface Pin {
  readonly seq: number;
  readonly hash: Buffer;
  readonly canonical: Buffer;
}

/**
 * Records the catalogue that the migrations have made as an entry `catalogue.pinned`. Only once for each set of
 * migrations: when they run again, a manual change since then must not be recorded as made by a migration.
 * It runs in the transaction of `runner`.
 * @param make creates the functions and triggers in it and returns the statements. Its argument is
 * the entry to be written, `type:id#seq`, which states recorded by the migrations name as their step.
 */
export async function pinCatalogue(
  runner: QueryRunner,
  make: (step: string) => Promise<readonly string[]>,
): Promise<void> {
  const [last] = (await runner.query(
    `SELECT subject_seq AS seq, hash, canonical FROM audit_entries
     WHERE organisation_id = $1 AND subject_type = 'catalogue' AND subject_id = $1::text
     ORDER BY subject_seq DESC LIMIT 1`,
    [OPERATIONS],
  )) as Pin[];
  const statements = await make(`catalogue:${OPERATIONS}#${(last?.seq ?? 0) + 1}`);
  // Another major release of PostgreSQL may print the same objects differently.
  const [{ release } = { release: '' }] = (await runner.query(
    `SELECT (current_setting('server_version_num')::int / 10000)::text AS release`,
  )) as { release: string }[];
  const fingerprint = createHash('sha256')
    .update([...statements, CATALOGUE, release].join('\n'))
    .digest('hex');
  if (!last || fingerprintIn(last.canonical) !== fingerprint) await pin(runner, last ?? null, fingerprint);
}

async function pin(runner: QueryRunner, last: Pin | null, fingerprint: string): Promise<void> {
  const lines = (await runner.query(CATALOGUE)) as { line: string }[];
  const seq = (last?.seq ?? 0) + 1;
  const [{ now } = { now: new Date() }] = (await runner.query(
    `SELECT date_trunc('milliseconds', clock_timestamp()) AS now`,
  )) as { now: Date }[];
  const canonical = canonicalJson({
    v: 1,
    organisation: OPERATIONS,
    subject: `catalogue:${OPERATIONS}`,
    seq,
    previous: last?.hash.toString('hex') ?? null,
    action: 'catalogue.pinned',
    actor: 'system:migration',
    requestId: null,
    correlationId: null,
    occurredAt: now.toISOString(),
    content: { version: fingerprint, lines: lines.map(({ line }) => line) },
  });
  await runner.query(
    `INSERT INTO audit_entries
       (organisation_id, subject_type, subject_id, subject_seq, action, canonical, previous_hash, recorded_at)
     VALUES ($1, 'catalogue', $2, $3, 'catalogue.pinned', $4, $5, $6)`,
    [OPERATIONS, OPERATIONS, seq, Buffer.from(canonical), last?.hash ?? null, now],
  );
}

const fingerprintIn = (canonical: Buffer): unknown =>
  (JSON.parse(canonical.toString('utf8')) as { content: { version?: unknown } }).content.version;
