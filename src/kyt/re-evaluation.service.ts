import { Injectable } from '@nestjs/common';
import { AuditTrail, type Actor } from '../audit/index.js';
import { composite, isLostRace, sqlStateOf, UnitOfWork } from '../database/index.js';
import { DomainError } from '../kernel/index.js';
import { Outbox } from '../queue/index.js';
import { ReviewsService } from '../reviews/index.js';
import { EventPublisher } from '../webhooks/index.js';
import { Conclusions, type ConcludedTransaction } from './conclusion.js';
import type { OpenTransaction } from './domain/claimed.js';
import { FactFinder } from './fact-finder.js';
import { EvaluationRepository } from './store/evaluation.repository.js';
import { WorkRepository } from './store/work.repository.js';
import { TransactionReader } from './transaction-reader.js';

/** Who asks for another evaluation, and in which request. */
export interface ReEvaluationCause {
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly correlationId: string | null;
}

export interface ReEvaluated {
  readonly evaluationVersion: number;
  readonly outcome: string;
  readonly score: number | null;
  readonly receiptHash: string;
}

const UNIQUE_VIOLATION = '23505';
// Each loss means that another evaluation of the same transaction was added meanwhile.
const MAX_TRIES = 5;

/** Evaluates an evaluated transaction again: with what is known now and the ruleset of now, as one version more. */
@Injectable()
export class ReEvaluation {
  /** By transaction, the last of those that wait for each other. */
  private readonly underWay = new Map<string, Promise<ReEvaluated>>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly work: WorkRepository,
    private readonly reader: TransactionReader,
    private readonly facts: FactFinder,
    private readonly conclusions: Conclusions,
    private readonly evaluations: EvaluationRepository,
    private readonly audit: AuditTrail,
    private readonly events: EventPublisher,
    private readonly outbox: Outbox,
    private readonly reviews: ReviewsService,
  ) {}

  /** Adds evaluation version n + 1; the earlier ones stay. `transactionRef` is the stored id. */
  async evaluateAgain(
    organisationId: string,
    transactionRef: string,
    cause: ReEvaluationCause,
  ): Promise<ReEvaluated> {
    // One after the other in this process; whoever is in another one may still be quicker.
    const before = this.underWay.get(transactionRef) ?? Promise.resolve();
    const again = (): Promise<ReEvaluated> => this.untilFirst(organisationId, transactionRef, cause);
    const own = before.then(again, again);
    this.underWay.set(transactionRef, own);
    try {
      return await own;
    } finally {
      if (this.underWay.get(transactionRef) === own) this.underWay.delete(transactionRef);
    }
  }

  private async untilFirst(
    organisationId: string,
    transactionRef: string,
    cause: ReEvaluationCause,
  ): Promise<ReEvaluated> {
    for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
      const concluded = await this.conclude(organisationId, transactionRef, cause);
      if (await this.commit(concluded)) {
        const { evaluation, evaluationVersion, receipt } = concluded;
        return {
          evaluationVersion,
          outcome: evaluation.outcome,
          score: evaluation.score,
          receiptHash: receipt.hash.toString('hex'),
        };
      }
    }
    throw new DomainError('NOT_READY');
  }

  private async conclude(
    organisationId: string,
    transactionRef: string,
    cause: ReEvaluationCause,
  ): Promise<ConcludedTransaction> {
    const found = await this.work.readCompleted(organisationId, transactionRef);
    if (!found) throw new DomainError('TRANSACTION_NOT_FOUND');
    const [opened] = await this.reader.open([found.transaction]);
    // Erased or broken: there is nothing that could be evaluated, and the first evaluation stands.
    if (!opened || 'failure' in opened.result) throw new DomainError('TRANSACTION_NOT_FOUND');
    const open: OpenTransaction = {
      ...opened.result.open,
      ...(cause.requestId === null ? {} : { requestId: cause.requestId }),
    };
    const evidence = await this.facts.find([open]);
    const [concluded] = await this.conclusions.draw([open], evidence, () => ({
      evaluationVersion: found.newestVersion + 1,
      sequence: found.newestSequence + 1,
      actor: cause.actor,
    }));
    if (!concluded) throw new Error('an evaluation was not drawn');
    return concluded;
  }

  /** False when another evaluation was quicker; then this one was made of what is no longer the newest. */
  private async commit(concluded: ConcludedTransaction): Promise<boolean> {
    const { transaction, evaluationVersion, evaluated, completed, review } = concluded;
    try {
      const rows = await this.uow.write<{ id: string }>(
        transaction.organisationId,
        composite(
          review ? 'kyt-re-evaluate-reviewed' : 'kyt-re-evaluate',
          [
            this.work.completedClause(transaction.id, evaluationVersion - 1),
            this.evaluations.insertClause([concluded], 'concluded'),
            this.audit.appendClause([evaluated], 'concluded'),
            ...this.events.publishClauses([completed], 'concluded'),
            ...(review ? this.reviews.clauses([review], 'concluded') : []),
          ],
          'SELECT id FROM concluded',
          { prepared: false },
        ),
      );
      if (rows.length > 0) this.outbox.announce();
      return rows.length > 0;
    } catch (error) {
      if (sqlStateOf(error) === UNIQUE_VIOLATION || isLostRace(error)) return false;
      throw error;
    }
  }
}
