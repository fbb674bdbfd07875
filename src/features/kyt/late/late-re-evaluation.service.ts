import { Injectable, Logger } from '@nestjs/common';
import { isDatabaseUnavailable } from '../../../platform/database/index.js';
import { required } from '../../../platform/kernel/index.js';
import { RulesetRegistryService, type PublishedRuleset } from '../../rules/index.js';
import type { DecryptedTransaction } from '../domain/claimed.js';
import { isMoreSevere } from '../domain/verdict.js';
import type { StoredReceipt } from '../domain/replay.js';
import { receiptText } from '../domain/stored/stored-packing.js';
import { EvaluationService, type LateReEvaluation } from '../pipeline/evaluation.service.js';
import type { EvaluatedTransaction } from '../domain/stored/evaluated-transaction.js';
import { TransactionDecrypter } from '../pipeline/transaction-decrypter.js';
import { VersionWriterService } from '../pipeline/version-writer.service.js';
import {
  LateEffectRepository,
  type AffectedTransaction,
  type PreviousEvaluation,
} from '../store/work/late-effect.repository.js';
import {
  TransactionWorkRepository,
  type CompletedTransaction,
} from '../store/work/transaction-work.repository.js';
import { LATE_ACTOR } from './late-effects.service.js';
import { LateEvidenceCollector } from './late-evidence-collector.js';
import { LateOutcomeRecorder } from './late-outcome-recorder.js';

// Maximum number of tries. Each failed try means that another evaluation of the transaction, or a decision about it,
// was stored first.
const MAX_TRIES = 5;

/** Re-evaluates transactions that a late transaction affects. Stores only a more severe outcome, with an event. */
@Injectable()
export class LateReEvaluationService {
  private readonly logger = new Logger(LateReEvaluationService.name);

  constructor(
    private readonly effects: LateEffectRepository,
    private readonly work: TransactionWorkRepository,
    private readonly transactionDecrypter: TransactionDecrypter,
    private readonly evidence: LateEvidenceCollector,
    private readonly rulesets: RulesetRegistryService,
    private readonly evaluator: EvaluationService,
    private readonly evaluationVersionWriter: VersionWriterService,
    private readonly lateOutcomeRecorder: LateOutcomeRecorder,
  ) {}

  /** Re-evaluates the given transactions that are affected. Safe to repeat: then no outcome is more severe. */
  async reEvaluate(refs: readonly string[]): Promise<void> {
    for (const affected of await this.effects.findToReEvaluate(refs)) {
      try {
        await this.retryUntilFirst(affected);
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error;
        // The reconciler queues the transaction again. Only the kind is logged: the message may quote data.
        const kind = error instanceof Error ? error.name : 'unknown error';
        this.logger.error(`transaction ${affected.affectedRef} was not judged again: ${kind}`);
      }
    }
  }

  private async retryUntilFirst(affected: AffectedTransaction): Promise<void> {
    for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
      if (await this.tryReEvaluate(affected)) return;
    }
    throw new Error('others evaluate it all the time');
  }

  /** Returns false if another evaluation or a decision was stored first. */
  private async tryReEvaluate(affected: AffectedTransaction): Promise<boolean> {
    const { organisationId, affectedRef } = affected;
    const completed = await this.work.readCompleted(organisationId, affectedRef);
    if (!completed) return this.lateOutcomeRecorder.dropPendingWork(affected);
    const before = required(await this.effects.findPreviousEvaluation(affected), 'the newest evaluation');
    const after = await this.judgeAgain(affected, completed, before);
    if (!after) return this.lateOutcomeRecorder.markDone(affected, 'same');
    if (before.decided !== null) return this.lateOutcomeRecorder.recordDecided(affected, before, after);
    if (!(await this.evaluationVersionWriter.addVersion(after, null, true))) return false;
    return this.lateOutcomeRecorder.markDone(affected, 'raised');
  }

  /** Returns the next evaluation; null unless its outcome is more severe than the current outcome. */
  private async judgeAgain(
    affected: AffectedTransaction,
    completed: CompletedTransaction,
    before: PreviousEvaluation,
  ): Promise<EvaluatedTransaction | null> {
    const stands = before.decided ?? before.outcome;
    // Only a person changes an outcome of REVIEW or more. Without stored facts nothing can be evaluated.
    if (!isMoreSevere('REVIEW', stands) || !before.facts) return null;
    const [opened] = await this.transactionDecrypter.decryptAndRead([completed.transaction]);
    // The body is erased or broken, so the evaluation stays.
    if (!opened || 'failure' in opened.result) return null;
    const transaction: DecryptedTransaction = opened.result.open;
    const storedReceipt = JSON.parse(receiptText(before.receipt)) as StoredReceipt;
    const late = await this.readRulesOf(affected, storedReceipt);
    const evidence = await this.evidence.collect(transaction, late, storedReceipt, before.facts);
    const [after] = await this.evaluator.evaluate([transaction], [evidence], () => ({
      evaluationVersion: before.version + 1,
      sequence: completed.newestSequence + 1,
      actor: LATE_ACTOR,
      late,
    }));
    if (!after) throw new Error('an evaluation was not drawn');
    const { outcome, score } = after.evaluation;
    const hasChanged = outcome !== before.outcome || score !== before.score;
    return hasChanged && isMoreSevere(outcome, stands) ? after : null;
  }

  /** Returns the rulesets and the suppressed rules of the earlier evaluation. */
  private async readRulesOf(
    { organisationId, lateRefs }: AffectedTransaction,
    { ruleset, champion, shadows = [], silenced = {}, marks }: StoredReceipt,
  ): Promise<LateReEvaluation> {
    const pins = [ruleset, champion ?? null, ...shadows].filter((pin) => pin !== null);
    const pinned = await this.rulesets.readVersionsByHash(
      organisationId,
      pins.map(({ contentHash }) => contentHash),
    );
    const rulesOf = (pin: StoredReceipt['ruleset']): PublishedRuleset | null =>
      pin && required(pinned.get(pin.contentHash), 'the ruleset that judged before');
    return {
      trigger: { kind: 'LATE_EVENT', transactions: lateRefs },
      deciding: rulesOf(ruleset),
      champion: rulesOf(champion ?? null),
      shadows: shadows.flatMap((pin) => rulesOf(pin) ?? []),
      silenced: new Map(Object.entries(silenced)),
      marks,
    };
  }
}
