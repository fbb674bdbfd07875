import { isEntryInForce, type ListEntry, type ListKind } from './lists/list-entry.js';

/** The known facts about a party, other than its name. */
export interface SubjectFacts {
  /** Full CPF or CNPJ, without punctuation. */
  readonly document: string | null;
  /** The six digits that a masked CPF shows, even if the full CPF is known. */
  readonly visibleDigits: string | null;
  /** `1970-01-31`, or `1970`. */
  readonly birthDate: string | null;
  /** Nationalities, ISO 3166-1 alpha-2. The country of an account is not a nationality. */
  readonly nationalities: readonly string[];
}

export type Qualifier =
  | 'DOCUMENT_EQUAL'
  | 'VALUE_EQUAL'
  | 'DOCUMENT_DIFFERENT'
  | 'MASKED_DOCUMENT_EQUAL'
  | 'MASKED_DOCUMENT_DIFFERENT'
  | 'BIRTH_DATE_EQUAL'
  | 'BIRTH_YEAR_EQUAL'
  | 'BIRTH_DATE_DIFFERENT'
  | 'NATIONALITY_SHARED'
  | 'NATIONALITY_DIFFERENT'
  | 'NAME_RARE'
  | 'NAME_COMMON';

/**
 * DOCUMENT: the full documents are equal. STRONG: the name agrees, and a fact that few people share. NAME: only the
 * name agrees. CONTRADICTED: the name agrees, and a fact differs.
 */
export type MatchStrength = 'DOCUMENT' | 'STRONG' | 'NAME' | 'CONTRADICTED';

export interface QualifiedMatch {
  readonly score: number;
  readonly strength: MatchStrength;
  readonly qualifiers: readonly Qualifier[];
  /** True if a person must decide before anything is approved; otherwise the hit is stored and shown as evidence. */
  readonly mandatory: boolean;
}

/** Minimum scores of a name match: to be stored as a hit, and to be mandatory (if the kind of list allows that). */
export interface Thresholds {
  readonly evidence: number;
  readonly mandatory: number;
}

/** The defaults of each kind of list. The design sets the mandatory score of name matches: sanctions 0.85, PEP 0.88. */
export const defaultThresholds: Readonly<Record<ListKind, Thresholds>> = {
  SANCTIONS: { evidence: 0.8, mandatory: 0.85 },
  PEP: { evidence: 0.85, mandatory: 0.88 },
  DEBARMENT: { evidence: 0.88, mandatory: 0.88 },
  BLOCKLIST: { evidence: 0.88, mandatory: 0.92 },
  WATCH: { evidence: 0.85, mandatory: 0.9 },
  ALLOWLIST: { evidence: 0.95, mandatory: 1 },
};

/** The effect of each qualifier on the score of the name: it is multiplied, then increased. */
const EFFECTS: Readonly<Partial<Record<Qualifier, readonly [times: number, plus: number]>>> = {
  DOCUMENT_DIFFERENT: [0.6, 0],
  MASKED_DOCUMENT_EQUAL: [1, 0.08],
  MASKED_DOCUMENT_DIFFERENT: [0.6, 0],
  BIRTH_DATE_EQUAL: [1, 0.05],
  BIRTH_YEAR_EQUAL: [1, 0.02],
  BIRTH_DATE_DIFFERENT: [0.7, 0],
  NATIONALITY_SHARED: [1, 0.02],
  NATIONALITY_DIFFERENT: [0.97, 0],
};
// From this score, names differ in spelling only.
const EXACT_NAME = 0.95;

type EntryFacts = Pick<
  ListEntry,
  'values' | 'maskedDocument' | 'birthDates' | 'countries' | 'validFrom' | 'validUntil'
>;

/** Compares the facts of an entry other than its name; null if the entry is not in force. */
export function qualifiersOf(subject: SubjectFacts, entry: EntryFacts, day: string): Qualifier[] | null {
  if (!isEntryInForce(entry, day)) return null;
  const { document } = subject;
  if (
    document !== null &&
    entry.values.some(({ type, value }) => type === 'DOCUMENT' && value === document)
  ) {
    return ['DOCUMENT_EQUAL'];
  }
  const qualifiers: Qualifier[] = [];
  // A person has one CPF. An organisation may be listed with the CNPJ of another branch.
  if (
    document?.length === 11 &&
    entry.values.some(({ type, value }) => type === 'DOCUMENT' && value.length === 11)
  ) {
    qualifiers.push('DOCUMENT_DIFFERENT');
  }
  if (subject.visibleDigits !== null && entry.maskedDocument !== null) {
    const equal = subject.visibleDigits === entry.maskedDocument;
    qualifiers.push(equal ? 'MASKED_DOCUMENT_EQUAL' : 'MASKED_DOCUMENT_DIFFERENT');
  }
  const born = compareBirth(subject.birthDate, entry.birthDates);
  if (born !== null) qualifiers.push(born);
  if (subject.nationalities.length > 0 && entry.countries.length > 0) {
    const shared = subject.nationalities.some((country) => entry.countries.includes(country));
    qualifiers.push(shared ? 'NATIONALITY_SHARED' : 'NATIONALITY_DIFFERENT');
  }
  return qualifiers;
}

const isAnotherDocument = (qualifiers: readonly Qualifier[]): boolean =>
  qualifiers.includes('DOCUMENT_DIFFERENT') || qualifiers.includes('MASKED_DOCUMENT_DIFFERENT');
const isContradicted = (qualifiers: readonly Qualifier[]): boolean =>
  isAnotherDocument(qualifiers) || qualifiers.includes('BIRTH_DATE_DIFFERENT');
const isCorroborated = (qualifiers: readonly Qualifier[]): boolean =>
  qualifiers.includes('DOCUMENT_EQUAL') ||
  qualifiers.includes('MASKED_DOCUMENT_EQUAL') ||
  qualifiers.includes('BIRTH_DATE_EQUAL');

/**
 * True if an entry with these facts can make a hit mandatory, or set a fact that rules read, if only its name matches
 * well enough. So the facts are judged before any limit.
 */
export function canDecide(kind: ListKind, facts: readonly Qualifier[], isRare: () => boolean): boolean {
  switch (kind) {
    case 'SANCTIONS':
      return !isAnotherDocument(facts);
    case 'PEP':
      // Equal digits are a fact for rules, whatever contradicts them.
      return (
        facts.includes('MASKED_DOCUMENT_EQUAL') ||
        (!isContradicted(facts) && (isCorroborated(facts) || isRare()))
      );
    case 'BLOCKLIST':
      return !isContradicted(facts) && isCorroborated(facts);
    case 'DEBARMENT':
    case 'WATCH':
    case 'ALLOWLIST':
      return false;
  }
}

/** Adjusts the score of the name by the other facts; null if the name matches too little to be a hit. */
export function qualifyMatch(
  facts: readonly Qualifier[],
  name: { readonly score: number; readonly rare: boolean },
  { kind, thresholds }: { readonly kind: ListKind; readonly thresholds: Thresholds },
): QualifiedMatch | null {
  if (facts.includes('DOCUMENT_EQUAL')) {
    return {
      score: 1,
      strength: 'DOCUMENT',
      qualifiers: ['DOCUMENT_EQUAL'],
      mandatory: kind === 'SANCTIONS' || kind === 'PEP' || kind === 'BLOCKLIST',
    };
  }
  // Other facts alone are not a hit: the name must match first.
  if (name.score < thresholds.evidence) return null;
  const score = facts.reduce((sum, fact) => {
    const [times, plus] = EFFECTS[fact] ?? [1, 0];
    return sum * times + plus;
  }, name.score);
  const corroborated = isCorroborated(facts);
  const contradicted = isContradicted(facts);
  // Birth dates are often wrong on lists, and customers state their own: a date does not clear an exact name.
  const cleared =
    contradicted && (isAnotherDocument(facts) || kind !== 'SANCTIONS' || name.score < EXACT_NAME);
  return {
    score: Math.min(1, Math.round(score * 10_000) / 10_000),
    strength: contradicted ? 'CONTRADICTED' : corroborated ? 'STRONG' : 'NAME',
    qualifiers: [...facts, name.rare ? 'NAME_RARE' : 'NAME_COMMON'],
    mandatory: name.score >= thresholds.mandatory && !cleared && isMandatoryByName(kind, corroborated, name),
  };
}

/**
 * True if the name makes a hit mandatory: for sanctions, always. On a large national list too many people share a name
 * (319 of 1,000 unrelated customers match a list of a million), so it takes another fact, or a name so rare that one
 * bearer is expected.
 */
function isMandatoryByName(
  kind: ListKind,
  corroborated: boolean,
  name: { readonly score: number; readonly rare: boolean },
): boolean {
  switch (kind) {
    case 'SANCTIONS':
      return true;
    case 'PEP':
      return corroborated || (name.rare && name.score >= RARE_FROM);
    case 'BLOCKLIST':
      return corroborated;
    case 'DEBARMENT':
    case 'WATCH':
    case 'ALLOWLIST':
      return false;
  }
}

// A rare name counts only if it matches in full.
const RARE_FROM = 0.95;

function compareBirth(
  own: string | null,
  listed: readonly string[],
): 'BIRTH_DATE_EQUAL' | 'BIRTH_YEAR_EQUAL' | 'BIRTH_DATE_DIFFERENT' | null {
  if (own === null || listed.length === 0) return null;
  if (own.length === 10 && listed.includes(own)) return 'BIRTH_DATE_EQUAL';
  const year = Number(own.slice(0, 4));
  if (listed.some((date) => date.slice(0, 4) === own.slice(0, 4))) {
    // Two different full dates in one year are often one date written in two ways.
    return 'BIRTH_YEAR_EQUAL';
  }
  // Lists often give "circa" years, so a year apart is not a contradiction.
  return listed.every((date) => Math.abs(Number(date.slice(0, 4)) - year) > 1)
    ? 'BIRTH_DATE_DIFFERENT'
    : null;
}

// The population of Brazil, about. Its product with the shares of the names is the expected number of bearers.
const POPULATION = 200_000_000;

/** True if less than one person is expected to bear all these tokens: a bearer is probably the listed person. */
export const isRareName = (shares: readonly number[]): boolean =>
  shares.length >= 2 && shares.reduce((product, share) => product * share, POPULATION) < 1;
