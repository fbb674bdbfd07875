import { publicId } from '../../../../platform/kernel/ids.js';
import {
  FactSheet,
  type FeatureName,
  type ComponentFinding,
  type IntegrityFlag,
} from '../../../rules/index.js';
import type {
  CurrentHit,
  CurrentMatch,
  ListKind,
  RecordedMatch,
  Screening,
  ScreeningState,
  MatchStrength,
} from '../../../screening/index.js';

export interface ScreenedTransaction {
  readonly screening: Pick<
    Screening,
    'state' | 'source' | 'asOf' | 'kinds' | 'stale' | 'staleKinds' | 'terms'
  >;
  readonly matches: readonly (CurrentMatch | RecordedMatch)[];
  /** Earlier hits: of the customer if the transaction does not name the customer, and of owners and representatives. */
  readonly standing: readonly CurrentHit[];
  /** True if the customer was screened by name, for this transaction or before. */
  readonly customerNamed: boolean;
  /** True if a party has a name that screening could not compare. */
  readonly uncompared: boolean;
  /** The kinds of lists on which a party has more matches than were judged or are kept. */
  readonly cutKinds: ReadonlySet<ListKind>;
  /** True if the transaction has a party to screen. */
  readonly anybody: boolean;
  /** True if one of the parties is frozen. */
  readonly frozen: boolean;
  /** True if one person alone ended the freeze of one of the parties. */
  readonly freezeEndedAlone: boolean;
}

/** A match of this screening, or an earlier hit of the customer. */
interface Sign {
  readonly kind: ListKind;
  readonly listKey: string;
  readonly nameScore: number;
  readonly strength: MatchStrength;
  readonly qualifiers: readonly string[];
  readonly mandatory: boolean;
  readonly equal: readonly string[];
}

/** The signs about the parties, with the dismissed hits and whether a decision is missing. */
interface SignSummary {
  readonly signs: readonly Sign[];
  readonly dismissed: readonly string[];
  readonly undecided: boolean;
}

/** The kinds of lists that the law requires. */
const REQUIRED_KINDS: readonly ListKind[] = ['SANCTIONS', 'PEP'];

const TOO_MANY = 'TOO_MANY_MATCHES';

/** Sets every fact about lists and returns the finding of the component. Pure. */
export function setScreeningFacts(
  sheet: FactSheet,
  screened: ScreenedTransaction,
  receivedAt: Date,
): ComponentFinding {
  const finding = putFacts(sheet, screened, receivedAt);
  // An entry that one operator alone added clears nobody.
  const matches = screened.matches.filter(({ isOfOne }) => isOfOne !== true);
  if (matches.length < screened.matches.length) {
    const confirmed = new FactSheet(sheet.schema);
    putFacts(confirmed, { ...screened, matches }, receivedAt);
    sheet.setUnconfirmedFrom(confirmed);
  }
  return finding;
}

function putFacts(sheet: FactSheet, screened: ScreenedTransaction, receivedAt: Date): ComponentFinding {
  const signs = signsOf(screened);
  const { state, kinds, staleKinds } = screened.screening;
  const { cutKinds } = screened;
  const isUnavailable =
    state === 'LOADING' || state === 'STOPPED' || state === 'FAILED' || state === 'ALTERED';
  // Sets a fact. A hit counts even if other lists could not be searched; "no hit" needs a search in every list, up to
  // date.
  const put = (
    name: FeatureName,
    kind: ListKind,
    value: boolean | number | readonly string[],
    found: boolean,
  ): void => {
    if (found) sheet.set(name, value);
    else if (isUnavailable) sheet.setUnknown(name, 'ERROR', reasonOf(state));
    else if (!kinds.has(kind) && kind !== 'BLOCKLIST') sheet.setUnknown(name, 'MISSING', `NO_${kind}_LIST`);
    else if (cutKinds.has(kind)) sheet.setUnknown(name, 'ERROR', TOO_MANY);
    else if (staleKinds.has(kind)) sheet.setUnknown(name, 'STALE', 'LIST_STALE');
    else sheet.set(name, value);
  };
  const sanctions = signs.filter(({ kind, strength }) => kind === 'SANCTIONS' && strength !== 'CONTRADICTED');
  const bestName = Math.max(0, ...sanctions.map(({ nameScore }) => nameScore));
  put('sanctions.documentMatch', 'SANCTIONS', sanctions.some(isDocument), sanctions.some(isDocument));
  put('sanctions.nameScore', 'SANCTIONS', bestName, bestName > 0);
  put(
    'sanctions.lists',
    'SANCTIONS',
    distinct(sanctions.map(({ listKey }) => listKey)),
    sanctions.length > 0,
  );

  const pep = signs.filter(
    ({ kind, strength, qualifiers }) =>
      kind === 'PEP' && (strength === 'DOCUMENT' || qualifiers.includes('MASKED_DOCUMENT_EQUAL')),
  );
  const pepName = Math.max(
    0,
    ...pep.map(({ nameScore, strength }) => (strength === 'DOCUMENT' ? 1 : nameScore)),
  );
  put('pep.documentMatch', 'PEP', pep.length > 0, pep.length > 0);
  put('pep.nameScore', 'PEP', pepName, pepName > 0);
  // Matches contain no politically exposed person whose grace period has ended.
  put('pep.active', 'PEP', pep.length > 0, pep.length > 0);

  const blocked = signs.filter(({ kind, mandatory }) => kind === 'BLOCKLIST' && mandatory);
  const keys = distinct(blocked.flatMap(({ equal }) => (equal.length > 0 ? equal : ['DOCUMENT'])));
  put('blocklist.matches', 'BLOCKLIST', keys, keys.length > 0);
  const debarred = signs.some((sign) => sign.kind === 'DEBARMENT' && isDocument(sign));
  put('debarment.documentMatch', 'DEBARMENT', debarred, debarred);
  const undecided = isUndecided(screened);
  const { stale } = screened.screening;
  if (undecided) sheet.set('hits.undecided', true);
  else if (isUnavailable) sheet.setUnknown('hits.undecided', 'ERROR', reasonOf(state));
  else if (cutKinds.size > 0) sheet.setUnknown('hits.undecided', 'ERROR', TOO_MANY);
  else if (stale.length > 0) sheet.setUnknown('hits.undecided', 'STALE', 'LIST_STALE');
  else sheet.set('hits.undecided', false);
  const dismissed = dismissedHitsOf(screened);
  const finding = findingOf(screened, { signs, dismissed, undecided }, receivedAt);
  const marks: IntegrityFlag[] = [
    ...(screened.frozen ? ['FROZEN' as const] : []),
    ...(restsOnOnePerson(screened) ? ['SINGLE_CONTROL' as const] : []),
  ];
  const { thresholds, off } = screened.screening.terms;
  return {
    ...finding,
    ...(dismissed.some((id) => id !== '') ? { hits: dismissed.filter((id) => id !== '') } : {}),
    ...(marks.length > 0 ? { marks } : {}),
    terms: {
      thresholds,
      ...(off.length > 0 ? { off } : {}),
      ...(stale.length > 0 ? { stale } : {}),
    },
  };
}

/** True if a hit that needs a decision has none; ESCALATED is not a decision. Earlier hits always need a decision. */
const isUndecided = ({ matches, standing }: ScreenedTransaction): boolean =>
  [...matches.filter(({ mandatory }) => mandatory), ...standing].some(
    ({ status }) => status === 'PENDING' || status === 'ESCALATED',
  );

/** True if one person alone dismissed a hit that needs two, ended a freeze, or set the terms of a searched list. */
const restsOnOnePerson = ({ screening, matches, standing, freezeEndedAlone }: ScreenedTransaction): boolean =>
  freezeEndedAlone ||
  screening.terms.singleControl ||
  [...matches, ...standing].some(
    ({ status, singleControl }) => status === 'DISMISSED_FALSE_POSITIVE' && singleControl,
  );

/** Returns the ids of dismissed hits. A match of a dry-run is not stored and gives ''. */
const dismissedHitsOf = ({ matches, standing }: ScreenedTransaction): string[] =>
  distinct(
    [...matches, ...standing]
      .filter(({ status }) => status === 'DISMISSED_FALSE_POSITIVE')
      .map((match) => ('hitId' in match ? publicId('hit', match.hitId) : '')),
  );

function signsOf({ matches, standing }: ScreenedTransaction): Sign[] {
  const seenSigns = matches
    .filter(({ status }) => status !== 'DISMISSED_FALSE_POSITIVE')
    .map(({ list, nameScore, strength, qualifiers, mandatory, equal }) => ({
      kind: list.kind,
      listKey: list.key,
      nameScore,
      strength,
      qualifiers,
      mandatory,
      equal,
    }));
  const current = standing.filter(({ status }) => status !== 'DISMISSED_FALSE_POSITIVE');
  const before = current.map(({ listKey, listKind, nameScore, strength, qualifiers }) => ({
    kind: listKind,
    listKey,
    nameScore,
    strength,
    qualifiers,
    mandatory: true,
    equal: [],
  }));
  return [...seenSigns, ...before];
}

const isDocument = ({ strength }: Sign): boolean => strength === 'DOCUMENT';
const distinct = (texts: readonly string[]): string[] => [...new Set(texts)].sort();

const reasonOf = (state: ScreeningState): string => (state === 'ALTERED' ? 'LIST_ALTERED' : `INDEX_${state}`);

/** Returns the finding of LISTS. Lists that were not searched never give NO_HIT. */
function findingOf(
  { screening, customerNamed, uncompared, cutKinds, anybody }: ScreenedTransaction,
  { signs, dismissed, undecided }: SignSummary,
  receivedAt: Date,
): ComponentFinding {
  const { state, source, asOf, kinds, stale } = screening;
  const found = { source, asOf: (asOf ?? receivedAt).toISOString() };
  switch (state) {
    case 'LOADING':
    case 'STOPPED':
    case 'FAILED':
    case 'ALTERED':
      return { state: 'ERROR', reason: reasonOf(state), ...found };
    case 'NO_LISTS':
      return { state: 'MISSING_INPUT', reason: 'NO_LISTS', ...found };
    case 'STALE':
      return { state: 'STALE_SOURCE', reason: `LIST_STALE:${stale.join('+')}`, ...found };
    case 'READY':
      break;
  }
  const missingKind = REQUIRED_KINDS.find((kind) => !kinds.has(kind));
  if (missingKind !== undefined) return { state: 'PARTIAL', reason: `NO_${missingKind}_LIST`, ...found };
  if (!anybody) return { state: 'MISSING_INPUT', reason: 'NOBODY_TO_SCREEN', ...found };
  // No rule reads matches by a rare name, so PARTIAL sends such a transaction to a review.
  const rare = signs.some(
    ({ kind, mandatory, qualifiers }) =>
      kind === 'PEP' &&
      mandatory &&
      qualifiers.includes('NAME_RARE') &&
      !qualifiers.includes('MASKED_DOCUMENT_EQUAL'),
  );
  if (rare) return { state: 'PARTIAL', reason: 'PEP_BY_RARE_NAME', ...found };
  if (!customerNamed) return { state: 'PARTIAL', reason: 'CUSTOMER_NOT_NAMED', ...found };
  if (cutKinds.size > 0) return { state: 'PARTIAL', reason: TOO_MANY, ...found };
  if (uncompared) return { state: 'PARTIAL', reason: 'NAME_NOT_COMPARED', ...found };
  if (signs.length > 0) return { state: 'HIT', ...(undecided ? { reason: 'HIT_UNDECIDED' } : {}), ...found };
  if (dismissed.length === 0) return { state: 'NO_HIT', ...found };
  return { state: 'HIT_DISMISSED', ...found };
}
