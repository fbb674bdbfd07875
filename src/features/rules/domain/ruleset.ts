import type { RulesetDefinition } from '../language/index.js';
import type { CompiledRuleset } from './compiled-ruleset.js';

/** The published content: plain data, pinned by its hash. */
export type RulesetContent = RulesetDefinition;

/** A published ruleset, pinned by its content hash and compiled. */
export interface PublishedRuleset {
  readonly id: string;
  readonly contentHash: string;
  readonly content: RulesetContent;
  readonly compiled: CompiledRuleset;
}
