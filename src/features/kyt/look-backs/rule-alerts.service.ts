import { Injectable } from '@nestjs/common';
import { Clock, required } from '../../../platform/kernel/index.js';
import type { PastAlert } from '../../reviews/index.js';
import {
  AlertPrefilter,
  BacktestHistory,
  evaluate,
  RulesetRegistryService,
  type PublishedRuleset,
} from '../../rules/index.js';
import type { DecryptedTransaction } from '../domain/claimed.js';
import { LookBackFailureError } from '../domain/look-back.js';
import { alertFactsOf, reviewNeedOf } from '../domain/review-need.js';
import { FactCollector } from '../facts/fact-collector.js';
import type { ClaimedLookBack } from '../store/work/look-back.repository.js';
import type { AlertFinder, LookBackAlertPage } from './alert-finder.js';
import { PastEvidenceService, type PastEvaluation } from './past-evidence.service.js';

// Transactions per page: small enough that evaluating a page blocks the event loop for a few milliseconds only.
const PAGE_SIZE = 1_000;

/** Finds transactions that a ruleset version makes an alert, by their stored facts. */
@Injectable()
export class RuleAlertsService {
  constructor(
    private readonly rulesets: RulesetRegistryService,
    private readonly history: BacktestHistory,
    private readonly factCollector: FactCollector,
    private readonly pastEvidence: PastEvidenceService,
    private readonly clock: Clock,
  ) {}

  async findAlerts(lookBack: ClaimedLookBack): Promise<AlertFinder> {
    const { organisationId, from, to } = lookBack;
    const hash = required(lookBack.contentHash, 'the ruleset of a look-back').toString('hex');
    const ruleset = (await this.rulesets.readVersionsByHash(organisationId, [hash])).get(hash);
    if (!ruleset) throw new LookBackFailureError('RULESET_NOT_USABLE');
    const range = { from: from.getTime(), to: to.getTime() };
    const prefilter = new AlertPrefilter(
      ruleset.compiled,
      range,
      this.factCollector.createListLookup(organisationId),
    );
    return {
      next: async (after) => {
        const piece = await this.history.nextPage(
          { ...lookBack, content: ruleset.content },
          after,
          PAGE_SIZE,
        );
        if (!piece) return null;
        const { looked, candidates, undecided } = prefilter.check(
          bufferOf(piece.bytes),
          piece.declared && bufferOf(piece.declared),
        );
        const exact = await this.evaluateCandidates(lookBack, ruleset, candidates);
        for (const [rule, count] of exact.undecided) {
          if (prefilter.needsBody(rule)) undecided.set(rule, count);
        }
        return {
          ...{ last: piece.last, looked },
          ...exact,
          undecided: Object.fromEntries(undecided),
          judgedBy: [`${ruleset.content.key}@${ruleset.content.version}`],
        };
      },
    };
  }

  /** Evaluates the candidates of the prefilter with the lists and with the personal facts, which are not stored. */
  private async evaluateCandidates(
    lookBack: ClaimedLookBack,
    ruleset: PublishedRuleset,
    refs: readonly string[],
  ): Promise<Pick<LookBackAlertPage, 'alerts' | 'unreadable'> & { undecided: ReadonlyMap<string, number> }> {
    const undecided = new Map<string, number>();
    if (refs.length === 0) return { alerts: [], unreadable: 0, undecided };
    const { open, unreadable } = await this.pastEvidence.decryptTransactions(lookBack.organisationId, refs);
    const evaluations = await this.pastEvidence.collect(
      lookBack.organisationId,
      open,
      ruleset.compiled.schema,
    );
    const alerts = open.flatMap((transaction): PastAlert[] => {
      const before = evaluations.get(transaction.id);
      return before ? this.evaluateOne(lookBack, ruleset, transaction, before, undecided) : [];
    });
    return { alerts, unreadable, undecided };
  }

  private evaluateOne(
    { id, organisationId }: ClaimedLookBack,
    ruleset: PublishedRuleset,
    transaction: DecryptedTransaction,
    { version, receipt, evidence }: PastEvaluation,
    undecided: Map<string, number>,
  ): PastAlert[] {
    const evaluation = evaluate(evidence, ruleset, {
      trailIntact: receipt.trailIntact,
      asOf: new Date(this.clock.now()).toISOString(),
      challengeFlows: receipt.challengeFlows,
    });
    const need = reviewNeedOf(evaluation, []);
    if (need?.kind === 'SCORE') {
      const { customerId } = evidence.parties;
      const request = {
        ...{ organisationId, customerId, lookBack: id, riskScore: evaluation.score },
        ...{ clientAppId: transaction.clientAppId, occurredAt: transaction.occurredAt },
        transaction: { ref: transaction.id, evaluationVersion: version },
        facts: alertFactsOf(need, evaluation, transaction.submission, evidence.sheet),
        ...{ requestId: null, correlationId: null },
        ...need,
      };
      return [{ request, pending: new Set() }];
    }
    for (const { ruleId } of evaluation.notEvaluated) undecided.set(ruleId, (undecided.get(ruleId) ?? 0) + 1);
    return [];
  }
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
