import { Injectable } from '@nestjs/common';
import { compileValidator, safeFieldName } from '../../../platform/http/index.js';
import { Clock, DomainError, type ErrorDetail } from '../../../platform/kernel/index.js';
import { BlindIndex } from '../../../platform/privacy/index.js';
import {
  evaluateGravest,
  featureSchema,
  RulesetTrialsService,
  type Evaluation,
  type FactSheet,
  type FactValue,
  type Feature,
  type PublishedRuleset,
  type DryRunRuleset,
} from '../../rules/index.js';
import { IngestTransactionBody } from '../contract/ingest-transaction.dto.js';
import { declaredFacts } from '../domain/facts/declared-facts.js';
import { selectionKeyOf, type DecryptedTransaction } from '../domain/claimed.js';
import { toSimulatedTransaction } from '../domain/submission/simulated-event.js';
import { FactCollector } from '../facts/fact-collector.js';

export interface DryRunRequest {
  readonly ruleset: DryRunRuleset['ruleset'];
  readonly draftRules: readonly string[];
  /** The application that would send the event; null means one that no ruleset is limited to. */
  readonly clientAppId: string | null;
  /** A submission that is not validated yet. */
  readonly transaction: unknown;
  /** Values that replace collected facts, keyed by name of the fact. */
  readonly assumed: Readonly<Record<string, unknown>>;
}

export interface DryRunResult {
  readonly ruleset: PublishedRuleset | null;
  readonly evaluation: Evaluation;
  readonly sheet: FactSheet;
}

const validate = compileValidator(IngestTransactionBody);
const NO_APP = '00000000-0000-0000-0000-000000000000';
// Orders the event after every stored transaction of the same time.
const LAST_SEQ = String(Number.MAX_SAFE_INTEGER);

/**
 * Evaluates an event against the stored history, and stores nothing: no transaction, no customer, no hit, no webhook.
 * Snoozes and cooldowns do not apply, because the result shows the rules alone.
 */
@Injectable()
export class DryRunService {
  constructor(
    private readonly index: BlindIndex,
    private readonly clock: Clock,
    private readonly factCollector: FactCollector,
    private readonly trials: RulesetTrialsService,
  ) {}

  async run(organisationId: string, question: DryRunRequest): Promise<DryRunResult> {
    const transaction = this.readTransaction(organisationId, question);
    const ruleset = await this.trials.compose(organisationId, {
      ruleset: question.ruleset,
      draftRules: question.draftRules,
      transaction: selectionKeyOf(transaction),
    });
    const [evidence] = await this.factCollector.collectForDryRun(
      [transaction],
      ruleset?.compiled.schema ?? null,
    );
    if (!evidence) throw new Error('no evidence was found');
    assume(evidence.sheet, declaredFacts(ruleset), question.assumed);
    const asOf = new Date(this.clock.now()).toISOString();
    const result = evaluateGravest(evidence, ruleset, { trailIntact: true, asOf });
    return { ruleset, evaluation: result.evaluation, sheet: result.evidence.sheet };
  }

  private readTransaction(
    organisationId: string,
    { transaction, clientAppId }: DryRunRequest,
  ): DecryptedTransaction {
    const violations = validate(transaction, { now: () => this.clock.now() }, 'transaction');
    if (violations.length > 0) throw new DomainError('VALIDATION_FAILED', { details: violations });
    return toSimulatedTransaction(this.index, {
      organisationId,
      clientAppId: clientAppId ?? NO_APP,
      body: transaction as IngestTransactionBody,
      receivedAt: new Date(this.clock.now()),
      seq: LAST_SEQ,
    });
  }
}

/** Sets assumed facts; moments are ISO 8601. Throws VALIDATION_FAILED for unknown names and wrong types. */
function assume(
  sheet: FactSheet,
  declared: ReadonlyMap<string, Feature>,
  assumed: DryRunRequest['assumed'],
): void {
  const details: ErrorDetail[] = [];
  for (const [name, given] of Object.entries(assumed)) {
    const feature = featureSchema.find(name) ?? declared.get(name);
    const path = `assume.${safeFieldName(name)}`;
    if (!feature) {
      details.push({ path, code: 'UNKNOWN_FIELD', message: 'Rules read no such fact.' });
      continue;
    }
    sheet.setAt(feature, valueFor(feature, given));
    if (sheet.valueAt(feature) === null) {
      details.push({ path, code: 'WRONG_TYPE', message: `The fact is of the type ${feature.type}.` });
    }
  }
  if (details.length > 0) throw new DomainError('VALIDATION_FAILED', { details });
}

// Converts a given value to a fact. A value of another type stays as it is, and the sheet refuses it.
const valueFor = ({ type }: Feature, given: unknown): FactValue =>
  (type === 'time' && typeof given === 'string' ? Date.parse(given) : given) as FactValue;
