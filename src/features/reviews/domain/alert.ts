/** A text in each language of the operator console. */
export type LocalisedTexts = Readonly<Record<'pt-BR' | 'en', string>>;

/** The most severe reason of an alert or a case, as lists show it. */
export interface LeadReason {
  /** A rule id, or `LIST_HIT`, `MISSING_DATA`, `SESSION`, `MANUAL`. */
  readonly code: string;
  readonly points: number;
  readonly title: LocalisedTexts;
  readonly text: LocalisedTexts;
}

/** The values that an alert adds to its case: lead reason, amount, and labels for searching. */
export interface AlertFacts {
  readonly lead: LeadReason | null;
  /** The amount in centavos (BRL); null when unknown, never zero. */
  readonly amountCents: number | null;
  /** The ids of the rules whose points count in the score. */
  readonly rules: readonly string[];
  /** The countries of both participants. */
  readonly countries: readonly string[];
}

export const NO_FACTS: AlertFacts = { lead: null, amountCents: null, rules: [], countries: [] };

/** The lead reason of a case that an operator opened; the operator's own reason is in the first note. */
export const OPENED_BY_HAND: LeadReason = {
  code: 'MANUAL',
  points: 0,
  title: { 'pt-BR': 'Aberto por uma pessoa', en: 'Opened by a person' },
  text: { 'pt-BR': 'O motivo está na primeira nota.', en: 'The first note says why.' },
};

/** The lead reason of a hit on a list; `score` is from 0 to 1. */
export const leadReasonOfListHit = (listKey: string, score: number): LeadReason => ({
  code: 'LIST_HIT',
  points: Math.round(score * 100),
  title: { 'pt-BR': 'Nome em lista', en: 'Named on a list' },
  text: {
    'pt-BR': `A lista ${listKey} tem um nome ou documento parecido (${Math.round(score * 100)} %).`,
    en: `The list ${listKey} has a name or document that is alike (${Math.round(score * 100)} %).`,
  },
});

/** The lead reason of an alert about a list hit that no rule scores. */
export const LISTED: LeadReason = {
  code: 'LIST_HIT',
  points: 100,
  title: { 'pt-BR': 'Nome em lista', en: 'Named on a list' },
  text: {
    'pt-BR': 'Uma lista tem um nome ou documento parecido.',
    en: 'A list has a name or document that is alike.',
  },
};

/** The lead reason of a DATA_GAP alert; `codes` name the missing data. */
export const leadReasonOfMissingData = (codes: readonly string[]): LeadReason => ({
  code: 'MISSING_DATA',
  points: 0,
  title: { 'pt-BR': 'Dado faltando', en: 'Missing data' },
  text: { 'pt-BR': `Faltou: ${codes.join(', ')}.`, en: `Missing: ${codes.join(', ')}.` },
});

/** The lead reason of a session that an operator has to review, with the failed components. */
export const leadReasonOfSession = (found: readonly string[], points: number): LeadReason => ({
  code: 'SESSION',
  points,
  title: { 'pt-BR': 'Sessão de verificação', en: 'Verification session' },
  text: {
    'pt-BR': found.length > 0 ? `A conferir: ${found.join(', ')}.` : 'A sessão precisa de uma pessoa.',
    en: found.length > 0 ? `To be looked at: ${found.join(', ')}.` : 'The session needs a person.',
  },
});

/** Converts centavos to an exact decimal in reais. */
export const formatReais = (centavos: string | null): string | null =>
  centavos === null ? null : (Number(centavos) / 100).toFixed(2);
