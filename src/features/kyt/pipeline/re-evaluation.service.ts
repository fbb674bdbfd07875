import { Injectable } from '@nestjs/common';
import type { Actor } from '../../audit/index.js';
import { DomainError } from '../../../platform/kernel/index.js';
import { StepUpsService, type StepUpRequestLink } from '../../sessions/index.js';
import { EvaluationService, type EvaluatedTransaction } from './evaluation.service.js';
import type { OpenTransaction } from '../domain/claimed.js';
import { FactCollector } from '../facts/fact-collector.js';
import { WorkRepository } from '../store/work/work.repository.js';
import { TransactionReader } from './transaction-reader.js';
import { VersionWriterService } from './version-writer.service.js';

/** The actor who asks for another evaluation, and the request. */
export interface ReEvaluationCause {
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly correlationId: string | null;
  /** The request for a session that it answers: stored only while an evaluation is owed to it. */
  readonly answers?: StepUpRequestLink;
}

export interface ReEvaluationResult {
  readonly evaluationVersion: number;
  readonly outcome: string;
  readonly score: number | null;
  readonly receiptHash: string;
}

// Each loss means that another evaluation of the same transaction was added meanwhile.
const MAX_TRIES = 5;

/** Adds a version to an evaluated transaction, by the facts and the ruleset of now. */
@Injectable()
export class ReEvaluationService {
  /** By transaction, the last re-evaluation of its queue. */
  private readonly underWay = new Map<string, Promise<ReEvaluationResult | null>>();

  constructor(
    private readonly work: WorkRepository,
    private readonly reader: TransactionReader,
    private readonly facts: FactCollector,
    private readonly evaluator: EvaluationService,
    private readonly versions: VersionWriterService,
    private readonly stepUps: StepUpsService,
  ) {}

  /** Adds evaluation version n + 1; the earlier ones stay. `transactionRef` is the stored id. */
  async reEvaluate(
    organisationId: string,
    transactionRef: string,
    cause: Omit<ReEvaluationCause, 'answers'>,
  ): Promise<ReEvaluationResult> {
    const done = await this.serialize(organisationId, transactionRef, cause);
    if (!done) throw new DomainError('NOT_READY');
    return done;
  }

  /** Adds the version that the end of a session owes a transaction, unless it was added already. */
  async reEvaluateForSession(asker: StepUpRequestLink): Promise<void> {
    await this.serialize(asker.organisationId, asker.transactionRef, {
      actor: { type: 'system', id: 'kyt.step-up' },
      requestId: null,
      correlationId: null,
      answers: asker,
    });
  }

  private async serialize(
    organisationId: string,
    transactionRef: string,
    cause: ReEvaluationCause,
  ): Promise<ReEvaluationResult | null> {
    // One after the other in this process; another process may still be quicker.
    const before = this.underWay.get(transactionRef) ?? Promise.resolve();
    const again = (): Promise<ReEvaluationResult | null> =>
      this.retryUntilStored(organisationId, transactionRef, cause);
    const own = before.then(again, again);
    this.underWay.set(transactionRef, own);
    try {
      return await own;
    } finally {
      if (this.underWay.get(transactionRef) === own) this.underWay.delete(transactionRef);
    }
  }

  private async retryUntilStored(
    organisationId: string,
    transactionRef: string,
    cause: ReEvaluationCause,
  ): Promise<ReEvaluationResult | null> {
    for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
      const concluded = await this.conclude(organisationId, transactionRef, cause);
      if (await this.versions.add(concluded, cause.answers ?? null)) {
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
    const found = await this.work.readCompleted(organisationId, transactionRef);
    if (!found) throw new DomainError('TRANSACTION_NOT_FOUND');
    const [opened] = await this.reader.open([found.transaction]);
    // Erased or broken: there is nothing that could be evaluated, and the first evaluation stands.
    if (!opened || 'failure' in opened.result) throw new DomainError('TRANSACTION_NOT_FOUND');
    const open: OpenTransaction = {
      ...opened.result.open,
      ...(cause.requestId === null ? {} : { requestId: cause.requestId }),
    };
    const evidence = await this.facts.collect([open]);
    const [concluded] = await this.evaluator.evaluate([open], evidence, () => ({
      evaluationVersion: found.newestVersion + 1,
      sequence: found.newestSequence + 1,
      actor: cause.actor,
    }));
    if (!concluded) throw new Error('an evaluation was not drawn');
    return concluded;
  }
}
