// Characters that a spreadsheet takes for the beginning of a formula (OWASP, CSV injection), full-width forms included.
const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/u;
// By separator; what stands for "not known" in Brazilian exports, a lone hyphen, is no formula.
const NEEDS_QUOTES = { ',': /[",\n\r]/, ';': /[";\n\r]/ } as const;
const NOT_KNOWN = '-';

/** The text between the cells: a comma (RFC 4180), or the semicolon of spreadsheets in Brazil. */
export type CsvSeparator = keyof typeof NEEDS_QUOTES;

/** One line of a CSV file (RFC 4180) whose cells no spreadsheet runs: those that begin like a formula get an apostrophe. */
export const csvRow = (cells: readonly string[], separator: CsvSeparator = ','): string =>
  `${cells.map((text) => cell(text, separator)).join(separator)}\r\n`;

function cell(text: string, separator: CsvSeparator): string {
  const harmless = FORMULA.test(text) && text !== NOT_KNOWN ? `'${text}` : text;
  return NEEDS_QUOTES[separator].test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
