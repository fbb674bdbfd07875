// Owns rulesets and how they judge facts. Promises that a verdict is pure, explained, and pinned to a published version.
export { RulesModule } from './rules.module.js';
export { RulesJobsModule } from './rules-jobs.module.js';
export { BacktestHistory, type HistoryPiece, type HistoryRange } from './backtests/backtest-history.js';
export { Cooldowns, type CooldownBook } from './rulesets/cooldowns.service.js';
export { cooldownClause, type CountedHit } from './store/cooldown.statements.js';
export { BacktestTally, type BacktestReport } from './domain/backtest-tally.js';
export { outlineOf, type Outline } from './domain/scoring/outline.js';
export { briefOf, snapshotRefAt } from './domain/snapshot/snapshot.js';
export { shownActor } from './api/rule.view.dto.js';
export { RulesQueries } from './store/rules.queries.js';
export { RulesetTrials, type Trial } from './rulesets/ruleset-trials.service.js';
export { RulesetsService } from './rulesets/rulesets.service.js';
export { RulesetRegistry, LiveRulesets, type LiveRuleset } from './rulesets/ruleset-registry.service.js';
export { bucketOf, type SelectedFor, type Selection } from './domain/selection.js';
export { brFirst } from './data/br-first.js';
export {
  evaluate,
  FORMULA,
  type Circumstances,
  type Composition,
  type Evaluation,
  type Evidence,
} from './domain/scoring/compose.js';
export {
  outcomes,
  type ChallengeFlow,
  type ChallengeFlows,
  type ChallengeState,
  type Outcome,
  type RecommendedAction,
} from './domain/scoring/outcome.js';
export type { Component, ComponentState, Finding, Findings, Mark } from './domain/scoring/component.js';
export { compileRuleset, type CompiledRuleset, type RulesetCompilation } from './domain/compiled-ruleset.js';
export { contentHashOf } from './domain/content-hash.js';
export type { Effect, Reason, RuleVerdict, Silence } from './domain/scoring/judge.js';
export { millisOf, type RequestedAction } from './domain/scoring/requested-action.js';
export type { PublishedRuleset, RulesetContent } from './domain/ruleset.js';
export type { GroupScore, RiskLevel } from './domain/scoring/score.js';
export { decodeFacts, describeFacts, encodeFacts } from './domain/snapshot/snapshot-codec.js';
export {
  check,
  concerns,
  explainRule,
  FactSheet,
  featureSchema,
  formatValue,
  inPlainWords,
  numberOf,
  shownValue,
  type ComponentName,
  type Explanation,
  type FactValue,
  type Feature,
  type FeatureName,
  type FeatureSource,
  type ListLookup,
  type RuleDefinition,
  type Truth,
} from './language/index.js';
export { brStarter } from './data/br-starter/index.js';
export { countryLists, ownLists, shippedLists, type CountryList } from './data/country-lists.js';
