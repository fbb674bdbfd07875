import type { ListFormat } from './list-formats.js';
import { readBirth } from './list-values.js';

/** Length of the beginning of a file, in which the file says when it was made. */
export const HEAD_BYTES = 8 * 1024;

/** `dateGenerated` of the United Nations. */
const UN = /<CONSOLIDATED_LIST\b[^>]*\bdateGenerated\s*=\s*["'](\d{4}-\d\d-\d\d)/;
/** The first line of OFSI: `Last Updated,25/11/2026`. */
const OFSI = /^\ufeff?"?Last Updated"?[,;]"?(\d{1,2})\/(\d{1,2})\/(\d{4})/i;
/** The first line of the UK Sanctions List: `Report Date: 18-Aug-2026`. */
const UK = /^\ufeff?"?Report Date: *(\d{1,2}-[A-Z][a-z]{2}-\d{4})/;
/** The first column of the European Union, in its first row: a date, or a date and time. */
const EU = /^[^\n]*\n"?(\d{1,2})\/(\d{1,2})\/(\d{4})/;
const EU_ISO = /^[^\n]*\n"?(\d{4}-\d\d-\d\d)/;

const READERS: Partial<Readonly<Record<ListFormat, readonly RegExp[]>>> = {
  UN_XML: [UN],
  UK_SANCTIONS_CSV: [UK],
  UK_OFSI_CSV: [OFSI],
  EU_CSV: [EU, EU_ISO],
};

/**
 * Returns the day on which a file says that it was made, as an instant; null for a format or a file that says none. A day
 * in the future counts as now.
 */
export function dateOfFile(format: ListFormat, head: Buffer, now: Date): Date | null {
  const text = head.toString('utf8');
  for (const reader of READERS[format] ?? []) {
    const [, first = '', month, year] = reader.exec(text) ?? [];
    if (first === '') continue;
    const day =
      month === undefined
        ? (readBirth(first)[0] ?? first)
        : `${year}-${month.padStart(2, '0')}-${first.padStart(2, '0')}`;
    const date = new Date(`${day}T00:00:00.000Z`);
    if (!Number.isNaN(date.getTime())) return date > now ? now : date;
  }
  return null;
}
