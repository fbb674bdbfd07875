/** Names of the values that the API answers with. Its enumerations are open: an unknown value is shown as it is. */
import { acts } from 'virtual:acts';
import { currentLanguage, type Catalogue, type Language } from './language.js';
import { wordsInEnglish } from './words-en.js';
import { wordsInPortuguese } from './words-pt.js';

export type Words = Readonly<Record<string, Readonly<Record<string, string>>>>;

const titlesIn = (language: 'en' | 'pt'): Words[string] =>
  Object.fromEntries(Object.entries(acts).map(([act, { title }]) => [act, title[language]]));

const words: Catalogue<Words> = {
  pt: { ...wordsInPortuguese, act: titlesIn('pt') },
  en: { ...wordsInEnglish, act: titlesIn('en') },
};

/** Drawn anew with the rest when the language changes, as every screen reads a text of its own beside it. */
export const word = (group: string, value: string, language: Language = currentLanguage()): string =>
  words[language][group]?.[value] ?? value;

/** The codes of a group that have words. */
export const codesOf = (group: string): readonly string[] => Object.keys(words.en[group] ?? {});
