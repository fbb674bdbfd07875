import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan, Not, type FindOptionsWhere } from 'typeorm';
import { system, UnitOfWork } from '../database/index.js';
import { KeyRing } from './key-ring.js';
import { SubjectKeyEntity } from './store/entities/subject-key.entity.js';
import { keysPerRingKey, storeRewrapped } from './store/subject-key.statements.js';
import { rewrap } from './wrapped-key.js';

export interface RotationProgress {
  /** Data keys that were wrapped anew so far. */
  readonly rewrapped: number;
  /** Data keys that were still under an older ring key when the count was taken. */
  readonly remaining: number;
}

export interface RotationOutcome extends RotationProgress {
  /** The ring key under which data keys are wrapped now. */
  readonly ringKeyId: string;
}

/** The number of data keys that a ring key wraps, and whether this process has that ring key. */
export interface RingKeyUse {
  readonly ringKeyId: string;
  readonly dataKeys: number;
  readonly state: 'CURRENT' | 'NEEDED' | 'MISSING' | 'UNUSED';
}

const BATCH = 500;
const NIL = '00000000-0000-0000-0000-000000000000';

/**
 * Wraps data keys anew under the first key of KEY_RING. Only the wrapping changes: data keys, and all that is sealed
 * under them (bodies, events, webhook secrets, TOTP seeds, stored answers), stay as they are, so it costs 60 bytes a
 * subject however much is stored, and any process that knows both ring keys goes on reading throughout.
 */
@Injectable()
export class KeyRotation {
  private readonly outdated: FindOptionsWhere<SubjectKeyEntity>;
  private readonly listeners: ((outcome: RotationOutcome) => Promise<void>)[] = [];

  constructor(
    private readonly uow: UnitOfWork,
    private readonly ring: KeyRing,
  ) {
    this.outdated = { ringKeyId: Not(ring.currentId), wrappedKey: Not(IsNull()) };
  }

  /**
   * Goes through all data keys once, in order of their ids. Safe to interrupt, to repeat and to run twice at once: the row
   * shows that it is done, and a row that changed meanwhile (an erasure) is left alone.
   */
  async rotate(report: (progress: RotationProgress) => void = () => undefined): Promise<RotationOutcome> {
    let rewrapped = 0;
    for (let after = NIL; ;) {
      const rows = await this.uow.read(system('privacy.key-rotation'), (db) =>
        db.find(SubjectKeyEntity, {
          select: { id: true, organisationId: true, ringKeyId: true, wrappedKey: true },
          where: { id: MoreThan(after), ...this.outdated },
          order: { id: 'ASC' },
          take: BATCH,
        }),
      );
      const last = rows.at(-1);
      if (!last) break;
      const wrapped = rows.map((row) => rewrap(this.ring, row));
      rewrapped += (await storeRewrapped(this.uow, rows, wrapped, this.ring.currentId)).length;
      after = last.id;
      report({ rewrapped, remaining: await this.remaining() });
    }
    const outcome = { ringKeyId: this.ring.currentId, rewrapped, remaining: await this.remaining() };
    for (const tell of this.listeners) await tell(outcome);
    return outcome;
  }

  /** Calls the listener after each finished run: the audit trail, which this module does not know. */
  onRotated(listener: (outcome: RotationOutcome) => Promise<void>): void {
    this.listeners.push(listener);
  }

  /** Lists the ring keys that stored data keys need, and the unneeded ones of this process. */
  async usage(): Promise<RingKeyUse[]> {
    const rows = await this.uow.read(system('privacy.key-rotation'), keysPerRingKey);
    const counts = new Map(rows.map((row) => [row.ringKeyId, row.count]));
    const ids = new Set([...this.ring.ids, ...[...counts.keys()].sort()]);
    return [...ids].map((ringKeyId): RingKeyUse => {
      const dataKeys = counts.get(ringKeyId) ?? 0;
      return { ringKeyId, dataKeys, state: this.stateOf(ringKeyId, dataKeys) };
    });
  }

  private stateOf(ringKeyId: string, dataKeys: number): RingKeyUse['state'] {
    if (!this.ring.ids.includes(ringKeyId)) return 'MISSING';
    if (ringKeyId === this.ring.currentId) return 'CURRENT';
    return dataKeys > 0 ? 'NEEDED' : 'UNUSED';
  }

  private async remaining(): Promise<number> {
    return this.uow.read(system('privacy.key-rotation'), (db) => db.countBy(SubjectKeyEntity, this.outdated));
  }
}
