import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { UnitOfWork, type Tx } from '../../database/index.js';
import { canonicalJson } from '../../kernel/values/canonical-json.js';
import { DomainError } from '../../kernel/index.js';
import { IndexKeys, encryptionContextOf, Vault, type IndexKey } from '../../privacy/index.js';
import { IdempotencyKeyEntity } from '../store/entities.js';
import { claimKey, findKey, type Claim } from '../store/idempotency-key.statements.js';

export type { Claim };

/** A key and the request that it is for. The same text of another principal or on another route is another key. */
export interface IdempotencyKeyUse {
  /** Such as `client:<uuid>`. */
  readonly principal: string;
  readonly organisationId: string;
  /** Method and pattern, such as `POST /operator/client-apps`. */
  readonly route: string;
  readonly key: string;
  /** The URL and the body of the request; a repeated request must have the same. */
  readonly request: { readonly url: string; readonly body: unknown };
}

/** The answer to the first request with a key. */
export interface StoredAnswer {
  readonly status: number;
  readonly location: string | null;
  readonly body: unknown;
}

/** Stores the idempotency keys of the last 24 hours in PostgreSQL, with their answers, encrypted. */
@Injectable()
export class IdempotencyKeys {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly vault: Vault,
    private readonly indexKeys: IndexKeys,
  ) {}

  /** Claims a key or returns its stored answer. Throws if the first request runs, differs or has an unknown outcome. */
  async claim(use: IdempotencyKeyUse): Promise<Claim | StoredAnswer> {
    const { key, index: slot } = this.indexKeys.find((one) => hash(one, use.principal, use.route, use.key));
    const fingerprint = hash(key, use.request.url, canonicalJson(use.request.body ?? null));
    const claimedKey = await this.uow.run(use.organisationId, async (tx) => {
      const { organisationId, route } = use;
      const fence = await claimKey(tx, { slot, organisationId, route, fingerprint });
      return fence === null ? findKey(tx, slot) : { slot, organisationId, fence };
    });
    if (claimedKey && 'fence' in claimedKey) return claimedKey;
    // The first request was refused meanwhile and its row deleted, so the caller has to send this request again.
    if (!claimedKey) throw new DomainError('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 });
    if (!claimedKey.fingerprint.equals(fingerprint)) throw new DomainError('IDEMPOTENCY_KEY_REUSED');
    if (claimedKey.sealedAnswer) return this.openAnswer(claimedKey.sealedAnswer, slot, use.organisationId);
    if (claimedKey.running || !claimedKey.effective) {
      throw new DomainError('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 });
    }
    throw new DomainError('IDEMPOTENCY_OUTCOME_UNKNOWN');
  }

  /** Records, in a transaction of the request, that it changes something. Throws if another process has claimed the key. */
  async markEffective(tx: Tx, { slot, fence }: Claim): Promise<void> {
    const { affected } = await tx.update(IdempotencyKeyEntity, { slot, fence }, { effective: true });
    if (affected !== 1) throw new DomainError('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 });
  }

  /** Stores the answer for repetitions of the request. */
  async conclude({ slot, organisationId, fence }: Claim, answer: StoredAnswer): Promise<void> {
    const sealedAnswer = await this.vault.sealOne(
      JSON.stringify(answer),
      this.vault.organisationSubject(organisationId),
      contextOf(slot, organisationId),
    );
    await this.uow.run(organisationId, (tx) =>
      tx.update(IdempotencyKeyEntity, { slot, fence }, { sealedAnswer }),
    );
  }

  /** Deletes the claim of a request that was refused and changed nothing, so that it can be sent again. */
  async release({ slot, organisationId, fence }: Claim): Promise<void> {
    await this.uow.run(organisationId, (tx) =>
      tx.delete(IdempotencyKeyEntity, { slot, fence, effective: false }),
    );
  }

  private async openAnswer(sealed: Buffer, slot: Buffer, organisationId: string): Promise<StoredAnswer> {
    const [plain] = await this.vault.openMany([{ sealed, context: contextOf(slot, organisationId) }]);
    if (!plain) throw new DomainError('IDEMPOTENCY_OUTCOME_UNKNOWN');
    return JSON.parse(plain.toString('utf8')) as StoredAnswer;
  }
}

// Hashes parts of a key. As JSON, different lists of parts never give the same text.
const hash = (key: IndexKey, ...parts: readonly string[]): Buffer =>
  createHmac('sha256', key.derive('idempotency')).update(JSON.stringify(parts)).digest();

const contextOf = (slot: Buffer, organisationId: string): string =>
  encryptionContextOf('idempotency_keys', slot.toString('hex'), organisationId);
