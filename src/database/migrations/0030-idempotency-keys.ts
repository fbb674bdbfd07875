import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protect } from './protect.js';

/**
 * Answers to creating requests that came with an `Idempotency-Key`, for a day. Neither the key nor the submitted body
 * is stored, only what tells them apart (HMAC); the answer is sealed, since it may hold a secret shown once.
 */
export class IdempotencyKeys1763600000030 implements MigrationInterface {
  name = 'IdempotencyKeys1763600000030';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency_keys');
  }
}

const statements = [
  // effective: a transaction of the request has committed, so that it must never run again.
  `CREATE TABLE idempotency_keys (
     slot bytea PRIMARY KEY,
     organisation_id uuid NOT NULL,
     route text NOT NULL,
     fingerprint bytea NOT NULL,
     fence integer NOT NULL DEFAULT 1,
     lease_until timestamptz NOT NULL,
     effective boolean NOT NULL DEFAULT false,
     sealed_answer bytea,
     created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     expires_at timestamptz NOT NULL
   )`,
  `CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at)`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_keys TO vigia_app`,
  ...protect('idempotency_keys'),
];
