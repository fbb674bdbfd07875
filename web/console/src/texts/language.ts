/** Texts are objects with one shape in every language; the compiler finds a text that one of them lacks. */
import { useSyncExternalStore } from 'react';

export const languages = ['pt', 'en'] as const;
export type Language = (typeof languages)[number];
export type Catalogue<T> = Readonly<Record<Language, T>>;

const KEY = 'vigia-console-language';
const listeners = new Set<() => void>();
let language: Language = initial();
document.documentElement.lang = localeOf(language);

function initial(): Language {
  const kept = localStorage.getItem(KEY);
  if (kept === 'pt' || kept === 'en') return kept;
  return navigator.languages
    .find((one) => /^(pt|en)\b/i.test(one))
    ?.toLowerCase()
    .startsWith('en') === true
    ? 'en'
    : 'pt';
}

export function localeOf(one: Language): string {
  return one === 'pt' ? 'pt-BR' : 'en';
}

export function setLanguage(next: Language): void {
  language = next;
  localStorage.setItem(KEY, next);
  document.documentElement.lang = localeOf(next);
  for (const listener of listeners) listener();
}

export const currentLanguage = (): Language => language;

export const useLanguage = (): Language =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, currentLanguage);

/** The texts of a part of the console in the language of now. */
export const useTexts = <T>(catalogue: Catalogue<T>): T => catalogue[useLanguage()];
