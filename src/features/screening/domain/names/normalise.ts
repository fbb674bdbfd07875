import anyAscii from 'any-ascii';
import { tokenKey } from './name-token.js';
import {
  repairDoubleUtf8,
  consonantWords,
  joinAbdNames,
  syllableWords,
  normaliseLookalikes,
  type ScriptWord,
} from './words/scripts.js';
import { isNameInUse } from './words/names-in-use.js';
import { digitsToLetters } from './words/letters.js';
import { mechanisms } from './mechanisms.js';
import { saintAt } from './words/saints.js';
import { numberAt } from './words/series.js';
import { editCost } from './token-similarity.js';
import {
  abbreviations,
  genericWords,
  legalFormPhrases,
  legalForms,
  particles,
  spellings,
  suffixes,
  titles,
} from './words/vocabulary.js';

/** The kind of name. OTHER is a vessel or an aircraft; UNKNOWN is decided by the words of the name. */
export type NameKind = 'PERSON' | 'ORGANISATION' | 'OTHER' | 'UNKNOWN';
/** The kinds that names are read as. */
export type ReadAs = 'PERSON' | 'ORGANISATION';

const ASCII = /^[\x20-\x7e]*$/;
// Hebrew, Arabic, Syriac; and the scripts of South and South-East Asia, whose inherent vowels are not transliterated.
const CONSONANT_SCRIPT = /[\u0590-\u07bf\u08a0-\u109f\u1780-\u17ff\ufb1d-\ufdff\ufe70-\ufeff]/;
const SYLLABLE_SCRIPT = /[\u1100-\u11ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]/;
const OTHER_SPACES = /[^\S ]/;
const MIDDLE_DOT = /[\u00b7\u2022\u2027\u30fb\uff65]/g;
const MARKS = /[\u0300-\u036f]/g;
// Letters on both sides of these characters are one word: D'Angelo, Qa'ida, Int'l.
const APOSTROPHES = /['`\u2018\u2019\u02bb\u02bc\u02be\u02bf\u2032\u00b4]/g;
const MARIA = /^M\.?\u00aa\.?$/i;
const POSSESSIVE = /'s\b/gi;
const DOTTED_LETTERS = /^(?:[a-z]\.){1,}[a-z]?\.?$/i;
const WORD_AND_COMMA = /([^\s,;:/\\|()[\]{}"<>_+*#!?=~^-]+)[\s"')]*(,?)/g;
const PART_AND_STOP = /([^.&%@$]+)(\.?)/g;
const CAMEL = /([a-z]{2,})(?=[A-Z])/g;
// Prefixes after which a capital begins no new word: "McDonald" and "DeSouza" are one word.
const CAMEL_PREFIX = /^(?:mc|mac|de|di|da|do|du|la|le|van|fitz|al|el|ibn|bin)$/i;
// Particles that are names as the first or last word: Le Duc Tho, Jorge Do.
const NAME_AT_THE_EDGE = new Set([
  'ben',
  'il',
  'le',
  'do',
  'lo',
  'an',
  'as',
  'das',
  'te',
  'ar',
  'ad',
  'li',
  'la',
  'to',
]);
// Titles if they precede a name, names if they follow a name.
const NAME_ELSEWHERE = new Set(
  'king queen prince princess major pastor bispo sultan cardinal cardeal rei rainha dom dona frei general lord emir imam engineer principe princesa capt sheikh shaikh'.split(
    ' ',
  ),
);
const NO_PERSON_PARTICLES = new Set(['the', 'of', 'and', 'for', 'in', 'to', 'a', 'i', 'o']);
const SERVANT = new Set(['abd', 'abdu']);
const ARTICLE = new Set(['al', 'ul', 'el', 'il', 'ol']);
const VESSEL_PREFIX = new Set(['mv', 'mt', 'ss', 'ms', 'mts']);

// From five letters on, a word one letter away from a legal form is almost certainly a typo of it.
const legalWords = [
  ...new Set([...legalForms.keys(), ...legalFormPhrases.flatMap(([phrase]) => phrase)]),
].filter((word) => word.length >= 5);

interface Word extends ScriptWord {
  /** True for a word with a full stop behind it, which may be an abbreviation. */
  readonly cut?: boolean;
  /** True for the last word before a comma, which is the end of the family name. */
  readonly beforeComma?: boolean;
  /** Cached roles in a person's name. */
  person?: PersonWord;
}

/** Reads a name of unknown kind as an organisation's if it contains a legal form or a generic word. */
export function classifyName(raw: string, kind: NameKind): ReadAs {
  if (kind === 'PERSON') return 'PERSON';
  if (kind === 'ORGANISATION' || kind === 'OTHER') return 'ORGANISATION';
  const nameWords = wordsOf(raw).map(({ text }) => text);
  const decisive = nameWords.some((text, i) => (i > 0 || nameWords.length > 2) && isDecisive(text));
  return decisive || hasLegalPhrase(nameWords) ? 'ORGANISATION' : 'PERSON';
}

// True for a word that makes a name an organisation's. Short legal forms do not: they are also surnames (Sá, Co) or
// particles.
const isDecisive = (text: string): boolean =>
  (text.length > 2 && legalForms.has(text) && text !== 'sas' && text !== 'asa') || genericWords.has(text);

const hasLegalPhrase = (found: readonly string[]): boolean =>
  legalFormPhrases.some(([phrase]) =>
    found.some((_, at) => phrase.every((word, i) => found[at + i] === word)),
  );

/**
 * Returns the token keys of a name, in order: transliterated to ASCII, split into words, with a role for each word. The
 * same text and kind always give the same keys.
 */
export function normaliseName(raw: string, kind: NameKind): string[] {
  const words = wordsOf(raw);
  return classifyName(raw, kind) === 'PERSON' ? personKeys(words) : organisationKeys(words, kind);
}

// Maximum number of cached words. Normalising a word costs twenty times as much as finding it in the cache.
const CHUNKS_KEPT = 100_000;
const chunks = new Map<string, readonly Word[]>();

function wordsOf(raw: string): Word[] {
  const words: Word[] = [];
  const wholeText = ASCII.test(raw) ? raw : normaliseLookalikes(repairDoubleUtf8(raw) ?? raw);
  const spaced = ASCII.test(wholeText) ? wholeText : wholeText.replace(MIDDLE_DOT, ' ');
  const foreign = spaced !== wholeText;
  for (const chunk of chunksOf(joinAbdNames(spaced))) {
    if (chunk === '') continue;
    let cachedWords = foreign ? undefined : chunks.get(chunk);
    if (!cachedWords) {
      cachedWords = wordsOfChunk(chunk, foreign);
      if (chunks.size >= CHUNKS_KEPT) chunks.clear();
      if (!foreign) chunks.set(chunk, cachedWords);
    }
    for (const word of cachedWords) words.push(word);
  }
  return words;
}

// Splits a name into words. Splitting at a pattern costs several times as much, and nearly all names have plain spaces
// only.
const chunksOf = (text: string): string[] => (OTHER_SPACES.test(text) ? text.split(/\s+/) : text.split(' '));

function wordsOfChunk(chunk: string, foreign: boolean): Word[] {
  if (ASCII.test(chunk)) return latinWords(chunk);
  // NFKC would make "Ma" of `Mª`, which is a name.
  const normalChunk = chunk.replace(MARIA, 'Maria').normalize('NFKC').replace(APOSTROPHES, "'");
  if (CONSONANT_SCRIPT.test(normalChunk)) return consonantWords(normalChunk);
  return SYLLABLE_SCRIPT.test(normalChunk)
    ? syllableWords(normalChunk, foreign)
    : latinWords(latinOf(normalChunk));
}

function latinOf(chunk: string): string {
  const stripped = chunk.normalize('NFKD').replace(MARKS, '');
  if (ASCII.test(stripped)) return stripped;
  const wholeChunk = chunk.normalize('NFC').replace(/[\u201c\u201d\u00ab\u00bb"]/g, ' ');
  // Transliteration can make two letters of a capital, the second in lower case, which would look like two words.
  const even = wholeChunk === wholeChunk.toUpperCase() ? wholeChunk.toLowerCase() : wholeChunk;
  // Transliteration turns soft signs into apostrophes in the middle of a word.
  return anyAscii(even).replace(APOSTROPHES, '');
}

function latinWords(text: string): Word[] {
  // These signs join two names, as `e` does.
  if (text === '&' || text === '+' || text === '/') return [{ text: 'e', code: 'N', dotted: false }];
  const words: Word[] = [];
  const bareText = text.replace(POSSESSIVE, '').replace(APOSTROPHES, '');
  for (const [, chunk = '', comma] of bareText.matchAll(WORD_AND_COMMA)) {
    if (DOTTED_LETTERS.test(chunk)) {
      for (const letter of chunk.toLowerCase().replaceAll('.', '')) {
        words.push({ text: letter, code: 'N', dotted: true });
      }
      continue;
    }
    for (const [, part = '', stop] of chunk.matchAll(PART_AND_STOP)) {
      const parts = splitCamel(part).filter((word) => word !== '');
      parts.forEach((word, i) => {
        const isLast = i === parts.length - 1;
        const cut = isLast && stop === '.';
        words.push({ text: word.toLowerCase(), code: 'N', dotted: false, ...(cut ? { cut } : {}) });
      });
    }
    const last = words.at(-1);
    if (comma === ',' && last) words[words.length - 1] = { ...last, beforeComma: true };
  }
  return words;
}

function splitCamel(word: string): string[] {
  if (word.length < 5 || !/[a-z]{2}[A-Z]/.test(word)) return [word];
  const parts = word.replace(CAMEL, '$1 ').split(' ');
  return parts.some((part) => CAMEL_PREFIX.test(part)) ? [word] : parts;
}

function personKeys(words: readonly Word[]): string[] {
  const joined = joinServants(words);
  const last = joined.length - 1;
  const keys: string[] = [];
  let names = 0;
  let initials = 0;
  joined.forEach((word, i) => {
    const key = personKey(word, i, last, names);
    if (isName(key)) names += 1;
    else if (/^[IB]/.test(key)) initials += 1;
    keys.push(key);
  });
  // A name that consists only of titles or particles keeps its words. In a name of two words the second is a name, even
  // if it is a particle elsewhere.
  const lastWord = joined[last];
  if (names === 1 && joined.length === 2 && lastWord && keys[last]?.startsWith('P') === true) {
    keys[last] = tokenKey('N', lastWord.text);
  }
  return names > 0 || initials > 0 ? keys : joined.map(({ text, code }) => tokenKey(code, text));
}

/** The roles that a word may have in a person's name, before its position is known. */
interface PersonWord {
  readonly text: string;
  readonly asName: string;
  readonly number: string | null;
  readonly title: boolean;
  readonly suffix: string | undefined;
  readonly particle: 'NEVER' | 'INSIDE' | 'ALWAYS';
}

function personWord(written: string): PersonWord {
  const text = digitsToLetters(abbreviations.get(written) ?? written);
  return {
    text,
    asName: tokenKey('N', text),
    number: /^[0-9]+$/.test(text) ? tokenKey('D', String(Number(text))) : null,
    title: titles.has(text),
    suffix: suffixes.get(text),
    particle:
      !particles.has(text) || NO_PERSON_PARTICLES.has(text)
        ? 'NEVER'
        : NAME_AT_THE_EDGE.has(text)
          ? 'INSIDE'
          : 'ALWAYS',
  };
}

function personKey(word: Word, i: number, last: number, names: number): string {
  if (word.code !== 'N') return tokenKey(word.code, word.text);
  word.person ??= personWord(word.text);
  const { dotted } = word;
  const { text, asName, number, title, suffix, particle } = word.person;
  if (number !== null) return number;
  const inside = i > 0 && i < last;
  if (text.length === 1) {
    return !dotted && inside && particles.has(text) ? tokenKey('P', text) : tokenKey('I', text);
  }
  if (title && i < last && (names === 0 || !NAME_ELSEWHERE.has(text))) return tokenKey('T', text);
  // The family name before a comma may be a single word: `ROCHA NETO, PAULO`.
  if (names >= 2 || (names === 1 && word.beforeComma === true && i < last)) {
    if (suffix !== undefined) return tokenKey('S', suffix);
    if (text === 'sr' && i === last) return tokenKey('S', 'SENIOR');
  }
  if (isAbbreviation(word, i < last)) return tokenKey('B', word.text);
  return particle === 'ALWAYS' || (particle === 'INSIDE' && inside) ? tokenKey('P', text) : asName;
}

// A word is cut behind a consonant.
const CUT_WORD = /^[a-z]{1,6}[^aeiouy]$/;

/** True for the beginning of a word with a full stop. At the end of a text, the full stop may be that of the text. */
function isAbbreviation({ text, cut }: Word, isInside: boolean): boolean {
  if (!mechanisms.ABBREVIATIONS || cut !== true || !CUT_WORD.test(text) || spellings.has(text)) return false;
  return (isInside || !isNameInUse(text)) && (abbreviations.get(text) ?? text).startsWith(text);
}

/** Joins "Abd" (servant of) with the article: Abd al-Aziz is Abdul Aziz. */
function joinServants(words: readonly Word[]): readonly Word[] {
  if (!words.some(({ text }) => text.startsWith('abd') && SERVANT.has(text))) return words;
  const joined: Word[] = [];
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i];
    if (!word) continue;
    const next = words[i + 1];
    if (SERVANT.has(word.text) && next && ARTICLE.has(next.text) && words[i + 2]) {
      joined.push({ ...word, text: 'abdul' });
      i += 1;
    } else joined.push(word);
  }
  return joined;
}

function organisationKeys(words: readonly Word[], kind: NameKind): string[] {
  const merged = mergeLetters(words).map(correctTypo);
  const texts = merged.map(({ text }) => text);
  const keys: string[] = [];
  for (let i = 0; i < merged.length; i += 1) {
    const word = merged[i];
    if (!word) continue;
    const phrase = phraseAt(merged, i);
    if (phrase) {
      keys.push(tokenKey('L', legalForms.get(phrase.form) ?? phrase.form));
      i += phrase.length - 1;
      continue;
    }
    const saint = mechanisms.SAINTS ? saintAt(texts, i) : null;
    if (saint) {
      keys.push(tokenKey('G', saint.text));
      i += saint.length - 1;
      continue;
    }
    const number = numberAt(texts, i, isEnd(texts, i));
    if (number) {
      keys.push(tokenKey('D', String(number.value)));
      i += number.length - 1;
      continue;
    }
    keys.push(organisationKey(word, i, merged.length, kind));
  }
  return keys.some((key) => /^[NAHCKGB]/.test(key))
    ? keys
    : merged.map(({ text, code }) => tokenKey(code, text));
}

/** True if nothing but the legal form follows. */
const isEnd = (texts: readonly string[], at: number): boolean =>
  texts.slice(at + 1).every((text) => legalForms.has(text));

function organisationKey(word: Word, i: number, length: number, kind: NameKind): string {
  const { text, code } = word;
  if (code !== 'N') return tokenKey(code, text);
  if (kind === 'OTHER' && i === 0 && length > 1 && VESSEL_PREFIX.has(text)) return tokenKey('T', text);
  const form = legalForms.get(text);
  if (form !== undefined && length > 1) return tokenKey('L', form);
  const generic = genericWords.get(text);
  if (generic !== undefined) return tokenKey('G', generic);
  if (length > 1 && particles.has(text)) return tokenKey('P', text);
  if (!isAbbreviation(word, i < length - 1)) return tokenKey('N', text);
  const trade = genericBeginning(text);
  return trade === null ? tokenKey('B', text) : tokenKey('G', trade);
}

/** Returns the generic word that a beginning is cut from; null if it may be of none, or of several. */
function genericBeginning(text: string): string | null {
  const found = new Set<string>();
  for (const [spelling, word] of genericWords) {
    if (spelling.length > text.length && spelling.startsWith(text)) found.add(word);
  }
  const [word = null] = found;
  return found.size === 1 && text.length >= 3 ? word : null;
}

/** Joins single letters: `L.X.C` and `A B C` are the abbreviations LXC and ABC. */
function mergeLetters(words: readonly Word[]): Word[] {
  const merged: Word[] = [];
  let run = '';
  const flush = (): void => {
    if (run !== '') merged.push({ text: run, code: 'N', dotted: run.length > 1 });
    run = '';
  };
  for (const word of words) {
    if (word.code === 'N' && /^[a-z]$/.test(word.text)) {
      run += word.text;
    } else {
      flush();
      merged.push(word);
    }
  }
  flush();
  return merged;
}

function phraseAt(words: readonly Word[], at: number): { form: string; length: number } | null {
  for (const [phrase, form] of legalFormPhrases) {
    if (words.length > phrase.length && phrase.every((word, i) => words[at + i]?.text === word)) {
      return { form, length: phrase.length };
    }
  }
  return null;
}

/** Corrects a typo in a word of a legal form, so that the word does not count as part of the name. */
function correctTypo(word: Word): Word {
  const { text, code } = word;
  if (code !== 'N' || text.length < 5 || legalForms.has(text) || legalWords.includes(text)) return word;
  const meant = legalWords.find(
    (legal) =>
      legal.startsWith(text.charAt(0)) &&
      Math.abs(legal.length - text.length) <= 1 &&
      editCost(legal, text, 1) <= (legal.length > 6 ? 1 : 0.75),
  );
  return meant === undefined ? word : { ...word, text: meant };
}

const isName = (key: string): boolean => /^[NAHCK]/.test(key);
