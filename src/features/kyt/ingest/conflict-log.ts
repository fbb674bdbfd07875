import { Injectable } from '@nestjs/common';
import { AuditTrail, type AuditDraft } from '../../audit/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { Batcher } from '../../../platform/kernel/index.js';

// Maximum number of entries in one insert; an entry has a kilobyte or less.
const MAX_ROWS = 200;

/**
 * Records that an id was sent again with other content. The entries go to the audit chain of the application, which has
 * one writer at a time; entries that arrive during a commit share the next commit. So a client that repeats its mistake
 * at full speed uses one database connection, not all.
 */
@Injectable()
export class ConflictLog {
  private readonly byApplication = new Map<string, Batcher<AuditDraft, AuditDraft>>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
  ) {}

  /** Resolves after the commit. */
  async recordConflict(draft: AuditDraft): Promise<void> {
    const { organisationId, id } = draft.subject;
    let batcher = this.byApplication.get(id);
    if (!batcher) {
      batcher = new Batcher(
        async (drafts) => {
          await this.uow.run(organisationId, (tx) => this.audit.record(tx, drafts));
          return drafts;
        },
        { maxItems: MAX_ROWS, onIdle: () => this.byApplication.delete(id) },
      );
      this.byApplication.set(id, batcher);
    }
    await batcher.submit(draft);
  }
}
