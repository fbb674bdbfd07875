import { isSyllable, tokenKey, writtenTokens, type NameToken } from './name-token.js';
import { compareTokens } from './token-similarity.js';

/** Minimum similarity between the joined words and the single word. */
export const MIN_JOIN_SIMILARITY = 0.84;
const MAX_JOIN_LENGTH = 4;

/** Finds adjacent words of one name that are written as one word in the other. */
export function findJoinedWords(
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
      const first = parts[from];
      if (!first || !mayBegin(first, whole)) continue;
      const spare = isSyllable(first) || isSyllable(whole) ? 4 : 2;
      let text = '';
      const run: number[] = [];
      for (let i = from; i < parts.length && run.length < MAX_JOIN_LENGTH; i += 1) {
        const part = parts[i];
        if (!part || !(freeParts[i] === true || part.role === 'PARTICLE' || part.role === 'TITLE')) break;
        if (part.role === 'NUMBER') break;
        text += assimilateArticle(part, parts[i + 1]);
        run.push(i);
        if (text.length > whole.text.length + spare) break;
        // An article that was written with the next word belongs to it.
        if (part.role === 'PARTICLE' && parts[i + 1]?.script === 'CONSONANTS') continue;
        if (run.length < 2 || text.length < whole.text.length - spare || !run.some((k) => freeParts[k])) {
          continue;
        }
        const joined = writtenTokens.of(joinedKey(text, run, parts));
        const { similarity } = compareTokens(joined, whole, MIN_JOIN_SIMILARITY) ?? { similarity: 0 };
        if (similarity < MIN_JOIN_SIMILARITY || similarity <= (best?.similarity ?? 0)) continue;
        if (similarity > bestSimilarityOfOne(run, parts, whole)) best = { run: [...run], similarity };
      }
    }
    if (best) found(best.run, w, best.similarity * 0.99, whole.weight);
  });
}

/** Finds words that are the initials of adjacent words of the other name. */
export function findInitials(
  shorts: readonly NameToken[],
  freeShorts: readonly boolean[],
  longs: readonly NameToken[],
  freeLongs: readonly boolean[],
  found: (short: number, run: number[], weight: number, how: 'INITIALS' | 'ACRONYM') => void,
): void {
  shorts.forEach((short, s) => {
    if (!freeShorts[s] || short.role !== 'NAME' || short.text.length < 2 || short.text.length > 5) return;
    const initialCount = short.text.length;
    for (let from = 0; from < longs.length; from += 1) {
      const run: number[] = [];
      for (let i = from; i < longs.length && run.length < initialCount; i += 1) {
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
      if (run.length !== initialCount) continue;
      // Two or three letters without a vowel are initials. An acronym must account for all remaining words.
      const acronym = initialCount >= 3 && run.length === freeLongs.filter(Boolean).length;
      if (!acronym && (initialCount > 3 || /[aeiouy]/.test(short.text))) continue;
      found(s, run, acronym ? 1 : 0.3 * initialCount, acronym ? 'ACRONYM' : 'INITIALS');
      return;
    }
  });
}

/** True if two adjacent words of each name have the same letters but the space elsewhere. */
export function isShifted(
  left: readonly NameToken[],
  i: number,
  right: readonly NameToken[],
  j: number,
): boolean {
  const [a, b] = [left[i]?.text ?? '', left[i + 1]?.text ?? ''];
  const [c, d] = [right[j]?.text ?? '', right[j + 1]?.text ?? ''];
  return a.length + b.length === c.length + d.length && a + b === c + d;
}

const VOWEL = /^[aeiou]/;

/** True if the joined word may begin with this word. A typo in the first letter is rarer than any other. */
function mayBegin(part: NameToken, whole: NameToken): boolean {
  if (part.text.startsWith(whole.text.charAt(0)) || part.fold.startsWith(whole.fold.charAt(0))) return true;
  if (isSyllable(part) || isSyllable(whole)) return true;
  if (part.script === 'CONSONANTS' && VOWEL.test(part.text) && VOWEL.test(whole.text)) return true;
  return part.chinese !== null && whole.chinese?.startsWith(part.chinese.charAt(0)) === true;
}

// The Arabic article takes the sound of these letters: Nur al-Din is Nuruddin.
const SUN_LETTER = /^[tdrzsnl]/;

const assimilateArticle = (part: NameToken, next: NameToken | undefined): string =>
  /^(?:al|abdul)$/.test(part.text) && next !== undefined && SUN_LETTER.test(next.text)
    ? part.text.slice(0, -1)
    : part.text;

/** Returns the token key of joined words, which have the script of the words. */
function joinedKey(text: string, run: readonly number[], parts: readonly NameToken[]): string {
  const script = run.map((i) => parts[i]?.script).find((own) => own !== 'FULL');
  return tokenKey(
    script === 'HAN' ? 'J' : script === 'HANGUL' ? 'K' : script === 'CONSONANTS' ? 'A' : 'N',
    text,
  );
}

function bestSimilarityOfOne(run: readonly number[], parts: readonly NameToken[], whole: NameToken): number {
  let best = 0;
  for (const i of run) {
    const part = parts[i];
    const match = part ? compareTokens(part, whole) : null;
    if (match && match.similarity > best) best = match.similarity;
  }
  return best;
}
