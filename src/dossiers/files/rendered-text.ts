import { printedCodes, type DossierLabels } from '../data/dossier-labels.js';
import type { Language } from '../domain/language.js';

/** How values are printed in a language. */
export class RenderedText {
  private readonly times: Intl.DateTimeFormat;
  private readonly numbers: Intl.NumberFormat;

  constructor(
    readonly words: DossierLabels,
    readonly language: Language,
  ) {
    this.times = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
      timeZone: 'America/Sao_Paulo',
      dateStyle: 'short',
      timeStyle: 'medium',
    });
    this.numbers = new Intl.NumberFormat(language);
  }

  time(iso: string | null): string {
    return iso === null ? this.words.unknown : `${this.times.format(new Date(iso))} (BRT)`;
  }

  number(value: number): string {
    return this.numbers.format(value);
  }

  /** The exact decimal with the separators of the language. */
  amount(decimal: string, currency: string): string {
    const [whole = '0', fraction = ''] = decimal.split('.');
    const [point, comma] = this.language === 'en' ? [',', '.'] : ['.', ','];
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, point);
    return `${currency} ${grouped}${comma}${fraction.padEnd(2, '0')}`;
  }

  truth(value: boolean): string {
    return value ? this.words.yes : this.words.no;
  }

  or(value: string | null): string {
    return value ?? this.words.unknown;
  }

  /** A code of the service in words, where there are any. */
  code(value: string | null): string {
    if (value === null) return this.words.unknown;
    return (this.language === 'pt-BR' ? printedCodes[value] : undefined) ?? value;
  }

  /** COMPLETE is a word of its own here: the whole of a score, not an end. */
  composition(value: string): string {
    return value === 'COMPLETE' && this.language === 'pt-BR' ? 'COMPLETA' : this.code(value);
  }

  /** Which way the money went, or what kind of person it is. */
  kind(value: string | null): string {
    if (value === null) return this.words.unknown;
    return kinds.find((kind) => kind === value) ? this.words[value as (typeof kinds)[number]] : value;
  }
}

const kinds = ['IN', 'OUT', 'NATURAL', 'LEGAL'] as const;
