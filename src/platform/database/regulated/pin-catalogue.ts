import { createHash } from 'node:crypto';
import type { QueryRunner } from 'typeorm';
import { canonicalJson } from '../../kernel/values/canonical-json.js';
import { CATALOGUE } from './catalogue.js';

/** Stands for the organisation in entries that concern all organisations. */
const OPERATIONS = '00000000-0000-0000-0000-000000000000';

interface Pin {
  readonly seq: number;
  readonly hash: Buffer;
  readonly canonical: Buffer;
}

/**
 * Records the result of the migrations in the log of operations: once for each set of migrations, so that a later change
 * by somebody is not taken for theirs when they run again.
 * @param make does the remaining work in the same transaction and returns its statements. Its argument is the place of the
 * entry, `type:id#seq`: a state that names it is the work of the migrations.
 */
export async function pinCatalogue(
  runner: QueryRunner,
  make: (step: string) => Promise<readonly string[]>,
): Promise<void> {
  await runner.startTransaction();
  try {
    await runner.query(`SET LOCAL vigia.system = 'migration'`);
    const [last] = (await runner.query(
      `SELECT subject_seq AS seq, hash, canonical FROM audit_entries
       WHERE organisation_id = $1 AND subject_type = 'catalogue' AND subject_id = $1::text
       ORDER BY subject_seq DESC LIMIT 1`,
      [OPERATIONS],
    )) as Pin[];
    const made = await make(`catalogue:${OPERATIONS}#${(last?.seq ?? 0) + 1}`);
    // Another release of PostgreSQL may print the same objects in other words.
    const [{ release } = { release: '' }] = (await runner.query(
      `SELECT (current_setting('server_version_num')::int / 10000)::text AS release`,
    )) as { release: string }[];
    const version = createHash('sha256')
      .update([...made, CATALOGUE, release].join('\n'))
      .digest('hex');
    if (!last || saysVersion(last.canonical) !== version) await pin(runner, last ?? null, version);
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}

async function pin(runner: QueryRunner, last: Pin | null, version: string): Promise<void> {
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
    content: { version, lines: lines.map(({ line }) => line) },
  });
  await runner.query(
    `INSERT INTO audit_entries
       (organisation_id, subject_type, subject_id, subject_seq, action, canonical, previous_hash, recorded_at)
     VALUES ($1, 'catalogue', $2, $3, 'catalogue.pinned', $4, $5, $6)`,
    [OPERATIONS, OPERATIONS, seq, Buffer.from(canonical), last?.hash ?? null, now],
  );
}

const saysVersion = (canonical: Buffer): unknown =>
  (JSON.parse(canonical.toString('utf8')) as { content: { version?: unknown } }).content.version;
