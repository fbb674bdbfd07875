/** The parts of the evidence that a score is composed of. */
export const componentNames = [
  'IDENTITY',
  'COUNTERPARTY',
  'LISTS',
  'VELOCITY',
  'PROFILE',
  'DEVICE_IP',
  'DICT',
  'FX',
  'RULES',
] as const;
export type ComponentName = (typeof componentNames)[number];

export type Language = 'pt-BR' | 'en';
export type Localised = Readonly<Record<Language, string>>;

/** `time` is an instant in milliseconds since the epoch, and a type of its own: it is never a plain number. */
export type FeatureType = 'number' | 'string' | 'bool' | 'time' | 'numbers' | 'strings';

export type FactValue = number | string | boolean | readonly number[] | readonly string[];

/** The form in which people read a number. */
export type Unit = 'BRL' | 'USD' | 'MONEY' | 'COUNT' | 'DAYS' | 'SCORE' | 'PERCENT';

/**
 * The period that a feature looks back on: minutes, hours, days before `occurredAt`; `5bd` five business days of the
 * Brazilian bank calendar, the current one included; `day` the local day (America/Sao_Paulo); `history` all that is
 * stored.
 */
export type FeatureWindow = '10m' | '1h' | '24h' | '7d' | '30d' | '90d' | '5bd' | 'day' | 'history';

export type FeatureSource =
  | 'TRANSACTION'
  | 'METADATA'
  | 'VELOCITY'
  | 'PROFILE'
  | 'LISTS'
  | 'FX'
  | 'DICT'
  | 'EVIDENCE'
  | 'KYC'
  | 'CASES'
  | 'AGGREGATE'
  | 'CUSTOM'
  | 'APPLICATION';

/** One value that rules may read. */
export interface FeatureDefinition<Name extends string = string> {
  /** The number in stored snapshots: unique for ever, independent of the order of features. */
  readonly number: number;
  readonly name: Name;
  readonly type: FeatureType;
  readonly source: FeatureSource;
  /** The component whose evidence it is. */
  readonly component: ComponentName;
  readonly window: FeatureWindow | (string & {}) | null;
  readonly unit: Unit | null;
  /** True if the value may be missing although the source works; a rule that reads it has to check with `has`. */
  readonly nullable: boolean;
  /** Personal data: shown masked in explanations. */
  readonly personal: boolean;
  /** True if the value may be cut off at a cap; then it is a lower bound (a list: its newest items). */
  readonly capped: boolean;
  /** True if the evaluated transaction itself counts. */
  readonly includesCurrent: boolean;
  readonly description: string;
  /** The name in sentences. */
  readonly label: Localised;
}

/**
 * The outcome of a fact. KNOWN has a value. MISSING: its source has no value. ERROR: its source failed. STALE: the data
 * of its source is too old. SKIPPED: no source was queried.
 */
export type FactState = 'KNOWN' | 'MISSING' | 'ERROR' | 'STALE' | 'SKIPPED';
export type UnknownState = Exclude<FactState, 'KNOWN'>;

export type Fact =
  | { readonly state: 'KNOWN'; readonly value: FactValue; readonly saturated: boolean }
  | { readonly state: UnknownState; readonly reason: string };

export type RuleOutcome = 'HIT' | 'NO_HIT' | 'INDETERMINATE';
/** The three truth values (Kleene). */
export type Truth = 'TRUE' | 'FALSE' | 'UNKNOWN';

export type Direction = 'IN' | 'OUT';
export type ParameterValue = number | string | boolean | readonly number[] | readonly string[];

/** One comparison of a rule, with the values that decided it. */
export interface ExplainedComparison {
  /** The text of the comparison as in the rule, with names of parameters instead of their values. */
  readonly expr: string;
  readonly result: Truth;
  /** Values that were read, keyed by feature or `param.x`; personal data is masked. */
  readonly values: Readonly<Record<string, FactValue>>;
  /** Features without a value, and why; empty when all are known. */
  readonly unknown: Readonly<Record<string, { readonly state: UnknownState; readonly reason: string }>>;
  /** Features with only a lower bound. */
  readonly saturated: readonly string[];
}

export interface Explanation {
  readonly leaves: readonly ExplainedComparison[];
}

/** A fault with its place: `start` and `end` are offsets in UTF-16 units, `line` and `column` begin at 1. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  /** The field of the definition that holds the text, such as `when` or `message.en`; empty for a lone expression. */
  readonly path: string;
  readonly message: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
  readonly expected?: string;
  readonly found?: string;
  /** Did-you-mean. */
  readonly suggestion?: string;
}

export type DiagnosticCode =
  | 'SYNTAX'
  | 'UNKNOWN_FIELD'
  | 'UNKNOWN_FUNCTION'
  | 'UNKNOWN_PARAMETER'
  | 'UNKNOWN_LIST'
  | 'WRONG_TYPE'
  | 'WRONG_ARGUMENT'
  | 'NESTED_QUANTIFIER'
  | 'TOO_EXPENSIVE'
  | 'TOO_LARGE'
  | 'TOO_DEEP'
  | 'LIST_TOO_LONG'
  | 'DEFINITION_INVALID'
  // Remarks: the text is valid, but hardly means what its author meant.
  | 'ALWAYS_TRUE'
  | 'NEVER_TRUE'
  | 'UNKNOWN_VALUE'
  | 'LIST_CLEARS';

/** Limits of an expression, so that every evaluation ends soon. */
export const LIMITS = {
  /** Steps that an evaluation takes at most. */
  cost: 5_000,
  nodes: 400,
  depth: 24,
  /** Items of a list, in the text or in a feature. */
  list: 200,
  /** UTF-16 units of the text. */
  text: 8_000,
  /** Aggregates that one rule declares. */
  aggregates: 20,
  /** Steps that the filter of an aggregate takes for a row at most. */
  filterCost: 60,
  /** Newest rows of a key that windows look at. */
  rows: 2_000,
  /** Steps that a whole ruleset takes for a transaction at most. */
  rulesetCost: 1_000_000,
} as const;
