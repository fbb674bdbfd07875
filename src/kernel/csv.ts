// What a spreadsheet takes for the beginning of a formula (OWASP, CSV injection), full-width forms included.
const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/u;
const NEEDS_QUOTES = /[",\n\r]/;

/** One line of a CSV file (RFC 4180) whose cells no spreadsheet runs: those that begin like a formula get an apostrophe. */
export const csvRow = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`;

function cell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
