// Characters that make a spreadsheet run a cell as a formula (OWASP, CSV injection), full-width forms included.
const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/u;
// Brazilian spreadsheets also split comma-separated files at semicolons, so `;` always needs quotes. A lone hyphen
// means "not known" in our files and is not a formula.
const NEEDS_QUOTES = { ',': /[",;\n\r]/, ';': /[";\n\r]/ } as const;
const NOT_KNOWN = '-';

/** The separator: a comma (RFC 4180), or the semicolon that Brazilian spreadsheets expect. */
export type CsvSeparator = keyof typeof NEEDS_QUOTES;

/** Returns one line of a CSV file (RFC 4180). A cell that a spreadsheet would run as a formula gets an apostrophe. */
export const csvRow = (cells: readonly string[], separator: CsvSeparator = ','): string =>
  `${cells.map((text) => formatCell(text, separator)).join(separator)}\r\n`;

function formatCell(text: string, separator: CsvSeparator): string {
  const harmless = FORMULA.test(text) && text !== NOT_KNOWN ? `'${text}` : text;
  return NEEDS_QUOTES[separator].test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/**
 * Reads the CSV record (RFC 4180, any separator) that begins at `from`. Quoted fields may contain separators, doubled
 * quotes and line breaks. Returns null if the record is incomplete and more text may follow (`ended` is false).
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
  /** True if text follows the closing quotation mark of a field. */
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
