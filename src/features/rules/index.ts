// Owns rulesets and their evaluation. Promises that a verdict is pure, explained, and pinned to a published version.
export { RulesModule } from './rules.module.js';
export { RulesJobsModule } from './rules-jobs.module.js';
export {
  BacktestHistory,
  FROM_THE_BEGINNING,
  type HistoryPage,
  type HistoryRange,
  type HistorySpan,
} from './backtests/backtest-history.js';
export { OrganisationListKeys } from './rulesets/organisation-list-keys.js';
export { AlertPrefilter } from './domain/alert-prefilter.js';
export { CooldownsService, type CooldownIndex } from './rulesets/cooldowns.service.js';
export { cooldownClause, type CountedHit } from './store/cooldown.statements.js';
export type { BacktestReport } from './domain/backtest/backtest-report.js';
export { BacktestTally } from './domain/backtest/backtest-tally.js';
export { componentOfInput, inputOfFeature, lacksDocument } from './domain/scoring/inputs.js';
export { receiptOutlineOf } from './domain/scoring/outline.js';
export {
  addDeclaredFeatures,
  snapshotSummary,
  packDeclared,
  readSnapshots,
  snapshotRefAt,
  type Snapshot,
} from './domain/snapshot/snapshot.js';
export { RulesetVersionParams } from './api/ruleset.dto.js';
export { RulesQueries } from './store/rules.queries.js';
export { RulesetTrialsService, type DryRunRuleset } from './rulesets/ruleset-trials.service.js';
export { RulesetsService } from './rulesets/rulesets.service.js';
export {
  RulesetRegistryService,
  PublishedCustomFields,
  LiveRulesets,
} from './rulesets/ruleset-registry.service.js';
export { bucketOf, type SelectionKey } from './domain/selection.js';
export {
  evaluate,
  RULESET_ALTERED,
  FORMULA,
  knownFormulas,
  type EvaluationContext,
  type Evaluation,
  type Evidence,
  type Composition,
} from './domain/scoring/compose.js';
export { evaluateGravest, profileGapOf, restoreOtherwise } from './domain/scoring/unconfirmed.js';
export {
  outcomes,
  type ChallengeFlow,
  type ChallengeFlows,
  type Outcome,
  type RecommendedAction,
} from './domain/scoring/outcome.js';
export type {
  ScoreComponent,
  ComponentFinding,
  ComponentFindings,
  IntegrityFlag,
} from './domain/scoring/component.js';
export { compileRuleset, evaluationSchema, type CompiledRuleset } from './domain/compiled-ruleset.js';
export { checkCustomFields } from './domain/custom-fields/custom-field-check.js';
export type { CustomFieldDefinition } from './domain/custom-fields/custom-field-schema.js';
export { customFieldValueIn } from './domain/custom-fields/custom-field-value.js';
export { currentCustomFieldSchema } from './custom-fields/current-custom-fields.js';
export { CustomFieldBackfillEntity } from './store/entities.js';
export { logNameOf, type LogName } from './domain/aggregate-reach.js';
export { isMandatory } from './domain/mandatory-rules.js';
export { contentHashOf } from './domain/content-hash.js';
export type { Reason, SuppressionReason } from './domain/scoring/evaluate-rules.js';
export { millisOf, type RequestedAction } from './domain/scoring/requested-action.js';
export type { PublishedRuleset, RulesetContent } from './domain/ruleset.js';
export { decodeFacts, describeFacts, encodeFacts } from './domain/snapshot/snapshot-codec.js';
export { packFacts, unpackFacts } from './domain/snapshot/facts-packing.js';
export {
  check,
  compileRule,
  ruleApplies,
  compileConditionOver,
  explainRule,
  FactSheet,
  featureSchema,
  formatValue,
  printPlainLanguage,
  isAggregate,
  isCustomField,
  exactNumberOf,
  inputNames,
  maxReachMsOf,
  readsOutcome,
  explainedValue,
  eventKeys,
  type AggregateDefinition,
  type AggregateKey,
  type ComponentName,
  type EventKey,
  type FactValue,
  type Feature,
  type FeatureName,
  type FeatureSchema,
  type FeatureSource,
  type CustomFieldFeature,
  type CustomField,
  type InputName,
  type ListLookup,
  type RatioAggregate,
  type ReadableField,
  type RowColumn,
  type RowFilter,
  type RuleDefinition,
  type Truth,
  type WindowAggregate,
} from './language/index.js';
export { brStarter } from './data/br-starter/index.js';
export { countryLists, shippedLists } from './data/country-lists.js';
