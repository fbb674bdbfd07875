import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { allowMinutes, system, UnitOfWork, type Reader, type Tx } from '../../database/index.js';
import { firstUuidAt } from '../../kernel/index.js';
import { IndexKeyEntity } from '../store/entities/index-key.entity.js';
import { KnownIndexEntity } from '../store/entities/known-index.entity.js';
import { knownIndexes, storeSealedAnew } from '../store/index-key.statements.js';
import {
  holdIndexKeys,
  indexesOfOthers,
  indexesOfTransactions,
  organisationIds,
  otherProcesses,
} from '../store/index-scan.statements.js';
import { BlindIndex, ownNames } from './blind-index.js';
import { checkOf, IndexKeys, sealKey } from './index-keys.js';
import { beginningOf } from './known-indexes.js';

// A part whose scan has just begun knows no index yet.
const NONE_YET = Buffer.alloc(0);

/** The outcome of a rotation. */
export interface IndexRotationOutcome {
  /** The number of the new key; null while other processes run. */
  readonly number: number | null;
  /** Processes of the service that have to stop first. */
  readonly others: number;
  /** How many indexes stay under the older keys. */
  readonly known: number;
}

/** A new key was put in. */
export interface RotatedIndexKey {
  readonly number: number;
  readonly known: number;
}

const SCOPE = system('privacy.index-keys');
const NO_ID = '00000000-0000-0000-0000-000000000000';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
// No transaction is stored so long after its id was made: what is older is all there.
const SETTLED_MS = 3_600_000;
const MINUTES = 60;
const BYTES = 4;

/**
 * Puts a new key of the blind indexes beside those that there are, and seals all under another INDEX_KEY. Rows stay as they
 * are: they are evidence, bound by the audit log. What they hold is written down as known to the older key, so that it goes
 * on being found under that, and only what is new is indexed under the new one.
 *
 * Transactions are gone through while the service runs, in parts that are kept, so that it goes on where it was killed. The
 * change itself is one commit, and needs the moment for itself: a process that knew only the older key would index somebody
 * new under it, whom the others look for under the new one. So it is done when no other process is connected, and whoever
 * starts meanwhile waits for it.
 */
@Injectable()
export class IndexKeyRotation {
  private readonly listeners: ((tx: Tx, rotated: RotatedIndexKey) => Promise<void>)[] = [];

  constructor(
    private readonly uow: UnitOfWork,
    private readonly keys: IndexKeys,
    private readonly index: BlindIndex,
  ) {}

  /** Who wants to know of the new key in the commit that puts it in: the audit trail, which this module knows nothing of. */
  onRotated(listener: (tx: Tx, rotated: RotatedIndexKey) => Promise<void>): void {
    this.listeners.push(listener);
  }

  /**
   * @param ownName what the connections of this process are called
   * @param report transactions that were looked at so far
   */
  async rotate(
    nextIndexKey: Buffer,
    ownName: string,
    report: (transactions: number) => void = () => undefined,
  ): Promise<IndexRotationOutcome> {
    await this.lookAhead(report);
    const running = await this.uow.read(SCOPE, (db) => otherProcesses(db, ownName));
    if (running > 0) return { number: null, others: running, known: 0 };
    return this.uow.run(SCOPE, async (tx) => {
      await holdIndexKeys(tx);
      // One that looked at the keys before they were held is connected by now.
      const others = await otherProcesses(tx, ownName);
      if (others > 0) return { number: null, others, known: 0 };
      await allowMinutes(tx, MINUTES);
      const known = await this.lookAtRest(tx);
      const number = this.keys.newest.number + 1;
      const sealed = this.keys.keys.map((key) => sealKey(key.secret, key.number, nextIndexKey));
      const sealedBy = checkOf(nextIndexKey);
      await storeSealedAnew(tx, sealed, sealedBy);
      await tx.insert(IndexKeyEntity, { ...sealKey(randomBytes(32), number, nextIndexKey), sealedBy });
      for (const tell of this.listeners) await tell(tx, { number, known });
      return { number, others: 0, known };
    });
  }

  /** Writes down what older transactions hold. */
  private async lookAhead(report: (transactions: number) => void): Promise<void> {
    const before = firstUuidAt(new Date(Date.now() - SETTLED_MS));
    const parts = await this.uow.read(SCOPE, (db) => this.parts(db));
    let { after } = parts;
    let transactions = 0;
    for (let { next } = parts; ; next += 1) {
      const page = await this.uow.read(SCOPE, (db) => indexesOfTransactions(db, after, before));
      if (page.reached === null) return;
      after = page.reached;
      await this.uow.run(SCOPE, (tx) => this.keep(tx, next, page.beginnings, page.reached));
      report((transactions += page.rows));
    }
  }

  /** Writes down what came since, and everything else that is indexed; returns how much is known in all. */
  private async lookAtRest(tx: Tx): Promise<number> {
    const parts = await this.parts(tx);
    const found: Buffer[] = [];
    for (let { after } = parts; ;) {
      const page = await indexesOfTransactions(tx, after, LAST_ID);
      if (page.reached === null) break;
      after = page.reached;
      if (page.beginnings) found.push(page.beginnings);
    }
    found.push(await indexesOfOthers(tx));
    // Not stored themselves: hashes of what is stored hang on them.
    for (const id of await organisationIds(tx)) {
      for (const name of ownNames) found.push(beginningOf(this.index.ofOrganisation(id, name)));
    }
    const rest = Buffer.concat(found);
    await this.keep(tx, parts.next, rest, null);
    return parts.known + rest.length / BYTES;
  }

  private async parts(db: Reader): Promise<{ next: number; after: string; known: number }> {
    const parts = await knownIndexes(db, this.keys.newest.number);
    const after = parts.at(-1)?.reached ?? NO_ID;
    const known = parts.reduce((sum, { beginnings }) => sum + beginnings.length / BYTES, 0);
    return { next: parts.length + 1, after, known };
  }

  private async keep(tx: Tx, part: number, beginnings: Buffer | null, reached: string | null): Promise<void> {
    const row = {
      keyNumber: this.keys.newest.number,
      part,
      beginnings: beginnings ?? NONE_YET,
      reached,
    };
    await tx.insert(KnownIndexEntity, row);
  }
}
