/** Reads numbers as people write them, in Portuguese or English: "1.500,00", "1,500.00", "R$ 1500". */

const WHOLE = /^-?\d+$/;
const GROUPED = /^-?\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*$/;

/** A number as it was typed: its plain decimal, or none, because it is no number or may be two of them. */
export interface Reading {
  readonly decimal: string | null;
  readonly isAmbiguous: boolean;
}

const read = (decimal: string | null): Reading => ({
  // Zeros at the end of a fraction say nothing, and where whole numbers are taken they would be refused.
  decimal: decimal?.replace(/\.0+$|(\.\d*?)0+$/, '$1') ?? null,
  isAmbiguous: false,
});

export function readNumber(typed: string): Reading {
  const text = typed.replace(/R\$|[\s\u00a0%]/g, '');
  if (WHOLE.test(text)) return read(text);
  const at = Math.max(text.lastIndexOf(','), text.lastIndexOf('.'));
  const [whole, part] = [text.slice(0, at), text.slice(at + 1)];
  if (GROUPED.test(text)) {
    // Two marks group thousands; one before three digits is a decimal mark in one of the languages.
    if (text.replace(/[^.,]/g, '').length > 1) return read(text.replace(/[.,]/g, ''));
    return /^-?0/.test(text) ? read(`${whole}.${part}`) : { decimal: null, isAmbiguous: true };
  }
  if (!/^\d+$/.test(part)) return read(null);
  if (WHOLE.test(whole)) return read(`${whole}.${part}`);
  const group = GROUPED.exec(whole)?.[1];
  const isGroupedWhole = group !== undefined && group !== text[at];
  return read(isGroupedWhole ? `${whole.replace(/[.,]/g, '')}.${part}` : null);
}

/** The number of what was typed; NaN where it is none, or may be two. */
export function numberFrom(typed: string): number {
  const { decimal } = readNumber(typed);
  return decimal === null ? NaN : Number(decimal);
}
