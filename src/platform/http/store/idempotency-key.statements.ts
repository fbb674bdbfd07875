import { execute, properties, statement, type Rows, type Tx } from '../../database/index.js';
import { IdempotencyKeyEntity } from './entities.js';

/** The lease on a key for its request. After another process has claimed the key, the old fence can write nothing. */
export type Claim = Readonly<Pick<IdempotencyKeyEntity, 'slot' | 'organisationId' | 'fence'>>;

/** The row of a key that another request has claimed. */
export type StoredIdempotencyKey = Rows<typeof FIND>;

// Longer than any request may take (30 s to arrive, 10 s a statement); after it the request may be tried again.
const LEASE_SECONDS = 60;
const KEPT_HOURS = 24;
const SWEEP_ROWS = 5_000;

// Claims a new key, an expired key, or a key whose lease expired before its request changed anything.
const CLAIM = statement(
  'http.claim-key',
  `INSERT INTO idempotency_keys AS k (slot, organisation_id, route, fingerprint, lease_until, expires_at)
  VALUES ($1, $2, $3, $4, now() + interval '${LEASE_SECONDS} seconds', now() + interval '${KEPT_HOURS} hours')
  ON CONFLICT (slot, organisation_id) DO UPDATE
    SET fingerprint = excluded.fingerprint, fence = k.fence + 1, lease_until = excluded.lease_until,
        effective = false, sealed_answer = NULL, created_at = clock_timestamp(), expires_at = excluded.expires_at
    WHERE k.expires_at < now()
       OR (k.lease_until < now() AND NOT k.effective AND k.sealed_answer IS NULL
           AND k.fingerprint = excluded.fingerprint)
  RETURNING fence`,
  properties(IdempotencyKeyEntity, 'fence'),
);

const FIND = statement(
  'http.find-key',
  `SELECT fingerprint, lease_until > now() AS running, effective, sealed_answer AS "sealedAnswer"
   FROM idempotency_keys WHERE slot = $1`,
  { ...properties(IdempotencyKeyEntity, 'fingerprint', 'effective', 'sealedAnswer'), running: 'boolean' },
);

const DELETE_EXPIRED = statement(
  'http.delete-expired-keys',
  `DELETE FROM idempotency_keys WHERE slot IN (
     SELECT slot FROM idempotency_keys WHERE expires_at < now() ORDER BY expires_at LIMIT ${SWEEP_ROWS}
     FOR UPDATE SKIP LOCKED)`,
);

/** Claims a key and returns its fence; null if another request has it. */
export async function claimKey(
  tx: Tx,
  key: Pick<IdempotencyKeyEntity, 'slot' | 'organisationId' | 'route' | 'fingerprint'>,
): Promise<number | null> {
  const [row] = await execute(tx, CLAIM, [key.slot, key.organisationId, key.route, key.fingerprint]);
  return row?.fence ?? null;
}

export async function findKey(tx: Tx, slot: Buffer): Promise<StoredIdempotencyKey | null> {
  const [row] = await execute(tx, FIND, [slot]);
  return row ?? null;
}

/** Deletes expired keys, at most SWEEP_ROWS of them. */
export const deleteExpired = (tx: Tx): Promise<unknown> => execute(tx, DELETE_EXPIRED, []);
