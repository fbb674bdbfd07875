import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Entries of one statement wait for their leaves in a few rows, not in a row each: a row costs its insert, its index
 * entry and its delete, and at a thousand transactions a second that was a tenth of the database's work. Sixteen
 * entries fit into a row without a table beside the table.
 */
export class PendingInPieces1763600000152 implements MigrationInterface {
  name = 'PendingInPieces1763600000152';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE audit_pending ${columns
        .map(({ one, type }) => `ALTER COLUMN ${one} TYPE ${type}[] USING ARRAY[${one}]`)
        .join(', ')}`,
    );
    for (const { one, many } of columns) {
      await runner.query(`ALTER TABLE audit_pending RENAME COLUMN ${one} TO ${many}`);
    }
    await runner.query(AWAIT_IN_PIECES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TEMPORARY TABLE waiting ON COMMIT DROP AS
      SELECT p.position, p.organisation_id, e.* FROM audit_pending p
      CROSS JOIN LATERAL unnest(p.subject_types, p.subject_ids, p.subject_seqs, p.hashes)
        WITH ORDINALITY AS e (subject_type, subject_id, subject_seq, hash, n)`);
    await runner.query('DELETE FROM audit_pending');
    for (const { one, many, type } of columns) {
      await runner.query(`ALTER TABLE audit_pending RENAME COLUMN ${many} TO ${one}`);
      await runner.query(`ALTER TABLE audit_pending ALTER COLUMN ${one} TYPE ${type} USING ${one}[1]`);
    }
    await runner.query(`INSERT INTO audit_pending (organisation_id, subject_type, subject_id, subject_seq, hash)
      SELECT organisation_id, subject_type, subject_id, subject_seq, hash FROM waiting ORDER BY position, n`);
    await runner.query(AWAIT_ONE_BY_ONE);
  }
}

const columns = [
  { one: 'subject_type', many: 'subject_types', type: 'text' },
  { one: 'subject_id', many: 'subject_ids', type: 'text' },
  { one: 'subject_seq', many: 'subject_seqs', type: 'integer' },
  { one: 'hash', many: 'hashes', type: 'bytea' },
];

const PER_ROW = 16;

const awaiting = (body: string): string =>
  `CREATE OR REPLACE FUNCTION audit_await_seal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
     SET search_path = public, pg_temp AS $$
   BEGIN
     ${body};
     RETURN NULL;
   END $$`;

const AWAIT_IN_PIECES = awaiting(
  `INSERT INTO audit_pending (organisation_id, subject_types, subject_ids, subject_seqs, hashes)
     SELECT organisation_id, array_agg(subject_type ORDER BY n), array_agg(subject_id ORDER BY n),
            array_agg(subject_seq ORDER BY n), array_agg(hash ORDER BY n)
     FROM (SELECT a.*, row_number() OVER (PARTITION BY a.organisation_id
                         ORDER BY a.subject_type, a.subject_id, a.subject_seq) - 1 AS n
           FROM (SELECT organisation_id, subject_type, subject_id, subject_seq, hash FROM added) a) numbered
     GROUP BY organisation_id, n / ${PER_ROW} ORDER BY organisation_id, n / ${PER_ROW}`,
);

const AWAIT_ONE_BY_ONE = awaiting(
  `INSERT INTO audit_pending (organisation_id, subject_type, subject_id, subject_seq, hash)
     SELECT organisation_id, subject_type, subject_id, subject_seq, hash FROM added
     ORDER BY organisation_id, subject_type, subject_id, subject_seq`,
);
