// Owns rulesets and how they judge facts. Promises that a verdict is pure, explained, and pinned to a published version.
export { RulesModule } from './rules.module.js';
export { actingOperator, nameOfActor, stepOf, type Acting } from './acting.js';
export { shownActor } from './api/rule.view.dto.js';
export { RulesetsService } from './rulesets.service.js';
export { RulesetRegistry, LiveRulesets, type LiveRuleset } from './ruleset-registry.js';
export { bucketOf, type SelectedFor, type Selection } from './domain/selection.js';
export { brFirst } from './data/br-first.js';
export {
  evaluate,
  type Composition,
  type Evaluation,
  type Outcome,
  type RiskLevel,
} from './domain/compose.js';
export type { Reason, RuleVerdict } from './domain/evaluate.js';
export {
  known,
  unknown,
  type Component,
  type ComponentName,
  type Evidence,
  type Fact,
  type Facts,
} from './domain/facts.js';
export type { PublishedRuleset, RulesetContent } from './domain/ruleset.js';
export { FactSheet, featureSchema, type FactSnapshot, type ListLookup } from './language/index.js';
export { brStarter } from './data/br-starter/index.js';
export { countryLists, ownLists, shippedLists, type CountryList } from './data/country-lists.js';
