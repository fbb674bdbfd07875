// Owns rulesets and how they judge facts. Promises that a verdict is pure, explained, and pinned to a published version.
export { RulesModule } from './rules.module.js';
export { RulesJobsModule } from './rules-jobs.module.js';
export { BacktestHistory, type HistoryPiece, type HistoryRange } from './backtest-history.js';
export { cooldownClause, Cooldowns, type CooldownBook, type CountedHit } from './cooldowns.js';
export { BacktestTally, type BacktestReport } from './domain/backtest-tally.js';
export { outlineOf, type Outline } from './domain/outline.js';
export { briefOf, snapshotRefAt } from './domain/snapshot.js';
export { shownActor } from './api/rule.view.dto.js';
export { RulesQueries } from './store/rules.queries.js';
export { RulesetTrials, type Trial } from './ruleset-trials.service.js';
export { RulesetsService } from './rulesets.service.js';
export { RulesetRegistry, LiveRulesets, type LiveRuleset } from './ruleset-registry.js';
export { bucketOf, type SelectedFor, type Selection } from './domain/selection.js';
export { brFirst } from './data/br-first.js';
export {
  evaluate,
  type Circumstances,
  type Composition,
  type Evaluation,
  type Evidence,
  type Outcome,
} from './domain/compose.js';
export type { Component, ComponentState, Finding, Findings } from './domain/component.js';
export { compileRuleset, type CompiledRuleset, type RulesetCompilation } from './domain/compiled-ruleset.js';
export { contentHashOf } from './domain/content-hash.js';
export type { Effect, Reason, RuleVerdict, Silence } from './domain/judge.js';
export { millisOf, type RequestedAction } from './domain/requested-action.js';
export type { PublishedRuleset, RulesetContent } from './domain/ruleset.js';
export type { GroupScore, RiskLevel } from './domain/score.js';
export { decodeFacts, describeFacts, encodeFacts } from './domain/snapshot-codec.js';
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
  type FeatureSource,
  type ListLookup,
  type RuleDefinition,
  type Truth,
} from './language/index.js';
export { brStarter } from './data/br-starter/index.js';
export { countryLists, ownLists, shippedLists, type CountryList } from './data/country-lists.js';
