import { table } from '../../../../../platform/kernel/table.js';

/**
 * Compares words of scripts that write no short vowels (Arabic, Hebrew) with words in Latin letters. Consonants and
 * written long vowels must occur; short vowels may be any.
 */

const DIGRAPHS: Readonly<Record<string, string>> = table({
  sh: 'S',
  kh: 'X',
  gh: 'G',
  th: 'T',
  dh: 'D',
  ch: 'C',
  zh: 'j',
  ph: 'f',
  ck: 'k',
  dj: 'j',
  ou: 'u',
  oo: 'u',
  ee: 'i',
});

/** Returns the sounds of a word, one letter each. A doubled consonant is one sound. */
function soundsOf(text: string): string {
  let out = '';
  for (let i = 0; i < text.length; i += 1) {
    const two = DIGRAPHS[text.slice(i, i + 2)];
    const sound = two ?? text.charAt(i);
    if (two !== undefined) i += 1;
    if (!SPOKEN_VOWELS.includes(sound) && out.endsWith(sound)) continue;
    out += sound === 'c' ? 'k' : sound === 'x' ? 'ks' : sound;
  }
  return out;
}

const VOWELS = 'aeiouyw';
const SPOKEN_VOWELS = 'aeiou';

// Costs of sounds that share a letter in one of the alphabets, or that people mix up.
const NEAR: ReadonlyMap<string, number> = new Map(
  (
    [
      [0, 'vw vu vo wu wo ye yi ai ae'],
      [0.15, 'qk pb vb vf ao au wv Tt Dd'],
      [0.35, 'Xk Xh Gg Ts Dz jg qg Gq zs Cj CS kg td tT dz'],
    ] as const
  ).flatMap(([cost, pairs]) =>
    pairs
      .split(' ')
      .flatMap((pair) => [[pair, cost] as const, [pair.charAt(1) + pair.charAt(0), cost] as const]),
  ),
);

const LONG_A_LEFT_OUT = 0.35;
const LONG_VOWEL_LEFT_OUT = 1.1;
// At the end of a word, every vowel but an a is written.
const LAST_VOWEL = 0.8;
const LONG_VOWEL_TOO_MANY = 0.4;
const SILENT = 0.5;
const OTHER_VOWEL = 0.4;

const bothSpoken = (one: string, other: string): boolean =>
  SPOKEN_VOWELS.includes(one) && SPOKEN_VOWELS.includes(other);

/** Returns the cost of a sound that only the word in the script has. */
function costOfMissing(sounds: string, at: number): number {
  const sound = sounds.charAt(at);
  const last = at === sounds.length - 1;
  if (sound === 'a') return at === 0 ? 1 : LONG_A_LEFT_OUT;
  if (sound === 'h') return last ? 0 : SILENT;
  return VOWELS.includes(sound) ? LONG_VOWEL_LEFT_OUT : 1;
}

/** Returns the cost of a sound that only the Latin word has. A single vowel may be short, so it is cheap. */
function costOfAdditional(sounds: string, at: number): number {
  const sound = sounds.charAt(at);
  const last = at === sounds.length - 1;
  if (sound === 'h') return last ? 0 : SILENT;
  if (!VOWELS.includes(sound)) return 1;
  if (sound === 'w' || sound === 'y') return SILENT;
  if (last && 'iou'.includes(sound)) return LAST_VOWEL;
  return at > 0 && SPOKEN_VOWELS.includes(sounds.charAt(at - 1)) ? LONG_VOWEL_TOO_MANY : 0;
}

const width = 64;
let previous = new Float64Array(width);
let current = new Float64Array(width);

/** Returns how far a word in Latin letters is from any reading of `written`. Each different sound costs 1. */
export function transliterationDistance(written: string, latin: string): number {
  const a = soundsOf(written);
  const b = soundsOf(latin);
  if (a.length >= width || b.length >= width) return Infinity;
  previous[0] = 0;
  for (let j = 1; j <= b.length; j += 1) previous[j] = (previous[j - 1] ?? 0) + costOfAdditional(b, j - 1);
  for (let i = 1; i <= a.length; i += 1) {
    const less = costOfMissing(a, i - 1);
    current[0] = (previous[0] ?? 0) + less;
    for (let j = 1; j <= b.length; j += 1) {
      const one = a.charAt(i - 1);
      const other = b.charAt(j - 1);
      const first = i === 1 && j === 1 && one === 'a' && VOWELS.includes(other);
      const swap =
        one === other || first ? 0 : (NEAR.get(one + other) ?? (bothSpoken(one, other) ? OTHER_VOWEL : 1));
      current[j] = Math.min(
        (previous[j - 1] ?? 0) + swap,
        (previous[j] ?? 0) + less,
        (current[j - 1] ?? 0) + costOfAdditional(b, j - 1),
      );
    }
    const spare = previous;
    previous = current;
    current = spare;
  }
  return previous[b.length] ?? 0;
}

export function consonantCount(written: string): number {
  let count = 0;
  for (const sound of soundsOf(written)) if (!VOWELS.includes(sound)) count += 1;
  return count;
}
