// Characters that a spreadsheet takes for the beginning of a formula (OWASP, CSV injection), full-width forms included.
const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/u;
// Spreadsheets in Brazil split a file with commas at semicolons too. A lone hyphen there is "not known", no formula.
const NEEDS_QUOTES = { ',': /[",;\n\r]/, ';': /[";\n\r]/ } as const;
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

/**
 * The record of a CSV file (RFC 4180, any separator) that begins at `from`: quoted fields may hold separators, doubled
 * quotes and line breaks. Null when its end is not there yet; `ended` says that no more text follows.
 */
export function csvRecordAt(
  text: string,
  from: number,
  separator: string,
  ended: boolean,
): {
  readonly fields: string[];
  readonly end: number;
  readonly lines: number;
  /** Something follows the closing quotation mark of a field. */
  readonly isTorn: boolean;
} | null {
  const fields: string[] = [];
  let at = from;
  let lines = 0;
  let isTorn = false;
  for (;;) {
    let field = '';
    const isQuoted = text.charAt(at) === '"';
    if (isQuoted) {
      at += 1;
      for (;;) {
        const quote = text.indexOf('"', at);
        if (quote < 0 || (quote === text.length - 1 && !ended)) return null;
        field += text.slice(at, quote);
        at = quote + 1;
        if (text.charAt(at) !== '"') break;
        field += '"';
        at += 1;
      }
      for (const c of field) if (c === '\n') lines += 1;
    }
    let end = at;
    while (end < text.length && text.charAt(end) !== separator && text.charAt(end) !== '\n') end += 1;
    if (end === text.length && !ended) return null;
    const tail = text.slice(at, end);
    isTorn ||= isQuoted && tail.trim() !== '';
    fields.push(field + (tail.endsWith('\r') ? tail.slice(0, -1) : tail));
    if (text.charAt(end) === separator) {
      at = end + 1;
      continue;
    }
    return { fields, end: Math.min(end + 1, text.length), lines: lines + 1, isTorn };
  }
}
