/**
 * The legal grounds for reporting, with their numbers in Siscoaf. Circular BCB 3.978/2020, art. 49, for cash; Carta
 * Circular BCB 4.001/2020, art. 1, for suspicion. The numbers of art. 1 come from public files. Where a paragraph has more
 * letters than those files show, the numbers continue in sequence. Paragraphs VI, VIII, IX and XI to XVI are not known.
 */
const ART_49 = 'Banco Central do Brasil - Circular nº 3.978/2020, art. 49';
const OF_CASH = 'de valor igual ou superior a R$50.000,00 (cinquenta mil reais)';

export const CASH_WITHDRAWN = 1159;
export const CASH_CONTRIBUTED = 1160;
export const CASH_DEPOSITED = 1161;
export const CASH_PAID = 1162;
export const CASH_PROVISIONED = 1163;

const cashTexts: Readonly<Record<number, string>> = {
  [CASH_WITHDRAWN]: `Saque em espécie ${OF_CASH}. ${ART_49}-I`,
  [CASH_CONTRIBUTED]: `Aporte em espécie ${OF_CASH}. ${ART_49}-I`,
  [CASH_DEPOSITED]: `Depósito em espécie ${OF_CASH}. ${ART_49}-I`,
  [CASH_PAID]: `Pagamento contra entrega de recursos em espécie ${OF_CASH}. ${ART_49}-II`,
  [CASH_PROVISIONED]: `Solicitação de provisionamento de saque em espécie ${OF_CASH}. ${ART_49}-III`,
};

const cashOperations: Readonly<Record<number, string>> = {
  [CASH_WITHDRAWN]: 'SAQUE EM ESPÉCIE',
  [CASH_CONTRIBUTED]: 'APORTE EM ESPÉCIE',
  [CASH_DEPOSITED]: 'DEPÓSITO EM ESPÉCIE',
  [CASH_PAID]: 'PAGAMENTO EM ESPÉCIE',
  [CASH_PROVISIONED]: 'PROVISIONAMENTO DE SAQUE EM ESPÉCIE',
};

/** Returns the operation in cash that a number stands for, as Siscoaf takes it; null for every other number. */
export const cashOperation = (code: number | undefined): string | null => cashOperations[code ?? 0] ?? null;

/** The first number of each known paragraph of art. 1, and its number of letters as far as known. */
const paragraphs: readonly (readonly [paragraph: string, first: number, letters: number])[] = [
  ['I', 1008, 14],
  ['II', 1022, 9],
  ['III', 1031, 14],
  ['IV', 1045, 31],
  ['V', 1076, 13],
  ['VII', 1089, 4],
  ['X', 1110, 6],
  ['XVII', 1156, 3],
];

/** Returns the letter of an item: a, b, … z, aa, ab, … */
const letter = (index: number): string =>
  index < 26 ? String.fromCharCode(97 + index) : `a${String.fromCharCode(97 + index - 26)}`;

/** Returns the Portuguese text of a number; null if it is not known. */
export function occurrenceText(code: number): string | null {
  const ofCash = cashTexts[code];
  if (ofCash !== undefined) return ofCash;
  const paragraphOfCode = paragraphs.find(([, first, letters]) => code >= first && code < first + letters);
  if (!paragraphOfCode) return null;
  const [paragraph, first] = paragraphOfCode;
  return `${paragraph}-${letter(code - first)}). Banco Central do Brasil - Carta Circular nº 4.001/2020, art. 1º`;
}
