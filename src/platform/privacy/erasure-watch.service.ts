import { Injectable } from '@nestjs/common';
import { CommitMarks, system, UnitOfWork, type QuietCheck } from '../database/index.js';
import { Periodic } from '../schedule/index.js';
import { SubjectKeys, type SubjectRef } from './subject-keys.js';

// After an erasure, other processes may still use cached data of the person for up to this time.
const POLL_MS = 1_000;
// Longer than an erasure's transaction plus the time that SubjectKeys trusts its cache without the database.
const WINDOW_SECONDS = 90;

/** Drops cached data of the persons whose erasure another process has requested. */
@Injectable()
export class ErasureWatch {
  private readonly listeners: ((subjects: readonly SubjectRef[]) => void)[] = [];
  private seenKeys = new Set<string>();
  private readonly quietCheck: QuietCheck;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly subjectKeys: SubjectKeys,
    marks: CommitMarks,
  ) {
    this.quietCheck = marks.newCheck();
  }

  /** Registers a listener for erased subjects. It gets the erasures of all processes. */
  onErased(listener: (subjects: readonly SubjectRef[]) => void): void {
    this.listeners.push(listener);
  }

  @Periodic({
    everyMs: POLL_MS,
    otherwise: 'erasures of other processes are not seen',
    runsIn: 'every process',
  })
  async pollErasures(): Promise<void> {
    const lookedAt = performance.now();
    if (await this.quietCheck.isQuiet()) {
      this.subjectKeys.confirmErasures([], lookedAt);
      return;
    }
    const erased = await this.uow.read(system('privacy.erasures-seen'), (db) =>
      this.subjectKeys.listErasedSince(db, WINDOW_SECONDS),
    );
    // Passes keys of earlier lookups again: a key that was being loaded during the last lookup could not be dropped then.
    this.subjectKeys.confirmErasures(erased, lookedAt);
    const fresh = erased.filter(({ keyId }) => !this.seenKeys.has(keyId));
    this.seenKeys = new Set(erased.map(({ keyId }) => keyId));
    // While erasures are in the window, the next poll reads them again: see above.
    if (erased.length === 0) this.quietCheck.settle();
    if (fresh.length === 0) return;
    for (const tell of this.listeners) tell(fresh.map(({ subject }) => subject));
  }
}
