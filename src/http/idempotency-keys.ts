import { createHmac, hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Settings } from '../config/index.js';
import { UnitOfWork, type Tx } from '../database/index.js';
import { canonicalJson } from '../kernel/canonical-json.js';
import { DomainError } from '../kernel/index.js';
import { sealContext, Vault } from '../privacy/index.js';

/** Who used a key, and for what; keys of two principals or two routes never meet. */
export interface KeyUse {
  /** Such as `client:<uuid>`. */
  readonly principal: string;
  readonly organisationId: string;
  /** Method and pattern, such as `POST /operator/client-apps`. */
  readonly route: string;
  readonly key: string;
  /** What the request asks for: its address and its body. */
  readonly request: { readonly url: string; readonly body: unknown };
}

/** An answer as it was given the first time. */
export interface StoredAnswer {
  readonly status: number;
  readonly location: string | null;
  readonly body: unknown;
}

/** The right to handle the request of a key. A claim that lost its lease can neither commit nor conclude anything. */
export interface Claim {
  readonly slot: Buffer;
  readonly organisationId: string;
  readonly fence: number;
}

interface Row {
  readonly fingerprint: Buffer;
  readonly running: boolean;
  readonly effective: boolean;
  readonly sealed_answer: Buffer | null;
}

// Longer than any request may take (30 s to arrive, 10 s a statement); after it the request may be tried again.
const LEASE_SECONDS = 60;
const KEPT_HOURS = 24;
const SWEEP_ROWS = 5_000;

/** Idempotency keys of the last 24 hours in PostgreSQL, with the answers that they got, sealed. */
@Injectable()
export class IdempotencyKeys {
  private readonly hmacKey: Buffer;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly vault: Vault,
    settings: Settings,
  ) {
    this.hmacKey = Buffer.from(hkdfSync('sha256', settings.indexKey, '', 'vigia:idempotency', 32));
  }

  /** Claims the request of a key, or returns the answer that it got. Throws when it runs, or was another request. */
  async claim(use: KeyUse): Promise<Claim | StoredAnswer> {
    const slot = this.hash(use.principal, use.route, use.key);
    const fingerprint = this.hash(use.request.url, canonicalJson(use.request.body ?? null));
    const found = await this.uow.run(use.organisationId, async (tx) => {
      const claimed: { fence: number }[] = await tx.query(CLAIM, [
        slot,
        use.organisationId,
        use.route,
        fingerprint,
        LEASE_SECONDS,
        KEPT_HOURS,
      ]);
      const [won] = claimed;
      if (won) return { slot, organisationId: use.organisationId, fence: won.fence };
      const rows: Row[] = await tx.query(FIND, [slot]);
      return rows[0] ?? null;
    });
    if (found && 'fence' in found) return found;
    // Its row went away in between: whoever handled it was refused, and this one is to try again.
    if (!found) throw new DomainError('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 });
    if (!found.fingerprint.equals(fingerprint)) throw new DomainError('IDEMPOTENCY_KEY_REUSED');
    if (found.sealed_answer) return this.open(found.sealed_answer, slot, use.organisationId);
    if (found.running || !found.effective) {
      throw new DomainError('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 });
    }
    throw new DomainError('IDEMPOTENCY_OUTCOME_UNKNOWN');
  }

  /** Marks, in a transaction of the request, that it takes effect; throws when the claim is no longer good. */
  async takeEffect(tx: Tx, claim: Claim): Promise<void> {
    const rows: unknown[] = await tx.query(
      `WITH marked AS (
         UPDATE idempotency_keys SET effective = true WHERE slot = $1 AND fence = $2 RETURNING 1)
       SELECT 1 FROM marked`,
      [claim.slot, claim.fence],
    );
    if (rows.length === 0) throw new DomainError('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 });
  }

  /** Keeps the answer for whoever sends the same request again. */
  async conclude(claim: Claim, answer: StoredAnswer): Promise<void> {
    const sealed = await this.vault.sealOne(
      JSON.stringify(answer),
      this.vault.organisationSubject(claim.organisationId),
      contextOf(claim.slot, claim.organisationId),
    );
    await this.uow.run(claim.organisationId, (tx) =>
      tx.query(`UPDATE idempotency_keys SET sealed_answer = $3 WHERE slot = $1 AND fence = $2`, [
        claim.slot,
        claim.fence,
        sealed,
      ]),
    );
  }

  /** Gives up a claim whose request was refused and changed nothing, so that it can be sent again. */
  async release(claim: Claim): Promise<void> {
    await this.uow.run(claim.organisationId, (tx) =>
      tx.query(`DELETE FROM idempotency_keys WHERE slot = $1 AND fence = $2 AND NOT effective`, [
        claim.slot,
        claim.fence,
      ]),
    );
  }

  /** Removes keys that are older than a day. */
  async sweep(tx: Tx): Promise<void> {
    await tx.query(
      `DELETE FROM idempotency_keys WHERE slot IN (
         SELECT slot FROM idempotency_keys WHERE expires_at < now() ORDER BY expires_at LIMIT $1
         FOR UPDATE SKIP LOCKED)`,
      [SWEEP_ROWS],
    );
  }

  private async open(sealed: Buffer, slot: Buffer, organisationId: string): Promise<StoredAnswer> {
    const [plain] = await this.vault.openMany([{ sealed, context: contextOf(slot, organisationId) }]);
    if (!plain) throw new DomainError('IDEMPOTENCY_OUTCOME_UNKNOWN');
    return JSON.parse(plain.toString('utf8')) as StoredAnswer;
  }

  private hash(...parts: readonly string[]): Buffer {
    // As JSON, so that two lists of parts never give the same text.
    return createHmac('sha256', this.hmacKey).update(JSON.stringify(parts)).digest();
  }
}

const contextOf = (slot: Buffer, organisationId: string): string =>
  sealContext('idempotency_keys', slot.toString('hex'), organisationId);

// A key is free again after a day, and a request whose process died before it changed anything may be taken over.
const CLAIM = `
  INSERT INTO idempotency_keys AS k (slot, organisation_id, route, fingerprint, lease_until, expires_at)
  VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5), now() + make_interval(hours => $6))
  ON CONFLICT (slot) DO UPDATE
    SET fingerprint = excluded.fingerprint, fence = k.fence + 1, lease_until = excluded.lease_until,
        effective = false, sealed_answer = NULL, created_at = clock_timestamp(), expires_at = excluded.expires_at
    WHERE k.expires_at < now()
       OR (k.lease_until < now() AND NOT k.effective AND k.sealed_answer IS NULL
           AND k.fingerprint = excluded.fingerprint)
  RETURNING fence`;

const FIND = `
  SELECT fingerprint, lease_until > now() AS running, effective, sealed_answer FROM idempotency_keys WHERE slot = $1`;
