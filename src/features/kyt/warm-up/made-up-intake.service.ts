import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import { execute, UnitOfWork, type Statement } from '../../../platform/database/index.js';
import {
  createExchange,
  DEFAULT_BODY_RULES,
  parseLimitedJson,
  type ClientPrincipal,
} from '../../../platform/http/index.js';
import { Clock } from '../../../platform/kernel/index.js';
import { SubjectKeys } from '../../../platform/privacy/index.js';
import type { DecryptedTransaction } from '../domain/claimed.js';
import { madeUpSubmission } from './made-up-submission.js';
import { IngestBatcher } from '../ingest/ingest-batcher.js';
import { IntakeReaderService } from '../ingest/intake-reader.service.js';
import { toClaimedTransaction } from '../domain/submission/prepared-transaction.js';
import { subjectList, TransactionPreparer } from '../ingest/transaction-preparer.js';

type Composed = readonly [Statement<unknown>, readonly unknown[]];

// A transaction that is not stored has no number.
const NO_SEQ = '0';

/** Ends a transaction of the database, so that nothing of it is stored. */
class RolledBack extends Error {}

/** Accepts made-up transactions like submissions, but rolls back what stores them: nothing of them is left. */
@Injectable()
export class MadeUpIntakeService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly keys: SubjectKeys,
    private readonly reader: IntakeReaderService,
    private readonly preparer: TransactionPreparer,
    private readonly batcher: IngestBatcher,
  ) {}

  /**
   * Accepts `size` transactions together. `conclude` evaluates them and returns the statement that would store the
   * evaluations.
   */
  async accept(
    client: ClientPrincipal,
    size: number,
    conclude: (held: readonly DecryptedTransaction[]) => Promise<Composed>,
  ): Promise<void> {
    const drafts = Array.from({ length: size }, () =>
      this.preparer.draft({ kept: [], ...this.read(client) }),
    );
    const subjects = drafts.flatMap((draft) => subjectList(draft.subjects));
    await this.keys.withMadeUpKeys(subjects, async () => {
      const rows = await this.preparer.prepare(drafts);
      const concluded = await conclude(
        rows.map((row, i) => toClaimedTransaction(row, NO_SEQ, drafts[i]?.body ?? {})),
      );
      const lease = { owner: '', ms: this.settings.pipelineLeaseMs };
      const composedBatch = this.batcher.compose(rows, { refs: rows.map(({ id }) => id), lease });
      await this.rollBack(client, [composedBatch, concluded]);
      // A busy process uses another statement, which leaves the transactions to the queue.
      if (size > 1) await this.rollBack(client, [this.batcher.compose(rows, null)]);
    });
  }

  private read(client: ClientPrincipal): ReturnType<IntakeReaderService['readBatchItem']> {
    const sent = Buffer.from(JSON.stringify(madeUpSubmission(this.clock.now())));
    const body = parseLimitedJson(sent, DEFAULT_BODY_RULES.limits);
    return this.reader.readBatchItem({ client, context: createExchange({}).context }, body);
  }

  private async rollBack(
    { organisationId }: ClientPrincipal,
    statements: readonly Composed[],
  ): Promise<void> {
    const work = this.uow.run([organisationId], async (tx) => {
      for (const [statement, values] of statements) await execute(tx, statement, values);
      throw new RolledBack();
    });
    await work.catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
  }
}
