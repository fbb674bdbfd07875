import { Injectable } from '@nestjs/common';
import { noOrganisation } from '../connection/scope.js';
import { readCommitMark } from '../store/server.statements.js';
import { UnitOfWork } from './unit-of-work.js';

// Many loops ask at about the same time; one statement answers all of them.
const SHARED_MS = 500;

/**
 * Says whether anything was committed in the database since an earlier moment. Loops that look for rows of other
 * processes look again only then, so that an idle service costs one small statement twice a second.
 */
@Injectable()
export class CommitMarks {
  private newestMark: { readonly askedAt: number; readonly mark: Promise<string> } | null = null;

  constructor(private readonly uow: UnitOfWork) {}

  /** Returns the mark of the database, at most 500 ms old. Equal marks: nothing was committed in between. */
  async read(): Promise<string> {
    const now = performance.now();
    if (this.newestMark === null || now - this.newestMark.askedAt >= SHARED_MS) {
      this.newestMark = { askedAt: now, mark: this.readMark() };
    }
    try {
      return await this.newestMark.mark;
    } catch (error) {
      this.newestMark = null;
      throw error;
    }
  }

  /** Makes the check of one loop. After `mostMs` a look is due even if nothing was committed. */
  newCheck(mostMs = Infinity): QuietCheck {
    return new QuietCheck(this, mostMs);
  }

  private readMark(): Promise<string> {
    return this.uow.read(noOrganisation, readCommitMark);
  }
}

/** Remembers at which mark a loop found nothing to do. */
export class QuietCheck {
  private mark: string | null = null;
  private settledMark: string | null = null;
  private settledAt = -Infinity;

  constructor(
    private readonly marks: Pick<CommitMarks, 'read'>,
    private readonly mostMs: number,
  ) {}

  /** True if nothing was committed since the last look that found nothing to do. The mark is older than the next look. */
  async isQuiet(): Promise<boolean> {
    this.mark = await this.marks.read();
    return this.mark === this.settledMark && performance.now() - this.settledAt < this.mostMs;
  }

  /** Ends a look that found nothing to do, and to which time alone adds nothing. */
  settle(): void {
    this.settledMark = this.mark;
    this.settledAt = performance.now();
  }
}
