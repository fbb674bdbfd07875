import { table } from '../../../../../platform/kernel/table.js';

/**
 * Chinese and Korean syllables in Latin letters, by the systems that lists and passports mix: Pinyin and Wade-Giles,
 * Revised Romanisation and McCune-Reischauer, with their usual simplifications.
 */

const CHINESE_SYLLABLE =
  /(?:(?:zh|ch|sh|hs|tz|ts|ss|[bpmfdtnlgkhjqxrzcsyw])?(?:iang|iong|iung|uang|ang|eng|ing|ong|ung|iao|ian|ien|uai|uan|ueh|ieh|ai|ei|ui|ao|ou|iu|ie|ue|an|en|in|un|ia|ua|uo|er|ih|eh|a|o|e|i|u))/
    .source;
// Rules out most other words cheaply, before the whole word is parsed.
const NOT_CHINESE = /v|[^aeiounghr]$/;
const CHINESE = new RegExp(`^(?:${CHINESE_SYLLABLE}){1,3}$`);
const ONE_CHINESE = new RegExp(`^${CHINESE_SYLLABLE}$`);

/** Returns a key that the Pinyin and Wade-Giles spellings share; null if the word is not Chinese syllables. */
export function chineseKey(text: string): string | null {
  if (text.length > 12 || NOT_CHINESE.test(text) || !CHINESE.test(text)) return null;
  return text
    .replace(/ng/g, 'N')
    .replace(/zh|ch|[qj]/g, 'C')
    .replace(/hs|x/g, 'X')
    .replace(/tz|ts|z|c/g, 'Z')
    .replace(/ss/g, 's')
    .replace(/b/g, 'p')
    .replace(/d/g, 't')
    .replace(/g/g, 'k')
    .replace(/uN/g, 'oN')
    .replace(/ien/g, 'ian')
    .replace(/yen/g, 'yan')
    .replace(/([aeiou])h+/g, '$1')
    .replace(/uo/g, 'o');
}

export type ChineseSystem = 'PINYIN' | 'WADE_GILES' | 'EITHER';

/** Returns the romanisation system of a word; EITHER if the word may be of both. */
export function chineseSystem(text: string): ChineseSystem {
  if (/[bdgqxzj]/.test(text.replace(/ng|ts|tz/g, ''))) return 'PINYIN';
  return /hs|ts|tz|ien|ieh|ueh|ih|ung|yen/.test(text) ? 'WADE_GILES' : 'EITHER';
}

const KOREAN_SYLLABLE =
  /(?:(?:kk|tt|pp|ss|jj|ch|kh|sh|rh|[bcdghjklmnprstwy])?(?:yeo|yae|eui|woo|wee|you|yoo|weo|eo|eu|ae|ai|ay|ee|oo|ou|oe|oi|oy|ui|ya|ye|yi|yo|yu|wa|we|wi|wo|wu|a|e|i|o|u)(?:ng|ck|rk|[klmnpbtgdrh](?![aeiouy]))?)/
    .source;
const NOT_KOREAN = /[fqvxz]|[cjs]$/;
const KOREAN = new RegExp(`^(?:${KOREAN_SYLLABLE}){1,3}$`);
const ONE_KOREAN = new RegExp(`^${KOREAN_SYLLABLE}$`);

/** True if a word may be a single Chinese or Korean syllable. Even two of them are a name that millions share. */
export const isOneSyllable = (text: string): boolean =>
  text.length <= 6 && (ONE_CHINESE.test(text) || ONE_KOREAN.test(text));

// Family names with irregular spellings.
const KOREAN_FAMILIES: Readonly<Record<string, string>> = table({
  lee: 'i',
  yi: 'i',
  ri: 'i',
  rhee: 'i',
  li: 'i',
  lim: 'im',
  rim: 'im',
  yim: 'im',
  roh: 'no',
  noh: 'no',
  rho: 'no',
  ryu: 'yu',
  ryoo: 'yu',
  lyu: 'yu',
  ryang: 'yang',
  park: 'bak',
  ahn: 'an',
  suh: 'seo',
  shim: 'sim',
  woo: 'u',
});

/** Returns a key that all spellings of a Korean word share; null if it does not consist of Korean syllables. */
export function koreanKey(text: string): string | null {
  const familyName = KOREAN_FAMILIES[text] ?? text;
  if (familyName.length > 14 || NOT_KOREAN.test(familyName) || !KOREAN.test(familyName)) return null;
  return familyName
    .replace(/ng/g, 'N')
    .replace(/kk|kh|ck|rk|g/g, 'k')
    .replace(/tt|d/g, 't')
    .replace(/pp|b/g, 'p')
    .replace(/jj|ch|j/g, 'c')
    .replace(/ss|sh/g, 's')
    .replace(/r/g, 'l')
    .replace(/yeo|you|yoo|yu/g, 'yo')
    .replace(/weo/g, 'wo')
    .replace(/eui|ui|ee|yi/g, 'i')
    .replace(/oe|oi|oy/g, 'E')
    .replace(/ae|ai|ay/g, 'e')
    .replace(/eo|ou/g, 'o')
    .replace(/eu|oo|woo|wu/g, 'u')
    .replace(/uN/g, 'oN')
    .replace(/cul/g, 'col')
    .replace(/([aeiouE])h(?![aeiouyE])/g, '$1');
}
