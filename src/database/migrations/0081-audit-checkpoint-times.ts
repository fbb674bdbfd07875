import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the kept checkpoint of a moment, which bounds the leaves of a span of time. */
export class AuditCheckpointTimes1763600000081 implements MigrationInterface {
  name = 'AuditCheckpointTimes1763600000081';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX audit_checkpoints_time ON audit_checkpoints (organisation_id, signed_at)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX audit_checkpoints_time');
  }
}
