import type { DeclaringDefinition } from '../declared/aggregate-definition.js';
import type { ComponentName, Direction, Localised, ParameterValue, Unit } from '../vocabulary.js';

export interface LegalBasis {
  readonly norm: string;
  readonly item: string;
  /** Siscoaf code of the item, null where there is none or it is not known. */
  readonly siscoafCode: number | null;
}

/** A threshold with a name: `param.limit` in the text. A changed threshold makes a new version of the rule. */
export interface ParameterDefinition {
  readonly value: ParameterValue;
  readonly unit?: Unit;
  readonly label: Localised;
}

/** The transactions that a rule applies to. `*` is any code, `PIX_*` any with this prefix. Empty lists match none. */
export interface AppliesTo {
  readonly types: readonly string[];
  readonly channels: readonly string[];
  readonly currencies: readonly string[];
  readonly directions: readonly Direction[];
}

export interface RuleScore {
  readonly points: number;
  /** The group of rules whose points are capped together. */
  readonly group: string;
  /** A cap of this rule's group, instead of the ruleset's. */
  readonly groupMax: number | null;
  /** Other points for more serious hits: the first tier whose condition is met replaces `points`. */
  readonly tiers?: readonly { readonly when: string; readonly points: number }[];
}

export type RecommendedAction = 'NONE' | 'STEP_UP' | 'HOLD' | 'DECLINE';
export type RuleMode = 'LIVE' | 'SHADOW' | 'DISABLED';
export type OnIndeterminate = 'PARTIAL' | 'RECORD';

export type RuleAction =
  | {
      readonly type: 'STEP_UP_SESSION';
      readonly flowKey: string;
      /** ISO 8601 durations. */
      readonly onlyIfNoneWithin: string;
      readonly expiresIn: string;
      /** Replaces `expiresIn` from 20:00 to 06:00, America/Sao_Paulo. */
      readonly expiresInAtNight: string;
    }
  | { readonly type: 'OPEN_CASE'; readonly queue: string };

/** The flags of a hit: a cash report that is due, or data that is missing in the records. */
export type RuleFlag = 'REPORT_COE' | 'EVIDENCE_GAP';

/** A rule as it is written, versioned and published. Plain data: it can be stored as JSON. */
export interface RuleDefinition extends DeclaringDefinition {
  readonly key: string;
  readonly version: number;
  readonly name: Localised;
  readonly description: Localised;
  readonly severity: 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL';
  /** The component that a hit belongs to. */
  readonly component: ComponentName;
  readonly category: string;
  readonly tags: readonly string[];
  readonly appliesTo: AppliesTo;
  readonly parameters: Readonly<Record<string, ParameterDefinition>>;
  readonly when: string;
  readonly score: RuleScore;
  readonly effect: {
    readonly minOutcome: 'REVIEW' | null;
    readonly recommend: RecommendedAction;
    readonly reasonCode: string;
  };
  /**
   * For a rule that cannot be decided. PARTIAL: the composition is partial. RECORD: the rule is only recorded, if
   * `evidence` names each missing input as not required.
   */
  readonly onIndeterminate: OnIndeterminate;
  /** Features to show in the reason; an unknown feature is named there if it is required. */
  readonly evidence: readonly { readonly feature: string; readonly required: boolean }[];
  readonly actions: readonly RuleAction[];
  /** Ids of the lists that the condition reads. */
  readonly lists: readonly string[];
  readonly flags: readonly RuleFlag[];
  readonly mode: RuleMode;
  /** The time in which the rule does not count again for the same customer (ISO 8601); null if it always counts. */
  readonly cooldown: string | null;
  /** The reason in words. `{feature}`, `{param.x}` and other expressions in braces are replaced by values. */
  readonly message: Localised;
  readonly legalBasis: readonly LegalBasis[];
}

/**
 * Lowers a score. A hit subtracts its points and suppresses the rules that it names: they are shown as suppressed, and
 * neither their points nor their reviews count. Outcomes that other rules force stay.
 */
export interface DampenerDefinition extends DeclaringDefinition {
  readonly key: string;
  readonly version: number;
  readonly name: Localised;
  readonly description: Localised;
  readonly appliesTo: AppliesTo;
  readonly parameters: Readonly<Record<string, ParameterDefinition>>;
  readonly when: string;
  /** Negative. */
  readonly points: number;
  readonly suppresses: readonly string[];
  readonly mode: RuleMode;
  readonly message: Localised;
}

/** The components that a complete composition needs for transactions of these types. The first matching item of a list counts. */
export interface RequiredComponents {
  readonly types: readonly string[];
  /** Only for these directions; a transaction of unknown direction matches any. */
  readonly directions?: readonly Direction[];
  readonly components: readonly ComponentName[];
  /** Further components from an amount on. */
  readonly fromAmountBrl?: { readonly amount: number; readonly components: readonly ComponentName[] };
  /** Further components when the currency is not BRL. */
  readonly inForeignCurrency?: readonly ComponentName[];
  /** Components that a channel cannot have, such as a device at a branch; the receipt names them. */
  readonly exemptions?: readonly {
    readonly channels: readonly string[];
    readonly components: readonly ComponentName[];
  }[];
}

/**
 * A ruleset on trial against the live ruleset. SHADOW: it is evaluated beside the live ruleset and recorded, without
 * effect. SPLIT: it decides for a fixed share of the customers; for unknown customers the live ruleset decides.
 */
export interface Experiment {
  readonly challengerOf: string;
  readonly mode: 'SHADOW' | 'SPLIT';
  /** Share of the customers, 0 to 100. */
  readonly percent: number;
  readonly stickyBy: 'CUSTOMER';
}

export interface RulesetDefinition {
  readonly key: string;
  readonly version: number;
  readonly name: Localised;
  /** `*` is any; types may be beginnings such as PIX_*, applications are public ids (`app_…`). */
  readonly selector: { readonly types: readonly string[]; readonly clientApps: readonly string[] };
  /** Set on a challenger alone. */
  readonly experiment?: Experiment;
  readonly rules: readonly RuleDefinition[];
  readonly dampeners: readonly DampenerDefinition[];
  readonly scoring: {
    readonly reviewAt: number;
    /** Cap of a group's points; `default` for groups without one. */
    readonly caps: Readonly<Record<string, number>>;
    /** The lowest score of each band; LOW begins at 0. */
    readonly bands: { readonly MEDIUM: number; readonly HIGH: number; readonly CRITICAL: number };
  };
  readonly composition: { readonly requiredComponents: readonly RequiredComponents[] };
}
