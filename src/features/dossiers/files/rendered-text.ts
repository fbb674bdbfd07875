import type { DossierLabels } from '../data/dossier-labels.js';
import { type PrintedKind, printedWords } from '../data/printed-words.js';
import type { DossierLanguage } from '../domain/language.js';
import { punctuatedTaxId } from '../domain/tax-id-text.js';

/** An operator whose id appears in a file. */
interface NamedPerson {
  readonly id: string;
  readonly name: string;
  readonly roles: readonly string[];
}

interface PrintedTransaction {
  readonly occurredAt: string;
  readonly type: string;
  readonly direction: string | null;
  readonly channel: string;
}

/** Formats values for print in one language. */
export class PrintFormatter {
  private readonly timeFormat: Intl.DateTimeFormat;
  private readonly dayFormat: Intl.DateTimeFormat;
  private readonly numberFormat: Intl.NumberFormat;
  private readonly regionNames: Intl.DisplayNames;

  constructor(
    readonly words: DossierLabels,
    readonly language: DossierLanguage,
    private readonly people: readonly NamedPerson[] = [],
  ) {
    const locale = language === 'en' ? 'en-GB' : language;
    const zone = { timeZone: 'America/Sao_Paulo' } as const;
    this.timeFormat = new Intl.DateTimeFormat(locale, { ...zone, dateStyle: 'short', timeStyle: 'medium' });
    this.dayFormat = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'short' });
    this.numberFormat = new Intl.NumberFormat(language);
    this.regionNames = new Intl.DisplayNames(locale, { type: 'region' });
  }

  /** Formats a time in the zone of São Paulo, which the front page names. */
  time(iso: string | null): string {
    return iso === null ? this.words.unknown : this.timeFormat.format(new Date(iso));
  }

  /** Formats a calendar day by the custom of the language. */
  day(date: string | null): string {
    if (date === null) return this.words.unknown;
    return /^\d{4}-\d\d-\d\d$/.test(date) ? this.dayFormat.format(new Date(`${date}T00:00:00Z`)) : date;
  }

  number(value: number): string {
    return this.numberFormat.format(value);
  }

  size(bytes: number): string {
    return `${this.number(Math.max(1, Math.round(bytes / 1_000)))} kB`;
  }

  /** Formats an exact decimal with the separators of the language. */
  amount(decimal: string, currency: string): string {
    const [whole = '0', fraction = ''] = decimal.split('.');
    const [point, comma] = this.language === 'en' ? [',', '.'] : ['.', ','];
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, point);
    return `${currency === 'BRL' ? 'R$' : currency} ${grouped}${comma}${fraction.padEnd(2, '0')}`;
  }

  yesOrNo(value: boolean): string {
    return value ? this.words.yes : this.words.no;
  }

  or(value: string | null): string {
    return value ?? this.words.unknown;
  }

  /** Returns the text of a code; a code without a text is returned as it is. */
  translateCode(kind: PrintedKind, code: string | null): string {
    if (code === null) return this.words.unknown;
    return printedWords[kind][this.language][code] ?? code;
  }

  country(code: string): string {
    return /^[A-Z]{2}$/.test(code) ? (this.regionNames.of(code) ?? code) : code;
  }

  countries(codes: readonly string[]): string {
    return codes.length > 0 ? codes.map((code) => this.country(code)).join(', ') : this.words.unknown;
  }

  taxId(digits: string | null): string {
    return digits === null ? this.words.unknown : punctuatedTaxId(digits);
  }

  /** Formats a fraction between 0 and 1. */
  share(value: number): string {
    return new Intl.NumberFormat(this.language, {
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
    }).format(value);
  }

  /** Formats a value of the profile: a truth value, an amount or a day. */
  formatDeclared(field: string, value: string): string {
    if (value === 'true' || value === 'false') return this.yesOrNo(value === 'true');
    if (MONEY.has(field) && /^\d+(\.\d+)?$/.test(value)) return this.amount(value, 'BRL');
    return this.day(value);
  }

  file({ kind, side }: { readonly kind: string; readonly side: string | null }): string {
    const name = this.translateCode('fileKind', kind);
    return side === null ? name : `${name}, ${this.translateCode('fileSide', side)}`;
  }

  /** Describes a transaction in one line: time, type, direction and channel. */
  describeTransaction(one: PrintedTransaction): string {
    const way = one.direction === null ? '' : `, ${this.translateCode('direction', one.direction)}`;
    return `${this.time(one.occurredAt)}  ${this.translateCode('transactionType', one.type)}${way}, ${this.translateCode('channel', one.channel)}`;
  }

  /** Returns the text of a non-defensible reason: a component with its state, or a single code. */
  formatDefensibilityReason(code: string): string {
    const { against, component, componentState } = printedWords;
    const knownText = against[this.language][code];
    if (knownText !== undefined) return knownText;
    const name = Object.keys(component[this.language]).find((one) => code.startsWith(`${one}_`));
    if (name === undefined) return code;
    const state = code.slice(name.length + 1);
    if (!(state in componentState[this.language])) return code;
    return `${this.translateCode('component', name)}: ${this.translateCode('componentState', state)}`;
  }

  /** Translates the code in `RULE: CODE`, the form in which an evaluation names a silenced rule. */
  formatSuppression(text: string): string {
    const at = text.lastIndexOf(': ');
    return at < 0 ? text : `${text.slice(0, at)}: ${this.translateCode('silence', text.slice(at + 2))}`;
  }

  /** Returns name and roles of an operator, a word for the service, or any other id as it is. */
  person(id: string | null): string {
    const knownPerson = this.people.find((one) => one.id === id);
    if (!knownPerson) return id?.startsWith('system:') ? this.words.system : this.or(id);
    return this.formatNamedPerson(knownPerson);
  }

  formatNamedPerson(person: NamedPerson): string {
    const roles = this.roles(person);
    return roles === '' ? person.name : `${person.name}, ${roles}`;
  }

  roles({ roles }: NamedPerson): string {
    return roles.map((role) => this.translateCode('role', role)).join(', ');
  }
}

const MONEY: ReadonlySet<string> = new Set(['monthlyIncome', 'monthlyRevenue', 'nightLimit']);
