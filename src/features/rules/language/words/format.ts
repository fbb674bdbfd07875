import { assertNever } from '../../../../platform/kernel/exhaustive.js';
import type { FactValue, FeatureType, Language, Unit } from '../vocabulary.js';

const numberFormat = (language: Language, digits: number, least = digits): Intl.NumberFormat =>
  new Intl.NumberFormat(language === 'en' ? 'en-US' : 'pt-BR', {
    minimumFractionDigits: least,
    maximumFractionDigits: digits,
  });

const formats = {
  'pt-BR': {
    cents: numberFormat('pt-BR', 2),
    short: numberFormat('pt-BR', 2, 0),
    plain: numberFormat('pt-BR', 6, 0),
  },
  en: { cents: numberFormat('en', 2), short: numberFormat('en', 2, 0), plain: numberFormat('en', 6, 0) },
} as const;

/** The time zone of the ruleset that ships; moments are shown in it. */
const TIME_ZONE = 'America/Sao_Paulo';
const momentIn = (locale: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(locale, { timeZone: TIME_ZONE, dateStyle: 'short', timeStyle: 'medium' });
const moments = { 'pt-BR': momentIn('pt-BR'), en: momentIn('en-GB') } as const;

const TRUTHS = { 'pt-BR': { true: 'sim', false: 'não' }, en: { true: 'yes', false: 'no' } } as const;

/** Writes a value for people: `R$ 18.400,00`, `BRL 18,400.00`, `97%`. */
export function formatValue(
  value: FactValue,
  language: Language,
  unit: Unit | null = null,
  type: FeatureType | null = null,
): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return TRUTHS[language][value ? 'true' : 'false'];
  if (typeof value === 'object') return value.map((item) => formatValue(item, language, unit)).join('; ');
  return type === 'time' ? moments[language].format(value) : formatNumber(value, language, unit);
}

function formatNumber(value: number, language: Language, unit: Unit | null): string {
  const { cents, short, plain } = formats[language];
  switch (unit) {
    case 'BRL':
      return `${language === 'en' ? 'BRL' : 'R$'} ${cents.format(value)}`;
    case 'USD':
      return `${language === 'en' ? 'USD' : 'US$'} ${cents.format(value)}`;
    case 'MONEY':
      return cents.format(value);
    case 'PERCENT':
      return `${formatPercent(value, language)}%`;
    case 'COUNT':
    case 'DAYS':
    case 'SCORE':
      return short.format(value);
    case null:
      return plain.format(value);
    default:
      return assertNever(unit);
  }
}

/** Writes a fraction of 1 as a whole percentage. */
const formatPercent = (value: number, language: Language): string =>
  formats[language].plain.format(Math.round(value * 100));
