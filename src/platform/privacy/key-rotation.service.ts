import { Injectable } from '@nestjs/common';
import { And, IsNull, LessThanOrEqual, MoreThan, Not, type FindOptionsWhere } from 'typeorm';
import { system, UnitOfWork } from '../database/index.js';
import { KeyRing } from './key-ring.js';
import { SubjectKeyEntity } from './store/entities.js';
import { keysPerRingKey, storeRewrapped } from './store/subject-key.statements.js';
import { rewrap } from './wrapped-key.js';

export interface RotationProgress {
  /** Data keys that this run has re-encrypted so far. */
  readonly rewrapped: number;
  /** Data keys under an older ring key, at the last count. */
  readonly remaining: number;
}

export interface RotationOutcome extends RotationProgress {
  readonly ringKeyId: string;
}

/** How many data keys a ring key encrypts, and whether this process has that ring key. */
export interface RingKeyUse {
  readonly ringKeyId: string;
  readonly dataKeys: number;
  readonly state: 'CURRENT' | 'NEEDED' | 'MISSING' | 'UNUSED';
}

const BATCH_SIZE = 500;
const NIL = '00000000-0000-0000-0000-000000000000';

/**
 * Re-encrypts data keys under the first key of KEY_RING. The data keys themselves and all data under them (bodies,
 * events, signing secrets, TOTP seeds, stored answers) do not change. A rotation therefore writes 60 bytes per subject,
 * however much is stored, and a process that has both ring keys can read throughout.
 */
@Injectable()
export class KeyRotation {
  private readonly outdatedKeys: FindOptionsWhere<SubjectKeyEntity>;
  private readonly listeners: ((outcome: RotationOutcome) => Promise<void>)[] = [];

  constructor(
    private readonly uow: UnitOfWork,
    private readonly keyRing: KeyRing,
  ) {
    this.outdatedKeys = { ringKeyId: Not(keyRing.currentId), wrappedKey: Not(IsNull()) };
  }

  /**
   * Processes the data keys that exist now once, in order of their ids. It ends even while another process still wraps
   * new ones under an older ring key; these count as remaining. Safe to interrupt, repeat and run concurrently: a
   * processed row names the new ring key, and a row that changed meanwhile (an erasure) is skipped.
   */
  async rotate(report: (progress: RotationProgress) => void = () => undefined): Promise<RotationOutcome> {
    let rewrapped = 0;
    const [newest] = await this.uow.read(system('privacy.key-rotation'), (db) =>
      db.find(SubjectKeyEntity, {
        select: { id: true },
        where: this.outdatedKeys,
        order: { id: 'DESC' },
        take: 1,
      }),
    );
    for (let after = NIL; ;) {
      const rows = await this.uow.read(system('privacy.key-rotation'), (db) =>
        db.find(SubjectKeyEntity, {
          select: { id: true, organisationId: true, ringKeyId: true, wrappedKey: true },
          where: { id: And(MoreThan(after), LessThanOrEqual(newest?.id ?? NIL)), ...this.outdatedKeys },
          order: { id: 'ASC' },
          take: BATCH_SIZE,
        }),
      );
      const last = rows.at(-1);
      if (!last) break;
      const wrapped = rows.map((row) => rewrap(this.keyRing, row));
      rewrapped += (await storeRewrapped(this.uow, rows, wrapped, this.keyRing.currentId)).length;
      after = last.id;
      report({ rewrapped, remaining: await this.countRemaining() });
    }
    const outcome = { ringKeyId: this.keyRing.currentId, rewrapped, remaining: await this.countRemaining() };
    for (const tell of this.listeners) await tell(outcome);
    return outcome;
  }

  /** Registers a listener for finished runs, for the audit trail, on which this module must not depend. */
  onRotated(listener: (outcome: RotationOutcome) => Promise<void>): void {
    this.listeners.push(listener);
  }

  /** Lists the ring keys that stored data keys need, and the unused ring keys of this process. */
  async readUsage(): Promise<RingKeyUse[]> {
    const rows = await this.uow.read(system('privacy.key-rotation'), keysPerRingKey);
    const counts = new Map(rows.map((row) => [row.ringKeyId, row.count]));
    const ids = new Set([...this.keyRing.ids, ...[...counts.keys()].sort()]);
    return [...ids].map((ringKeyId): RingKeyUse => {
      const dataKeys = counts.get(ringKeyId) ?? 0;
      return { ringKeyId, dataKeys, state: this.stateOf(ringKeyId, dataKeys) };
    });
  }

  private stateOf(ringKeyId: string, dataKeys: number): RingKeyUse['state'] {
    if (!this.keyRing.ids.includes(ringKeyId)) return 'MISSING';
    if (ringKeyId === this.keyRing.currentId) return 'CURRENT';
    return dataKeys > 0 ? 'NEEDED' : 'UNUSED';
  }

  private async countRemaining(): Promise<number> {
    return this.uow.read(system('privacy.key-rotation'), (db) =>
      db.countBy(SubjectKeyEntity, this.outdatedKeys),
    );
  }
}
