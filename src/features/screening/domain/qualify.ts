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

const MASKED_EQUAL = 0.08;
const MASKED_DIFFERENT = 0.6;
const BORN_EQUAL = 0.05;
const BORN_SAME_YEAR = 0.02;
const BORN_DIFFERENT = 0.7;
const NATIONALITY_SHARED = 0.02;
const NATIONALITY_DIFFERENT = 0.97;
// From this score, names differ in spelling only.
const EXACT_NAME = 0.95;

/** Adjusts the score of the name by the facts of the entry; null if they leave no hit. */
export function qualifyMatch(
  subject: SubjectFacts,
  entry: Pick<
    ListEntry,
    'values' | 'maskedDocument' | 'birthDates' | 'countries' | 'validFrom' | 'validUntil'
  >,
  name: { readonly score: number; readonly rare: boolean },
  list: { readonly kind: ListKind; readonly thresholds: Thresholds },
  day: string,
): QualifiedMatch | null {
  if (!isEntryInForce(entry, day)) return null;
  const qualifiers: Qualifier[] = [];
  const documents = entry.values.filter(({ type }) => type === 'DOCUMENT').map(({ value }) => value);
  if (subject.document !== null && documents.includes(subject.document)) {
    return {
      score: 1,
      strength: 'DOCUMENT',
      qualifiers: ['DOCUMENT_EQUAL'],
      mandatory: list.kind === 'SANCTIONS' || list.kind === 'PEP' || list.kind === 'BLOCKLIST',
    };
  }
  let score = name.score;
  let corroborated = false;
  let contradicted = false;
  let anotherDocument = false;
  // A person has one CPF. An organisation may be listed with the CNPJ of another branch.
  if (subject.document?.length === 11 && documents.some((document) => document.length === 11)) {
    qualifiers.push('DOCUMENT_DIFFERENT');
    score *= MASKED_DIFFERENT;
    contradicted = true;
    anotherDocument = true;
  }
  if (subject.visibleDigits !== null && entry.maskedDocument !== null) {
    const equal = subject.visibleDigits === entry.maskedDocument;
    qualifiers.push(equal ? 'MASKED_DOCUMENT_EQUAL' : 'MASKED_DOCUMENT_DIFFERENT');
    if (equal) {
      score += MASKED_EQUAL;
      corroborated = true;
    } else {
      score *= MASKED_DIFFERENT;
      contradicted = true;
      anotherDocument = true;
    }
  }
  const born = compareBirth(subject.birthDate, entry.birthDates);
  if (born === 'EQUAL') {
    qualifiers.push('BIRTH_DATE_EQUAL');
    score += BORN_EQUAL;
    corroborated = true;
  } else if (born === 'SAME_YEAR') {
    qualifiers.push('BIRTH_YEAR_EQUAL');
    score += BORN_SAME_YEAR;
  } else if (born === 'DIFFERENT') {
    qualifiers.push('BIRTH_DATE_DIFFERENT');
    score *= BORN_DIFFERENT;
    contradicted = true;
  }
  if (subject.nationalities.length > 0 && entry.countries.length > 0) {
    const shared = subject.nationalities.some((country) => entry.countries.includes(country));
    qualifiers.push(shared ? 'NATIONALITY_SHARED' : 'NATIONALITY_DIFFERENT');
    score = shared ? score + NATIONALITY_SHARED : score * NATIONALITY_DIFFERENT;
  }
  qualifiers.push(name.rare ? 'NAME_RARE' : 'NAME_COMMON');
  const strength: MatchStrength = contradicted ? 'CONTRADICTED' : corroborated ? 'STRONG' : 'NAME';
  // Birth dates are often wrong on lists, and customers state their own: a date does not clear an exact name.
  const cleared = contradicted && (anotherDocument || list.kind !== 'SANCTIONS' || name.score < EXACT_NAME);
  const enough = name.score >= list.thresholds.mandatory && !cleared;
  // Other facts alone are not a hit: the name must match first.
  if (name.score < list.thresholds.evidence) return null;
  return {
    score: Math.min(1, Math.round(score * 10_000) / 10_000),
    strength,
    qualifiers,
    mandatory: enough && forces(list.kind, corroborated, name),
  };
}

/**
 * True if the name makes a hit mandatory: for sanctions, always. On a large national list too many people share a name
 * (319 of 1,000 unrelated customers match a list of a million), so it takes another fact, or a name so rare that one
 * bearer is expected.
 */
function forces(
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
): 'EQUAL' | 'SAME_YEAR' | 'DIFFERENT' | 'UNKNOWN' {
  if (own === null || listed.length === 0) return 'UNKNOWN';
  if (own.length === 10 && listed.includes(own)) return 'EQUAL';
  const year = Number(own.slice(0, 4));
  if (listed.some((date) => date.slice(0, 4) === own.slice(0, 4))) {
    // Two different full dates in one year are often one date written in two ways.
    return 'SAME_YEAR';
  }
  // Lists often give "circa" years, so a year apart is not a contradiction.
  return listed.every((date) => Math.abs(Number(date.slice(0, 4)) - year) > 1) ? 'DIFFERENT' : 'UNKNOWN';
}

// The population of Brazil, about. Its product with the shares of the names is the expected number of bearers.
const POPULATION = 200_000_000;

/** True if less than one person is expected to bear all these tokens: a bearer is probably the listed person. */
export const isRareName = (shares: readonly number[]): boolean =>
  shares.length >= 2 && shares.reduce((product, share) => product * share, POPULATION) < 1;
