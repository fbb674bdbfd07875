import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { raiseStatementTimeout, system, UnitOfWork, type Reader, type Tx } from '../../database/index.js';
import { firstUuidAt } from '../../kernel/index.js';
import { IndexKeyEntity, KnownIndexEntity } from '../store/entities.js';
import { knownIndexes, storeReencrypted } from '../store/index-key.statements.js';
import {
  holdIndexKeys,
  indexesOfOthers,
  indexesOfTransactions,
  organisationIds,
  countOtherProcesses,
} from '../store/index-scan.statements.js';
import { BlindIndex, ownNames } from './blind-index.js';
import { keyCheckValueOf, IndexKeys, sealKey } from './index-keys.js';
import { indexPrefix } from './index-prefix-filter.js';

// The content of a part whose scan has just begun.
const NO_PREFIXES = Buffer.alloc(0);

export interface IndexRotationOutcome {
  /** The number of the new key; null if other processes were still running. */
  readonly number: number | null;
  /** The number of other connected processes. They must stop before a rotation. */
  readonly others: number;
  /** The number of stored indexes that remain under the older keys. */
  readonly known: number;
}

export interface RotatedIndexKey {
  readonly number: number;
  readonly known: number;
}

const SCOPE = system('privacy.index-keys');
const NO_ID = '00000000-0000-0000-0000-000000000000';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
// A transaction is stored at most this long after its id was made. Older pages are final.
const SETTLED_MS = 3_600_000;
const TIMEOUT_MINUTES = 60;
const PREFIX_BYTES = 4;

/**
 * Rotates INDEX_KEY: adds a key for blind indexes, and encrypts all of these keys under the new INDEX_KEY. Rows do not
 * change, because they are evidence bound by the audit log. Their indexes are recorded as known to the older key and
 * are still found under it; only new values are indexed under the new key.
 *
 * Transactions are scanned while the service runs. Progress is stored, so that an interrupted rotation resumes. The
 * switch itself is one commit, made while no other process is connected: a process with only the older key would index
 * a new person under it, and the others would search under the new key. A process that starts meanwhile waits.
 */
@Injectable()
export class IndexKeyRotation {
  private readonly listeners: ((tx: Tx, rotated: RotatedIndexKey) => Promise<void>)[] = [];

  constructor(
    private readonly uow: UnitOfWork,
    private readonly indexKeys: IndexKeys,
    private readonly blindIndex: BlindIndex,
  ) {}

  /** Registers a listener for the transaction that adds a key: the audit trail, on which this module must not depend. */
  onRotated(listener: (tx: Tx, rotated: RotatedIndexKey) => Promise<void>): void {
    this.listeners.push(listener);
  }

  /**
   * @param ownName the application name of the connections of this process
   * @param report takes the number of transactions scanned so far
   */
  async rotate(
    nextIndexKey: Buffer,
    ownName: string,
    report: (transactions: number) => void = () => undefined,
  ): Promise<IndexRotationOutcome> {
    await this.recordSettled(report);
    const running = await this.uow.read(SCOPE, (db) => countOtherProcesses(db, ownName));
    if (running > 0) return { number: null, others: running, known: 0 };
    return this.uow.run(SCOPE, async (tx) => {
      await holdIndexKeys(tx);
      // A process that read the keys before this lock is connected by now, so the count below includes it.
      const otherProcesses = await countOtherProcesses(tx, ownName);
      if (otherProcesses > 0) return { number: null, others: otherProcesses, known: 0 };
      await raiseStatementTimeout(tx, TIMEOUT_MINUTES);
      const remaining = await this.recordRemaining(tx);
      const number = this.indexKeys.newest.number + 1;
      const sealed = this.indexKeys.keys.map((key) => sealKey(key.secret, key.number, nextIndexKey));
      const sealedBy = keyCheckValueOf(nextIndexKey);
      await storeReencrypted(tx, sealed, sealedBy);
      await tx.insert(IndexKeyEntity, { ...sealKey(randomBytes(32), number, nextIndexKey), sealedBy });
      for (const tell of this.listeners) await tell(tx, { number, known: remaining });
      return { number, others: 0, known: remaining };
    });
  }

  /** Records the indexes of settled transactions, while the service runs. */
  private async recordSettled(report: (transactions: number) => void): Promise<void> {
    const before = firstUuidAt(new Date(Date.now() - SETTLED_MS));
    const parts = await this.uow.read(SCOPE, (db) => this.readParts(db));
    let { after } = parts;
    let transactions = 0;
    for (let { next } = parts; ; next += 1) {
      const page = await this.uow.read(SCOPE, (db) => indexesOfTransactions(db, after, before));
      if (page.reached === null) return;
      after = page.reached;
      await this.uow.run(SCOPE, (tx) => this.storePart(tx, next, page.beginnings, page.reached));
      report((transactions += page.rows));
    }
  }

  /** Records the indexes of the remaining transactions and of all other tables. Returns the total of known indexes. */
  private async recordRemaining(tx: Tx): Promise<number> {
    const parts = await this.readParts(tx);
    const remainingIndexes: Buffer[] = [];
    for (let { after } = parts; ;) {
      const page = await indexesOfTransactions(tx, after, LAST_ID);
      if (page.reached === null) break;
      after = page.reached;
      if (page.beginnings) remainingIndexes.push(page.beginnings);
    }
    remainingIndexes.push(await indexesOfOthers(tx));
    // Indexes of `ownNames` are in no column, but stored hashes are derived from them.
    for (const id of await organisationIds(tx)) {
      for (const name of ownNames) {
        remainingIndexes.push(indexPrefix(this.blindIndex.computeForOrganisation(id, name)));
      }
    }
    const rest = Buffer.concat(remainingIndexes);
    await this.storePart(tx, parts.next, rest, null);
    return parts.known + rest.length / PREFIX_BYTES;
  }

  private async readParts(db: Reader): Promise<{ next: number; after: string; known: number }> {
    const parts = await knownIndexes(db, this.indexKeys.newest.number);
    const after = parts.at(-1)?.reached ?? NO_ID;
    const prefixCount = parts.reduce((sum, { beginnings }) => sum + beginnings.length / PREFIX_BYTES, 0);
    return { next: parts.length + 1, after, known: prefixCount };
  }

  private async storePart(
    tx: Tx,
    part: number,
    beginnings: Buffer | null,
    reached: string | null,
  ): Promise<void> {
    const row = {
      keyNumber: this.indexKeys.newest.number,
      part,
      beginnings: beginnings ?? NO_PREFIXES,
      reached,
    };
    await tx.insert(KnownIndexEntity, row);
  }
}
