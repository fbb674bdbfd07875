import { Injectable } from '@nestjs/common';
import { system, UnitOfWork } from '../database/index.js';
import { Periodic } from '../schedule/index.js';
import { SubjectKeys, type SubjectRef } from './subject-keys.js';

// For so long after an erasure in one process, another one may still know the person.
const LOOK_MS = 1_000;
// Longer than the transaction of an erasure plus the time that SubjectKeys trusts a process that could not look.
const WINDOW_SECONDS = 90;

/** Lets this process forget the subjects whose erasure another process has requested. */
@Injectable()
export class ErasureWatch {
  private readonly listeners: ((subjects: readonly SubjectRef[]) => void)[] = [];
  private seen = new Set<string>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly keys: SubjectKeys,
  ) {}

  /** Calls the listener with the erased subjects, whichever process requested the erasure. */
  onErased(listener: (subjects: readonly SubjectRef[]) => void): void {
    this.listeners.push(listener);
  }

  @Periodic({
    everyMs: LOOK_MS,
    otherwise: 'erasures of other processes are not seen',
    runsIn: 'every process',
  })
  async check(): Promise<void> {
    const lookedAt = performance.now();
    const erased = await this.uow.read(system('privacy.erasures-seen'), (db) =>
      this.keys.erasedLately(db, WINDOW_SECONDS),
    );
    // Keys of earlier looks as well: one that was being read at that time could not be forgotten then.
    this.keys.confirm(erased, lookedAt);
    const fresh = erased.filter(({ keyId }) => !this.seen.has(keyId));
    this.seen = new Set(erased.map(({ keyId }) => keyId));
    if (fresh.length === 0) return;
    for (const tell of this.listeners) tell(fresh.map(({ subject }) => subject));
  }
}
