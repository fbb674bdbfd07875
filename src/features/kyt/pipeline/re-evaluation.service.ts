import { Injectable } from '@nestjs/common';
import type { Actor } from '../../audit/index.js';
import { DomainError, orThrow } from '../../../platform/kernel/index.js';
import { StepUpsService, type StepUpRequestLink } from '../../sessions/index.js';
import { EvaluationService } from './evaluation.service.js';
import type { EvaluatedTransaction } from '../domain/stored/evaluated-transaction.js';
import type { DecryptedTransaction } from '../domain/claimed.js';
import { FactCollector } from '../facts/fact-collector.js';
import { TransactionWorkRepository } from '../store/work/transaction-work.repository.js';
import { TransactionDecrypter } from './transaction-decrypter.js';
import { VersionWriterService } from './version-writer.service.js';

export interface ReEvaluationCause {
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly correlationId: string | null;
  /**
   * The step-up request whose session has ended; the version is stored only if no version has answered that request
   * yet.
   */
  readonly answers?: StepUpRequestLink;
}

export interface ReEvaluationResult {
  readonly evaluationVersion: number;
  readonly outcome: string;
  readonly score: number | null;
  readonly receiptHash: string;
}

// Maximum number of tries. Each failed try means that another evaluation of the transaction was stored first.
const MAX_TRIES = 5;

/** Evaluates a transaction again with current facts and the live ruleset, and adds the result as a version. */
@Injectable()
export class ReEvaluationService {
  /** The last queued re-evaluation per transaction: re-evaluations of one transaction run one after the other. */
  private readonly underWay = new Map<string, Promise<ReEvaluationResult | null>>();

  constructor(
    private readonly work: TransactionWorkRepository,
    private readonly transactionDecrypter: TransactionDecrypter,
    private readonly factCollector: FactCollector,
    private readonly evaluator: EvaluationService,
    private readonly versions: VersionWriterService,
    private readonly stepUps: StepUpsService,
  ) {}

  /** Adds a version; earlier versions stay. `transactionRef` is the stored id of the transaction. */
  async reEvaluate(
    organisationId: string,
    transactionRef: string,
    cause: Omit<ReEvaluationCause, 'answers'>,
  ): Promise<ReEvaluationResult> {
    return orThrow(await this.runInTurn(organisationId, transactionRef, cause), 'NOT_READY');
  }

  /** Adds a version to the transaction that requested a session, once after its end. */
  async reEvaluateForSession(asker: StepUpRequestLink): Promise<void> {
    await this.runInTurn(asker.organisationId, asker.transactionRef, {
      actor: { type: 'system', id: 'kyt.step-up' },
      requestId: null,
      correlationId: null,
      answers: asker,
    });
  }

  private async runInTurn(
    organisationId: string,
    transactionRef: string,
    cause: ReEvaluationCause,
  ): Promise<ReEvaluationResult | null> {
    // Re-evaluations of a transaction take turns in this process; another process may still store a version first.
    const before = this.underWay.get(transactionRef) ?? Promise.resolve();
    const again = (): Promise<ReEvaluationResult | null> =>
      this.retryUntilStored(organisationId, transactionRef, cause);
    const running = before.then(again, again);
    this.underWay.set(transactionRef, running);
    try {
      return await running;
    } finally {
      if (this.underWay.get(transactionRef) === running) this.underWay.delete(transactionRef);
    }
  }

  private async retryUntilStored(
    organisationId: string,
    transactionRef: string,
    cause: ReEvaluationCause,
  ): Promise<ReEvaluationResult | null> {
    for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
      const concluded = await this.conclude(organisationId, transactionRef, cause);
      if (await this.versions.addVersion(concluded, cause.answers ?? null)) {
        const { evaluation, evaluationVersion, receipt } = concluded;
        return {
          evaluationVersion,
          outcome: evaluation.outcome,
          score: evaluation.score,
          receiptHash: receipt.hash.toString('hex'),
        };
      }
      if (cause.answers && !(await this.stepUps.needsReEvaluation(cause.answers))) return null;
    }
    throw new DomainError('NOT_READY');
  }

  private async conclude(
    organisationId: string,
    transactionRef: string,
    cause: ReEvaluationCause,
  ): Promise<EvaluatedTransaction> {
    const completed = await this.work.readCompleted(organisationId, transactionRef);
    if (!completed) throw new DomainError('TRANSACTION_NOT_FOUND');
    const [opened] = await this.transactionDecrypter.decryptAndRead([completed.transaction]);
    // The body is erased or broken, so nothing can be evaluated, and the earlier evaluation stays.
    if (!opened || 'failure' in opened.result) throw new DomainError('TRANSACTION_NOT_FOUND');
    const open: DecryptedTransaction = {
      ...opened.result.open,
      ...(cause.requestId === null ? {} : { requestId: cause.requestId }),
    };
    const evidence = await this.factCollector.collect([open]);
    const [concluded] = await this.evaluator.evaluate([open], evidence, () => ({
      evaluationVersion: completed.newestVersion + 1,
      sequence: completed.newestSequence + 1,
      actor: cause.actor,
    }));
    if (!concluded) throw new Error('an evaluation was not drawn');
    return concluded;
  }
}
