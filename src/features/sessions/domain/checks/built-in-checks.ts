import type { EvidenceState } from './evidence.js';
import { requestsRole, type DeclaredSubject } from '../flow/roles.js';
import type { CheckName, FlowDefinition, FlowStep } from '../flow/flow.js';

/** The result of a check, before the flow decides whether it was required. */
export interface CheckFinding {
  readonly state: EvidenceState;
  readonly reason: string | null;
  readonly source: string;
  readonly points: number;
  readonly effect: 'NONE' | 'REVIEW' | 'REJECT';
  /** The time of the checked data; by default, the time of the check. */
  readonly asOf?: Date;
  /** Codes for weaknesses of the finding: an unverified code, a provider that did not answer. */
  readonly remarks?: readonly string[];
}

/** The profile of the customer before this session. */
export interface KnownProfile {
  readonly name: string | null;
  readonly document: string | null;
  readonly birthDate: string | null;
}

const BUILT_IN = 'built-in';
export const checkFinding = (
  state: EvidenceState,
  reason: string | null = null,
  points = 0,
  effect: CheckFinding['effect'] = 'NONE',
): CheckFinding => ({ state, reason, source: BUILT_IN, points, effect });

export const missingInputFinding = (reason: string, source = BUILT_IN): CheckFinding => ({
  ...checkFinding('MISSING_INPUT', reason),
  source,
});

export const errorFinding = (reason: string, source = BUILT_IN): CheckFinding => ({
  ...checkFinding('ERROR', reason),
  source,
});

/** TAX_ID: the answers have a CPF or CNPJ with correct check digits. It may still be somebody else's. */
export function checkTaxId({ givenTaxId, taxId, isCompany }: DeclaredSubject): CheckFinding {
  if (givenTaxId === null) return missingInputFinding('TAX_ID_NOT_GIVEN');
  if (!taxId) return checkFinding('HIT', 'CHECK_DIGITS_WRONG', 40, 'REVIEW');
  return isCompany && taxId.kind !== 'CNPJ'
    ? checkFinding('HIT', 'NOT_OF_A_COMPANY', 40, 'REVIEW')
    : checkFinding('NO_HIT');
}

/**
 * PROFILE: the answers agree with the profile before this session. Names are compared by their words, so that an
 * abbreviated or missing middle name is not a contradiction.
 */
export function checkProfile(
  { name, birthDate, taxId }: DeclaredSubject,
  known: KnownProfile | null,
): CheckFinding {
  const document = taxId?.canonical() ?? null;
  if (name === null && birthDate === null && document === null) {
    return missingInputFinding('NOTHING_TO_COMPARE');
  }
  const { name: knownName, document: knownDocument, birthDate: knownDate } = known ?? NOTHING_KNOWN;
  if (knownDocument !== null && document !== null && knownDocument !== document) {
    return checkFinding('HIT', 'DOCUMENT_DIFFERS', 60, 'REVIEW');
  }
  if (knownDate !== null && birthDate !== null && knownDate !== birthDate) {
    return checkFinding('HIT', 'BIRTH_DATE_DIFFERS', 40, 'REVIEW');
  }
  if (knownName !== null && name !== null && !namesAgree(knownName, name)) {
    return checkFinding('HIT', 'NAME_DIFFERS', 40, 'REVIEW');
  }
  return checkFinding('NO_HIT', knownName === null && knownDocument === null ? 'FIRST_STATEMENT' : null);
}

const NOTHING_KNOWN: KnownProfile = { name: null, document: null, birthDate: null };

const wordsOf = (name: string): string[] =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !['de', 'da', 'do', 'das', 'dos', 'e'].includes(word));

/** True if the first and last words agree and each word of the shorter name is in the longer name. */
export function namesAgree(a: string, b: string): boolean {
  const [first, second] = [wordsOf(a), wordsOf(b)];
  const [short, long] = first.length <= second.length ? [first, second] : [second, first];
  if (short.length === 0) return false;
  const same = (x: string | undefined, y: string | undefined): boolean =>
    x !== undefined &&
    y !== undefined &&
    (x === y || (x.length === 1 && y.startsWith(x)) || (y.length === 1 && x.startsWith(y)));
  if (!same(short[0], long[0]) || !same(short.at(-1), long.at(-1))) return false;
  return short.every((word) => long.some((other) => same(word, other)));
}

/** AGE: the person is at least as old as the flow requires, on the local day. */
export function checkAge({ birthDate }: DeclaredSubject, minimumAge: number, today: string): CheckFinding {
  if (birthDate === null) return missingInputFinding('BIRTH_DATE_NOT_GIVEN');
  const age = ageOn(birthDate, today);
  if (age < minimumAge) return checkFinding('HIT', 'UNDER_AGE', 100, 'REJECT');
  // No documented person has lived longer than 122 years.
  return age > 122 ? checkFinding('HIT', 'AGE_IMPLAUSIBLE', 40, 'REVIEW') : checkFinding('NO_HIT');
}

/** Returns whole years between two dates. For a birthday on 29 February, other years count from 1 March. */
export function ageOn(birthDate: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(birthDate.slice(0, 4));
  return today.slice(5) < birthDate.slice(5) ? years - 1 : years;
}

/** PEP_DECLARATION: the person declares to be politically exposed, or related to somebody who is. */
export function checkPepDeclaration({ pepSelf: self, pepRelated: related }: DeclaredSubject): CheckFinding {
  if (self === true) return checkFinding('HIT', 'PEP_DECLARED', 40, 'REVIEW');
  if (related === true) return checkFinding('HIT', 'PEP_RELATION_DECLARED', 30, 'REVIEW');
  return self === null || related === null ? missingInputFinding('NOT_ASKED') : checkFinding('NO_HIT');
}

const hasStep = (flow: FlowDefinition, type: FlowStep['type']): boolean =>
  flow.steps.some((step) => step.type === type);

export function checksOfFlow(flow: FlowDefinition): readonly CheckName[] {
  const checkNames = new Set<CheckName>(['TAX_ID', 'PROFILE', 'LISTS', ...flow.requiredChecks]);
  const questions = flow.steps.flatMap((step) => (step.type === 'QUESTIONNAIRE' ? step.questions : []));
  if (requestsRole(flow, 'BIRTH_DATE')) checkNames.add('AGE');
  if (questions.some(({ id }) => id === 'pepSelf')) checkNames.add('PEP_DECLARATION');
  if (hasStep(flow, 'DOCUMENT_CAPTURE')) {
    for (const name of DOCUMENT_CHECKS) {
      checkNames.add(name);
    }
  }
  if (hasStep(flow, 'SELFIE')) {
    for (const name of ['DUPLICATE_ARTIFACT', 'FACE_MATCH', 'LIVENESS'] as const) checkNames.add(name);
  }
  if (hasStep(flow, 'ONE_TIME_CODE')) checkNames.add('CONTACT');
  if (flow.steps.some((step) => step.type === 'REPEATED_GROUP' && step.people)) checkNames.add('OWNERS');
  for (const [name, providers] of Object.entries(flow.providers ?? {})) {
    if (providers.length > 0) checkNames.add(name as CheckName);
  }
  return [...checkNames];
}

const DOCUMENT_CHECKS = [
  ...['DOCUMENT_QUALITY', 'DOCUMENT_CODE', 'DUPLICATE_ARTIFACT', 'DOCUMENT', 'DOCUMENT_DATA'],
] as readonly CheckName[];

/** CONTACT: the person has entered a code that was sent to the address in the answers. */
export const checkContact = (verified: boolean): CheckFinding =>
  verified ? checkFinding('NO_HIT', 'CODE_WAS_RIGHT') : missingInputFinding('NOT_VERIFIED');
