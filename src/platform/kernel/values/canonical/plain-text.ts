const PLAIN = /^[\x21-\x7e]*$/;

/** Removes invisible characters: composes (NFC), trims, and drops zero-width characters. */
export const tidyText = (text: string): string =>
  PLAIN.test(text)
    ? text
    : text
        .normalize('NFC')
        .replace(/\p{Cf}/gu, '')
        .trim();

/** Maps wide letters, dashes and spaces to ASCII, for kinds of values that are written in it. */
export const asciiText = (text: string): string =>
  PLAIN.test(text)
    ? text
    : tidyText(text.normalize('NFKC'))
        .replace(/[\p{Pd}\u2212]/gu, '-')
        .replace(/\s/gu, ' ');

/** Placeholders, in small letters. */
export const placeholders: ReadonlySet<string> = new Set([
  ...['na', 'nd', 'null', 'nil', 'none', 'undefined', 'unknown', 'empty', 'blank', 'notavailable'],
  ...['notapplicable', 'notinformed', 'notprovided', 'naoinformado', 'naoinformada', 'naodisponivel'],
  ...['naoseaplica', 'naoconsta', 'naopossui', 'desconhecido', 'desconhecida', 'nenhum', 'nenhuma', 'vazio'],
  ...['seminformacao', 'ignorado'],
]);

const MAX_PLACEHOLDER = 64;
const ONLY_ZEROS = /^0*$/;

/** True for a placeholder: `null`, `N/A`, `NAO INFORMADO`, `0000`, `-`. */
export function isPlaceholder(text: string): boolean {
  // No placeholder has another digit than zero, and nearly all values have one.
  if (text.length > MAX_PLACEHOLDER || /[1-9]/.test(text)) return false;
  const letters = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  return ONLY_ZEROS.test(letters) || placeholders.has(letters);
}
