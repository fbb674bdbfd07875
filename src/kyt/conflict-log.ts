import { Injectable } from '@nestjs/common';
import { AuditTrail, type AuditDraft } from '../audit/index.js';
import { UnitOfWork } from '../database/index.js';

interface Waiting {
  readonly draft: AuditDraft;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

// An entry is a kilobyte or less.
const MAX_ROWS = 200;

/**
 * Records that an id was sent again with other content. They go to the chain of the application, which takes one writer at a
 * time: what comes while one commit is under way goes into the next, so that a client that repeats its mistake as fast as it
 * can holds one connection and not all of them.
 */
@Injectable()
export class ConflictLog {
  /** By application: those that wait for the commit that is under way. */
  private readonly pending = new Map<string, Waiting[]>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
  ) {}

  /** Resolves after the commit. */
  note(draft: AuditDraft): Promise<void> {
    return new Promise((resolve, reject) => {
      const { id } = draft.subject;
      const waiting = { draft, resolve, reject };
      const pending = this.pending.get(id);
      if (pending) pending.push(waiting);
      else {
        this.pending.set(id, [waiting]);
        void this.drain(id);
      }
    });
  }

  private async drain(id: string): Promise<void> {
    for (let batch = this.take(id); batch.length > 0; batch = this.take(id)) await this.write(batch);
    this.pending.delete(id);
  }

  private take(id: string): Waiting[] {
    return this.pending.get(id)?.splice(0, MAX_ROWS) ?? [];
  }

  private async write(batch: readonly Waiting[]): Promise<void> {
    const drafts = batch.map(({ draft }) => draft);
    const [first] = drafts;
    if (!first) return;
    try {
      await this.uow.run(first.subject.organisationId, (tx) => this.audit.record(tx, drafts));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
