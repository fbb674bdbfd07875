const VOWEL = /[aeiou]/;

/**
 * Returns a key that spellings of one sound share: ph/f, w/v, y/i, s/z, c/k/q, silent h, doubled letters, m before p
 * and b. Made for Portuguese and for names transliterated from Arabic, Slavic and Asian scripts; not a claim about any
 * language's phonology.
 */
export function foldKey(token: string): string {
  let out = '';
  const n = token.length;
  for (let i = 0; i < n; i += 1) {
    const c = token.charAt(i);
    const next = token.charAt(i + 1);
    let sound: string;
    switch (c) {
      case 'h':
        continue;
      case 'p':
        if (next === 'h') {
          sound = 'f';
          i += 1;
        } else if (next === 't') {
          continue;
        } else sound = 'p';
        break;
      case 'w':
        sound = 'v';
        break;
      case 'y':
        sound = 'i';
        break;
      case 'j':
        // At the end or before a consonant, j is the Slavic or Baltic "i".
        sound = i > 0 && (next === '' || !VOWEL.test(next)) ? 'i' : 'j';
        break;
      case 'g':
        if (next === '' && out.endsWith('n')) continue;
        sound = next === 'e' || next === 'i' || next === 'y' ? 'j' : 'g';
        break;
      case 'z':
        sound = 's';
        break;
      case 'c':
        if (next === 'h') sound = 'k';
        else if (next === 'k' || next === 'q') continue;
        else if (next === 't' && i > 0) continue;
        else sound = next === 'e' || next === 'i' || next === 'y' ? 's' : 'k';
        break;
      case 'q':
        sound = 'k';
        if (next === 'u') i += 1;
        break;
      case 't':
        if (next === 'z' || next === 's') continue;
        sound = 't';
        break;
      case 'x':
        // At the start, x is what Pinyin and Portuguese write for s and sh.
        sound = i === 0 ? 's' : 'ks';
        break;
      case 'm':
        sound = next === '' || !/[aeiouymh]/.test(next) ? 'n' : 'm';
        break;
      default:
        sound = c;
    }
    if (out.endsWith(sound)) continue;
    out += sound;
  }
  return out;
}

/** Returns the consonants of a fold key, with l and r as one sound, to compare with scripts that write no vowels. */
export function skeletonOf(fold: string): string {
  return fold
    .replace(/[aeiou]/g, '')
    .replace(/ks/g, 's')
    .replace(/j/g, 'g');
}
