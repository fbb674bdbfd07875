import { isSyllable, type NameToken } from './name-token.js';
import type { NameKind } from './normalise.js';
import type { compareTokens, TokenLikeness } from './token-similarity.js';
import { MAX_OPTIMAL_TOKENS, assignOptimally, assignGreedily, type PairGain } from './assignment.js';
import { evidenceBitsOf, scoreLimitOf } from './evidence.js';
import { findInitials, findJoinedWords, isShifted } from './joins.js';
import { mechanisms } from './mechanisms.js';
import { isOneSyllable } from './words/romanisation.js';
import {
  areFirstWordsSwapped,
  areOfOneSeries,
  containedScore,
  differInVowels,
  isFiller,
  isReordered,
} from './whole-names.js';
import { type AlignmentLine, CONTRADICTION, unmatchedCost } from './unmatched-cost.js';

export interface PairScore {
  /** 0 to 1; 1 only if nothing contradicts that the names are equal. */
  readonly score: number;
  readonly alignment: readonly AlignmentLine[];
}

const SUFFIX_CONFLICT = 0.9;
// The names of father and son often differ in the suffix only, so the cost grows with the rest of the name.
const SUFFIX_CONFLICT_SHARE = 0.45;
const SUFFIX_MISSING = 0.12;
const LEGAL_FORM_CONFLICT = 0.7;
// These words mean any legal form, so they conflict with none.
const ANY_FORM: ReadonlySet<string> = new Set(['company', 'corporation']);
// Pairs below this similarity are ignored.
const FLOOR = 0.5;
// The highest score if only one name agrees: strangers often have one name in common.
const ONE_NAME = 0.74;
// The highest score of swapped words: the names of father and son may be the same words in another order.
const SWAPPED_NAMES = 0.66;
// A whole name that agrees by sound across scripts: stored as a hit, mandatory only with enough evidence.
const WHOLE_BY_SOUND = 0.84;
const SOUNDS_ALIKE = 0.9;
// Two names of one word whose vowels alone differ: an organisation in the spelling of another language.
const ONE_WORD_BY_VOWELS = 0.87;
// The highest score of two companies, funds or shops of one series.
const OTHER_OF_SERIES = 0.66;
// Evidence never limits a score below this.
const MIN_SCORE_LIMIT = 0.4;
const ONLY_INITIALS = 0.5;
const ONLY_GENERIC = 0.6;
const SHIFTED = 0.96;

interface TokenPairing {
  readonly left: readonly NameToken[];
  readonly right: readonly NameToken[];
  readonly lefts: readonly number[];
  readonly rights: readonly number[];
  readonly how: TokenLikeness;
  readonly similarity: number;
  readonly weight: number;
}

/** Pairs the tokens that mean the same, one with one or one with several adjacent tokens, and scores the result. */
export class Alignment {
  private readonly freeLeft: boolean[];
  private readonly freeRight: boolean[];
  private readonly pairings: TokenPairing[] = [];
  /** Number of compared words in the longer name. */
  private readonly longest: number;
  /** True if a name has Chinese or Korean syllables in their own script. */
  private readonly hasNativeSyllables: boolean;
  /** True if every token is a word of a name, as in nearly all names. */
  private readonly hasOnlyNameWords: boolean;

  constructor(
    private readonly left: readonly NameToken[],
    private readonly right: readonly NameToken[],
    private readonly compare: typeof compareTokens,
  ) {
    this.freeLeft = left.map(isCompared);
    this.freeRight = right.map(isCompared);
    this.longest = Math.max(countOf(this.freeLeft), countOf(this.freeRight));
    this.hasNativeSyllables = left.some(isSyllable) || right.some(isSyllable);
    this.hasOnlyNameWords = left.every(isPlain) && right.every(isPlain);
  }

  /** True if both names have words without a counterpart. */
  get isOpen(): boolean {
    return this.freeLeft.includes(true) && this.freeRight.includes(true);
  }

  private get isComplete(): boolean {
    return !this.freeLeft.includes(true) && !this.freeRight.includes(true);
  }

  pairEqual(): void {
    const perhaps = this.right.some(isPerhapsName);
    this.left.forEach((token, i) => {
      if (!this.freeLeft[i]) return;
      let j = this.right.findIndex((other, k) => this.freeRight[k] === true && isEqual(other, token));
      if (j < 0 && perhaps) {
        j = this.right.findIndex((other) => isPerhapsName(other) && other.text === token.text);
      }
      const other = this.right[j];
      if (!other) return;
      this.pair([i], [j], 'EXACT', 1, isCompared(other) ? (token.weight + other.weight) / 2 : token.weight);
    });
    if (!this.left.some(isPerhapsName)) return;
    this.right.forEach((token, j) => {
      if (!this.freeRight[j]) return;
      const i = this.left.findIndex((other) => isPerhapsName(other) && other.text === token.text);
      if (i >= 0) this.pair([i], [j], 'EXACT', 1, token.weight);
    });
  }

  /** Pairs adjacent words of one name with the single word that they form in the other. */
  pairJoined(): void {
    this.pairShifted();
    findJoinedWords(this.left, this.freeLeft, this.right, this.freeRight, (run, j, similarity, weight) => {
      this.pair(run, [j], 'JOINED', similarity, weight);
    });
    findJoinedWords(this.right, this.freeRight, this.left, this.freeLeft, (run, i, similarity, weight) => {
      this.pair([i], run, 'JOINED', similarity, weight);
    });
  }

  /** Pairs two adjacent words with two others that have the same letters but the space elsewhere. */
  private pairShifted(): void {
    for (let i = 0; i + 1 < this.left.length; i += 1) {
      if (!this.freeLeft[i] || !this.freeLeft[i + 1]) continue;
      for (let j = 0; j + 1 < this.right.length; j += 1) {
        if (!this.freeRight[j] || !this.freeRight[j + 1] || !isShifted(this.left, i, this.right, j)) continue;
        this.pair([i, i + 1], [j, j + 1], 'JOINED', SHIFTED, weightOfBoth(this.right, j));
        break;
      }
    }
  }

  /** Pairs initials with names: `JC` with Jean-Claude, and `PLA` with People's Liberation Army. */
  pairInitials(): void {
    findInitials(this.left, this.freeLeft, this.right, this.freeRight, (i, run, weight, how) => {
      this.pair([i], run, how, how === 'ACRONYM' ? 0.8 : 0.85, weight);
    });
    findInitials(this.right, this.freeRight, this.left, this.freeLeft, (j, run, weight, how) => {
      this.pair(run, [j], how, how === 'ACRONYM' ? 0.8 : 0.85, weight);
    });
  }

  /** Pairs the remaining tokens by the best one-to-one assignment of weighted similarity. */
  pairRest(): void {
    const lefts = indexesOf(this.freeLeft);
    const rights = indexesOf(this.freeRight);
    if (lefts.length === 0 || rights.length === 0) return;
    const gains = lefts.map((i) => rights.map((j) => this.gainOf(i, j)));
    const chosen =
      rights.length <= MAX_OPTIMAL_TOKENS
        ? assignOptimally(gains, rights.length)
        : assignGreedily(gains, rights.length);
    for (const [row, column] of chosen) {
      const i = lefts[row];
      const j = rights[column];
      const gain = gains[row]?.[column];
      if (i === undefined || j === undefined || !gain) continue;
      this.pair([i], [j], gain.how, gain.similarity, gain.weight);
    }
  }

  private gainOf(i: number, j: number): PairGain | null {
    const left = this.left[i];
    const right = this.right[j];
    const match = left && right ? this.compare(left, right) : null;
    if (!left || !right || !match || match.similarity <= FLOOR) return null;
    const weight =
      match.how === 'INITIAL' ? Math.min(left.weight, right.weight) + 0.1 : (left.weight + right.weight) / 2;
    return { weight, gain: weight * (match.similarity - FLOOR), ...match };
  }

  private pair(
    lefts: readonly number[],
    rights: readonly number[],
    how: TokenLikeness,
    similarity: number,
    weight: number,
  ): void {
    for (const i of lefts) this.freeLeft[i] = false;
    for (const j of rights) this.freeRight[j] = false;
    this.pairings.push({
      left: lefts.map((i) => this.left[i]).filter((token) => token !== undefined),
      right: rights.map((j) => this.right[j]).filter((token) => token !== undefined),
      lefts,
      rights,
      how,
      similarity,
      weight,
    });
  }

  score(kind: NameKind): PairScore {
    const organisation = kind === 'ORGANISATION' || kind === 'OTHER' || this.mentionsOrganisation();
    const [freeLeft, freeRight] = this.findUnmatched();
    let gained = 0;
    let possible = 0;
    for (const { similarity, weight } of this.pairings) {
      gained += weight * similarity;
      // A weak similarity counts in part as a contradiction.
      possible += weight * (1 + (CONTRADICTION - 1) * (1 - similarity));
    }
    const side = this.sideCosts(gained, null);
    possible += unmatchedCost(freeLeft, freeRight, organisation, this.hasNativeSyllables, null) + side;
    let score = possible === 0 ? 0 : Math.min(gained / possible, this.limitByAgreement(organisation));
    const contained = this.scoreIfContained(kind, side > 0, freeLeft, freeRight);
    score = Math.max(score, contained);
    if (organisation && this.isOneWordByVowels()) score = Math.max(score, ONE_WORD_BY_VOWELS);
    if (mechanisms.SERIES && organisation && areOfOneSeries(this.left, this.right)) {
      score = Math.min(score, OTHER_OF_SERIES);
    }
    if (!organisation && score > SWAPPED_NAMES && this.isOtherPersonByOrder()) score = SWAPPED_NAMES;
    if (mechanisms.EVIDENCE && score > MIN_SCORE_LIMIT) {
      const inPart = contained === 0 || ![...freeLeft, ...freeRight].every(isFiller);
      score = Math.min(
        score,
        this.limitByEvidence(inPart && freeLeft.length + freeRight.length > 0, contained > 0),
      );
    }
    return new Verdict(Math.max(0, Math.min(1, score)), this, organisation, gained);
  }

  /** Explains the score, word by word. */
  linesOf(organisation: boolean, gained: number): AlignmentLine[] {
    const lines: AlignmentLine[] = this.pairings.map(({ left, right, how, similarity, weight }) => ({
      left: textOf(left),
      right: textOf(right),
      how,
      similarity,
      weight,
    }));
    unmatchedCost(...this.findUnmatched(), organisation, this.hasNativeSyllables, lines);
    this.sideCosts(gained, lines);
    return lines;
  }

  private sideCosts(gained: number, lines: AlignmentLine[] | null): number {
    if (this.hasOnlyNameWords) return 0;
    return this.sideCost('SUFFIX', gained, lines) + this.sideCost('LEGAL_FORM', gained, lines);
  }

  /** True if the different order of the words means another person. */
  private isOtherPersonByOrder(): boolean {
    const { pairings } = this;
    if (mechanisms.SWAPPED && areFirstWordsSwapped(pairings, this.left, this.right)) return true;
    return mechanisms.SYLLABLES && isReordered(pairings, this.left, this.right);
  }

  /**
   * Returns the highest score if the words agree only in part, by initials, or by sound across scripts. Names that
   * agree word for word have no limit: at the least they are namesakes.
   */
  private limitByEvidence(inPart: boolean, inOnePiece: boolean): number {
    const whole = !inPart && !this.pairings.some(({ how }) => isInitial(how));
    if (whole && this.pairings.every((pairing) => this.isCertain(pairing))) return 1;
    const limit = scoreLimitOf(evidenceBitsOf(this.pairings, this.longest, inOnePiece));
    const alike = whole && this.pairings.every(({ similarity }) => similarity >= SOUNDS_ALIKE);
    return alike ? Math.max(WHOLE_BY_SOUND, limit) : limit;
  }

  /** True if words do not agree by sound only where many syllables sound alike: in their own script, and in few letters. */
  private isCertain({ left, right, how }: TokenPairing): boolean {
    if (how === 'EXACT') return true;
    if (this.hasNativeSyllables) return false;
    if (how !== 'PHONETIC' && how !== 'TYPO') return true;
    return [...left, ...right].every(({ text }) => !isOneSyllable(text));
  }

  /** Returns tokens without a counterpart. A repeated name counts only if the other name has a word in its place. */
  private findUnmatched(): [NameToken[], NameToken[]] {
    const all = [
      this.left.filter((_, i) => this.freeLeft[i]),
      this.right.filter((_, i) => this.freeRight[i]),
    ] as [NameToken[], NameToken[]];
    if (mechanisms.REPEATED && all[0].length > 0 && all[1].length > 0) return all;
    return [unmatched(this.left, this.freeLeft), unmatched(this.right, this.freeRight)];
  }

  private scoreIfContained(
    kind: NameKind,
    hasSideCost: boolean,
    freeLeft: readonly NameToken[],
    freeRight: readonly NameToken[],
  ): number {
    if (!mechanisms.CONTAINED || hasSideCost || kind === 'ORGANISATION' || kind === 'OTHER') return 0;
    if (freeLeft.length > 0 === freeRight.length > 0) return 0;
    const [inner, outer] = freeLeft.length > 0 ? [this.right, this.left] : [this.left, this.right];
    // A company whose name has fewer words is no person inside a shop's name.
    if (inner.some(isOfOrganisation) || (!mechanisms.SHOPS && outer.some(isOfOrganisation))) return 0;
    const places = this.pairings.flatMap(({ lefts, rights }) => (outer === this.left ? lefts : rights));
    return containedScore(this.pairings, inner, outer, places);
  }

  /** True if each name is one word, and the two differ in vowels only. */
  private isOneWordByVowels(): boolean {
    const [only] = this.pairings;
    const [one, other] = [only?.left[0], only?.right[0]];
    if (!mechanisms.VOWELS || this.longest !== 1 || !this.isComplete || !one || !other) return false;
    return differInVowels(one, other);
  }

  private mentionsOrganisation(): boolean {
    return !this.hasOnlyNameWords && (this.left.some(isOfOrganisation) || this.right.some(isOfOrganisation));
  }

  private sideCost(role: 'SUFFIX' | 'LEGAL_FORM', gained: number, alignment: AlignmentLine[] | null): number {
    const has = (token: NameToken): boolean => token.role === role;
    if (!this.left.some(has) && !this.right.some(has)) return 0;
    const leftTexts = this.left.filter(has).map(({ text }) => text);
    const right = this.right.filter(has).map(({ text }) => text);
    const both = leftTexts.length > 0 && right.length > 0;
    if (both && leftTexts.some((text) => right.includes(text))) return 0;
    if ([...leftTexts, ...right].some((text) => ANY_FORM.has(text))) return 0;
    if (!both && role === 'LEGAL_FORM') return 0;
    const how = !both ? 'SUFFIX_MISSING' : role === 'SUFFIX' ? 'SUFFIX_CONFLICT' : 'LEGAL_FORM_CONFLICT';
    const suffix = Math.max(SUFFIX_CONFLICT, SUFFIX_CONFLICT_SHARE * gained);
    const weight = !both ? SUFFIX_MISSING : role === 'SUFFIX' ? suffix : LEGAL_FORM_CONFLICT;
    alignment?.push({
      left: leftTexts.join(' ') || null,
      right: right.join(' ') || null,
      how,
      similarity: 0,
      weight,
    });
    return weight;
  }

  /** Returns the highest score that the kinds of agreement allow, even if the weighted sum is higher. */
  private limitByAgreement(organisation: boolean): number {
    let names = 0;
    for (const { left, right, how } of this.pairings) {
      if (isInitial(how) || left[0]?.role === 'GENERIC') continue;
      names += how === 'JOINED' ? Math.max(left.length, right.length) : 1;
    }
    if (names === 0) {
      const generic = this.pairings.some(({ left }) => left[0]?.role === 'GENERIC');
      if (generic) return this.isComplete ? 1 : ONLY_GENERIC;
      return this.isComplete && this.longest > 1 ? ONLY_INITIALS : 1;
    }
    if (organisation || names > 1 || this.longest === 1) return 1;
    return this.pairings.some(({ how }) => isInitial(how)) ? 1 : ONE_NAME;
  }
}

/** Explains the score only on request: nearly all candidates of a search are dropped. */
class Verdict implements PairScore {
  constructor(
    readonly score: number,
    private readonly aligned: Alignment,
    private readonly organisation: boolean,
    private readonly gained: number,
  ) {}

  get alignment(): readonly AlignmentLine[] {
    return this.aligned.linesOf(this.organisation, this.gained);
  }
}

const weightOfBoth = (tokens: readonly NameToken[], at: number): number =>
  (tokens[at]?.weight ?? 0) + (tokens[at + 1]?.weight ?? 0);

const isEqual = (one: NameToken, other: NameToken): boolean =>
  one.text === other.text &&
  one.character === other.character &&
  (one.script === other.script || !(isSyllable(one) || isSyllable(other)));

/** True for a title or particle: a title may be a family name at the end, a particle a given name in the middle. */
const isPerhapsName = ({ role }: NameToken): boolean => role === 'TITLE' || role === 'PARTICLE';

const isInitial = (how: TokenLikeness): boolean => how === 'INITIAL' || how === 'INITIALS';

const isPlain = ({ role }: NameToken): boolean =>
  role === 'NAME' || role === 'INITIAL' || role === 'PARTICLE';

const isOfOrganisation = ({ role }: NameToken): boolean => role === 'LEGAL_FORM' || role === 'GENERIC';

const isCompared = ({ role }: NameToken): boolean =>
  role === 'NAME' || role === 'INITIAL' || role === 'GENERIC' || role === 'NUMBER';

/** Returns the tokens without a counterpart, except repetitions of a paired token. */
const unmatched = (tokens: readonly NameToken[], free: readonly boolean[]): NameToken[] =>
  tokens.filter(
    (token, i) =>
      free[i] === true && !tokens.some((other, k) => k !== i && free[k] === false && other === token),
  );

const textOf = (tokens: readonly NameToken[]): string => tokens.map(({ text }) => text).join(' ');

const countOf = (free: readonly boolean[]): number => free.reduce((count, is) => count + (is ? 1 : 0), 0);

function indexesOf(free: readonly boolean[]): number[] {
  const indexes: number[] = [];
  for (let i = 0; i < free.length; i += 1) if (free[i] === true) indexes.push(i);
  return indexes;
}
