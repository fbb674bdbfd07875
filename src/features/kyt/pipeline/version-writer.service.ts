import { Injectable } from '@nestjs/common';
import { isLostRace, sqlStateOf, UnitOfWork } from '../../../platform/database/index.js';
import { Outbox } from '../../../platform/queue/index.js';
import type { StepUpRequestLink } from '../../sessions/index.js';
import { EventPublisher } from '../../webhooks/index.js';
import { ADD_VERSION } from '../store/evaluation.statements.js';
import type { EvaluatedTransaction } from '../domain/stored/evaluated-transaction.js';

const UNIQUE_VIOLATION = '23505';

/** Commits a further evaluation of a transaction in one statement, with its entry, event and case. */
@Injectable()
export class VersionWriterService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly events: EventPublisher,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Stores a version of the evaluation. Returns false if another evaluation was stored first, which makes this one
   * outdated. With `answers`, stores the version only if no version has answered that request, so that repeated jobs
   * add one version. With `unlessDecided`, a person's decision counts as another evaluation.
   */
  async addVersion(
    concluded: EvaluatedTransaction,
    answers: StepUpRequestLink | null,
    unlessDecided = false,
  ): Promise<boolean> {
    const { transaction, evaluationVersion, review } = concluded;
    try {
      const rows = await this.uow.write(
        transaction.organisationId,
        ...ADD_VERSION({
          of: { id: transaction.id, newestVersion: evaluationVersion - 1, unlessDecided },
          answers,
          rows: [concluded],
          reviews: review && [review],
          firstWait: this.events.firstWait,
        }),
      );
      if (rows.length > 0) this.outbox.announce();
      return rows.length > 0;
    } catch (error) {
      if (sqlStateOf(error) === UNIQUE_VIOLATION || isLostRace(error)) return false;
      throw error;
    }
  }
}
