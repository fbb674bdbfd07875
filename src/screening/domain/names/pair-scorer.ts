import { TokenCache, type NameToken } from './name-token.js';
import { normaliseName, type NameKind } from './normalise.js';
import { compareTokens, type Likeness } from './token-similarity.js';
import { OPTIMAL_UP_TO, optimal, greedy, type Gain } from './assignment.js';
import { type Aligned, CONTRADICTION, unmatchedCost } from './unmatched-cost.js';

/** Changes whenever a score could come out differently; stored with every hit. */
export const SCORER_VERSION = '2';

export interface PairScore {
  /** 0 to 1; 1 only when nothing speaks against the two being one name. */
  readonly score: number;
  readonly alignment: readonly Aligned[];
}
const SUFFIX_CONFLICT = 0.9;
// Father and son have all the rest in common, however long it is.
const SUFFIX_CONFLICT_SHARE = 0.45;
const SUFFIX_MISSING = 0.12;
const LEGAL_FORM_CONFLICT = 0.7;
// Said of every legal form.
const ANY_FORM: ReadonlySet<string> = new Set(['company', 'corporation']);
// Below this a similarity says nothing.
const FLOOR = 0.5;
// One name in common is what strangers have; an initial beside it is not much more.
const ONE_NAME = 0.74;
const ONE_NAME_AND_INITIALS = 0.79;
const ONLY_INITIALS = 0.5;
const ONLY_GENERIC = 0.6;
/** How alike two words in one and the one word must be. */
export const JOIN_AT_LEAST = 0.84;
const MAX_JOIN_LENGTH = 4;

interface Pairing {
  readonly left: readonly NameToken[];
  readonly right: readonly NameToken[];
  readonly how: Likeness;
  readonly similarity: number;
  readonly weight: number;
}

const cache = new TokenCache();

/** Scores two names as they are written. Of names given with a slash between them (`X/Y`) the best pair counts. */
export function scoreNames(left: string, right: string, kind: NameKind): PairScore {
  let best: PairScore | null = null;
  for (const l of alternativesOf(left).map((name) => tokensOf(name, kind))) {
    for (const r of alternativesOf(right).map((name) => tokensOf(name, kind))) {
      const scored = scoreTokens(l, r, kind);
      if (!best || scored.score > best.score) best = scored;
    }
  }
  return best ?? { score: 0, alignment: [] };
}

/** The name, and its parts when it is two names with a slash between them. */
export function alternativesOf(name: string): readonly string[] {
  const parts = name.split('/').map((part) => part.trim());
  return parts.length > 1 && parts.every((part) => part.length >= 5) ? [name, ...parts] : [name];
}

/** The tokens of a name as it is written. */
export const tokensOf = (name: string, kind: NameKind): NameToken[] =>
  normaliseName(name, kind).map((key) => cache.of(key));

/** Scores two normalised names. Pure: only the two names and their kind matter. */
export function scoreTokens(
  left: readonly NameToken[],
  right: readonly NameToken[],
  kind: NameKind,
  compare: typeof compareTokens = compareTokens,
): PairScore {
  const work = new Alignment(left, right, compare);
  work.pairEqual();
  work.pairJoined();
  work.pairInitials();
  work.pairRest();
  return work.verdict(kind);
}

/** Finds which tokens stand for each other, one to one (or one to a few neighbours), and adds it up. */
class Alignment {
  private readonly freeLeft: boolean[];
  private readonly freeRight: boolean[];
  private readonly pairings: Pairing[] = [];

  constructor(
    private readonly left: readonly NameToken[],
    private readonly right: readonly NameToken[],
    private readonly compare: typeof compareTokens,
  ) {
    this.freeLeft = left.map(isCompared);
    this.freeRight = right.map(isCompared);
  }

  pairEqual(): void {
    this.left.forEach((token, i) => {
      if (!this.freeLeft[i]) return;
      let j = this.right.findIndex((other, k) => this.freeRight[k] === true && other.text === token.text);
      // A title in front of one name may be a family name at the end of the other.
      if (j < 0) j = this.right.findIndex((other) => other.role === 'TITLE' && other.text === token.text);
      const other = this.right[j];
      if (!other) return;
      this.pair(
        [i],
        [j],
        'EXACT',
        1,
        other.role === 'TITLE' ? token.weight : (token.weight + other.weight) / 2,
      );
    });
    this.right.forEach((token, j) => {
      if (!this.freeRight[j]) return;
      const i = this.left.findIndex((other) => other.role === 'TITLE' && other.text === token.text);
      if (i >= 0) this.pair([i], [j], 'EXACT', 1, token.weight);
    });
  }

  /** Neighbours on one side that were written as one word on the other. */
  pairJoined(): void {
    this.join(this.left, this.freeLeft, this.right, this.freeRight, (run, j, similarity, weight) => {
      this.pair(run, [j], 'JOINED', similarity, weight);
    });
    this.join(this.right, this.freeRight, this.left, this.freeLeft, (run, i, similarity, weight) => {
      this.pair([i], run, 'JOINED', similarity, weight);
    });
  }

  private join(
    parts: readonly NameToken[],
    freeParts: readonly boolean[],
    wholes: readonly NameToken[],
    freeWholes: readonly boolean[],
    found: (run: number[], whole: number, similarity: number, weight: number) => void,
  ): void {
    wholes.forEach((whole, w) => {
      if (!freeWholes[w] || whole.text.length < 4 || whole.role === 'NUMBER') return;
      let best: { run: number[]; similarity: number } | null = null;
      for (let from = 0; from < parts.length; from += 1) {
        if (!mayBegin(parts[from], whole)) continue;
        let text = '';
        const run: number[] = [];
        for (let i = from; i < parts.length && run.length < MAX_JOIN_LENGTH; i += 1) {
          const part = parts[i];
          if (!part || !(freeParts[i] === true || part.role === 'PARTICLE' || part.role === 'TITLE')) break;
          if (part.role === 'NUMBER') break;
          text += part.text;
          run.push(i);
          if (text.length > whole.text.length + 2) break;
          if (run.length < 2 || text.length < whole.text.length - 2 || !run.some((k) => freeParts[k])) {
            continue;
          }
          const match = compareTokens(cache.of(`N${text}`), whole);
          const alone = bestAlone(run, parts, whole);
          if (
            match &&
            match.similarity >= JOIN_AT_LEAST &&
            match.similarity > Math.max(alone, best?.similarity ?? 0)
          ) {
            best = { run: [...run], similarity: match.similarity };
          }
        }
      }
      if (best) found(best.run, w, best.similarity * 0.99, whole.weight);
    });
  }

  /** `JC` for Jean-Claude, and `PLA` for People's Liberation Army. */
  pairInitials(): void {
    this.initials(this.left, this.freeLeft, this.right, this.freeRight, (i, run, weight, how) => {
      this.pair([i], run, how, how === 'ACRONYM' ? 0.8 : 0.85, weight);
    });
    this.initials(this.right, this.freeRight, this.left, this.freeLeft, (j, run, weight, how) => {
      this.pair(run, [j], how, how === 'ACRONYM' ? 0.8 : 0.85, weight);
    });
  }

  private initials(
    shorts: readonly NameToken[],
    freeShorts: readonly boolean[],
    longs: readonly NameToken[],
    freeLongs: readonly boolean[],
    found: (short: number, run: number[], weight: number, how: 'INITIALS' | 'ACRONYM') => void,
  ): void {
    shorts.forEach((short, s) => {
      if (!freeShorts[s] || short.role !== 'NAME' || short.text.length < 2 || short.text.length > 5) return;
      const wanted = short.text.length;
      for (let from = 0; from < longs.length; from += 1) {
        const run: number[] = [];
        for (let i = from; i < longs.length && run.length < wanted; i += 1) {
          const long = longs[i];
          if (long?.role === 'PARTICLE') continue;
          if (
            !freeLongs[i] ||
            !long ||
            long.text.length < 2 ||
            !long.text.startsWith(short.text.charAt(run.length))
          ) {
            break;
          }
          run.push(i);
        }
        if (run.length !== wanted) continue;
        // Two letters without a vowel are initials; a word that happens to begin as three others do must be all of them.
        const acronym = wanted >= 3 && run.length === freeLongs.filter(Boolean).length;
        if (!acronym && (wanted > 3 || /[aeiouy]/.test(short.text))) continue;
        found(s, run, acronym ? 1 : 0.3 * wanted, acronym ? 'ACRONYM' : 'INITIALS');
        return;
      }
    });
  }

  /** The best one-to-one assignment of what is left, by weighted similarity. */
  pairRest(): void {
    const lefts = indexesOf(this.freeLeft);
    const rights = indexesOf(this.freeRight);
    if (lefts.length === 0 || rights.length === 0) return;
    const gains = lefts.map((i) => rights.map((j) => this.gainOf(i, j)));
    const chosen =
      rights.length <= OPTIMAL_UP_TO ? optimal(gains, rights.length) : greedy(gains, rights.length);
    for (const [row, column] of chosen) {
      const i = lefts[row];
      const j = rights[column];
      const gain = gains[row]?.[column];
      if (i === undefined || j === undefined || !gain) continue;
      this.pair([i], [j], gain.how, gain.similarity, gain.weight);
    }
  }

  private gainOf(i: number, j: number): Gain | null {
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
    how: Likeness,
    similarity: number,
    weight: number,
  ): void {
    for (const i of lefts) this.freeLeft[i] = false;
    for (const j of rights) this.freeRight[j] = false;
    this.pairings.push({
      left: lefts.map((i) => this.left[i]).filter((token) => token !== undefined),
      right: rights.map((j) => this.right[j]).filter((token) => token !== undefined),
      how,
      similarity,
      weight,
    });
  }

  verdict(kind: NameKind): PairScore {
    const organisation = kind === 'ORGANISATION' || kind === 'OTHER' || this.sayOrganisation();
    const alignment: Aligned[] = [];
    let gained = 0;
    let possible = 0;
    for (const { left, right, how, similarity, weight } of this.pairings) {
      gained += weight * similarity;
      // A poor likeness is half a contradiction.
      possible += weight * (1 + (CONTRADICTION - 1) * (1 - similarity));
      alignment.push({ left: textOf(left), right: textOf(right), how, similarity, weight });
    }
    const freeLeft = unmatched(this.left, this.freeLeft);
    const freeRight = unmatched(this.right, this.freeRight);
    possible += unmatchedCost(freeLeft, freeRight, organisation, alignment);
    possible += this.sideCost('SUFFIX', gained, alignment) + this.sideCost('LEGAL_FORM', gained, alignment);
    const score = possible === 0 ? 0 : Math.min(gained / possible, this.capOf(organisation));
    return { score: Math.max(0, Math.min(1, score)), alignment };
  }

  private sayOrganisation(): boolean {
    return [...this.left, ...this.right].some(({ role }) => role === 'LEGAL_FORM' || role === 'GENERIC');
  }

  private sideCost(role: 'SUFFIX' | 'LEGAL_FORM', gained: number, alignment: Aligned[]): number {
    const left = this.left.filter((token) => token.role === role).map(({ text }) => text);
    const right = this.right.filter((token) => token.role === role).map(({ text }) => text);
    if (left.length === 0 && right.length === 0) return 0;
    const both = left.length > 0 && right.length > 0;
    if (both && left.some((text) => right.includes(text))) return 0;
    if ([...left, ...right].some((text) => ANY_FORM.has(text))) return 0;
    if (!both && role === 'LEGAL_FORM') return 0;
    const how = !both ? 'SUFFIX_MISSING' : role === 'SUFFIX' ? 'SUFFIX_CONFLICT' : 'LEGAL_FORM_CONFLICT';
    const suffix = Math.max(SUFFIX_CONFLICT, SUFFIX_CONFLICT_SHARE * gained);
    const weight = !both ? SUFFIX_MISSING : role === 'SUFFIX' ? suffix : LEGAL_FORM_CONFLICT;
    alignment.push({
      left: left.join(' ') || null,
      right: right.join(' ') || null,
      how,
      similarity: 0,
      weight,
    });
    return weight;
  }

  /** The limit that the kinds of agreement allow at most, whatever the sum says. */
  private capOf(organisation: boolean): number {
    const real = this.pairings.filter(
      ({ how, left }) => how !== 'INITIAL' && how !== 'INITIALS' && left[0]?.role !== 'GENERIC',
    );
    const names = real.reduce(
      (sum, { left, right, how }) => sum + (how === 'JOINED' ? Math.max(left.length, right.length) : 1),
      0,
    );
    const sizes = [this.left, this.right].map((tokens) => tokens.filter(isCompared).length);
    const largest = Math.max(...sizes);
    const everything = !this.freeLeft.includes(true) && !this.freeRight.includes(true);
    if (names === 0) {
      const generic = this.pairings.some(({ left }) => left[0]?.role === 'GENERIC');
      if (generic) return everything ? 1 : ONLY_GENERIC;
      return everything && largest > 1 ? ONLY_INITIALS : 1;
    }
    if (organisation || names > 1 || largest === 1) return 1;
    const initials = this.pairings.some(({ how }) => how === 'INITIAL' || how === 'INITIALS');
    return initials ? ONE_NAME_AND_INITIALS : ONE_NAME;
  }
}

const isCompared = ({ role }: NameToken): boolean =>
  role === 'NAME' || role === 'INITIAL' || role === 'GENERIC' || role === 'NUMBER';

/** Tokens without a counterpart. A name said twice is said once: its second mention needs none. */
const unmatched = (tokens: readonly NameToken[], free: readonly boolean[]): NameToken[] =>
  tokens.filter(
    (token, i) =>
      free[i] === true && !tokens.some((other, k) => k !== i && free[k] === false && other === token),
  );

const textOf = (tokens: readonly NameToken[]): string => tokens.map(({ text }) => text).join(' ');

/** Whether a word may begin as the joined one does; a slip there is rarer than everything else a join may carry. */
const mayBegin = (part: NameToken | undefined, whole: NameToken): boolean =>
  part !== undefined &&
  (part.text.startsWith(whole.text.charAt(0)) || part.fold.startsWith(whole.fold.charAt(0)));

function bestAlone(run: readonly number[], parts: readonly NameToken[], whole: NameToken): number {
  let best = 0;
  for (const i of run) {
    const part = parts[i];
    const match = part ? compareTokens(part, whole) : null;
    if (match && match.similarity > best) best = match.similarity;
  }
  return best;
}

function indexesOf(free: readonly boolean[]): number[] {
  const found: number[] = [];
  free.forEach((is, i) => {
    if (is) found.push(i);
  });
  return found;
}
