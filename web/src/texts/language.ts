import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { en } from './en.js';
import { es } from './es.js';
import { pt, type Texts } from './pt.js';

export const languages = ['pt-BR', 'en', 'es'] as const;
export type Language = (typeof languages)[number];

export const textsOf: Readonly<Record<Language, Texts>> = { 'pt-BR': pt, en, es };

/** The first supported language of a list of tags, whatever their regions; Portuguese when there is none. */
export function bestLanguage(tags: readonly string[]): Language {
  for (const tag of tags) {
    const primary = tag.toLowerCase().split('-')[0];
    const found = languages.find((language) => language.split('-')[0] === primary);
    if (found) return found;
  }
  return 'pt-BR';
}

interface Spoken {
  readonly language: Language;
  readonly texts: Texts;
}

export const LanguageContext = createContext<Spoken>({ language: 'pt-BR', texts: pt });

export const useTexts = (): Texts => useContext(LanguageContext).texts;
export const useLanguage = (): Language => useContext(LanguageContext).language;
