const PLAIN = /^[\x21-\x7e]*$/;

/** Composes (NFC), trims, and removes invisible formatting characters such as zero-width spaces. */
export const tidyText = (text: string): string =>
  PLAIN.test(text)
    ? text
    : text
        .normalize('NFC')
        .replace(/\p{Cf}/gu, '')
        .trim();

/** Tidies a text (`tidyText`), and maps full-width letters, dashes and spaces to ASCII. */
export const asciiText = (text: string): string =>
  PLAIN.test(text)
    ? text
    : tidyText(text.normalize('NFKC'))
        .replace(/[\p{Pd}\u2212]/gu, '-')
        .replace(/\s/gu, ' ');

/** Words that fill a field whose value is missing, in small letters and without punctuation. */
export const placeholders: ReadonlySet<string> = new Set([
  ...['na', 'nd', 'null', 'nil', 'none', 'undefined', 'unknown', 'empty', 'blank', 'notavailable'],
  ...['notapplicable', 'notinformed', 'notprovided', 'naoinformado', 'naoinformada', 'naodisponivel'],
  ...['naoseaplica', 'naoconsta', 'naopossui', 'desconhecido', 'desconhecida', 'nenhum', 'nenhuma', 'vazio'],
  ...['seminformacao', 'ignorado', 'sn', 'ni', 'nc'],
]);

const MAX_PLACEHOLDER = 64;
const ONLY_ZEROS = /^0*$/;

/** True for a placeholder: `null`, `N/A`, `NAO INFORMADO`, `0000`, `-`. */
export function isPlaceholder(text: string): boolean {
  // A fast path: nearly all values contain a digit other than zero, and no placeholder does.
  if (text.length > MAX_PLACEHOLDER || /[1-9]/.test(text)) return false;
  const letters = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  return ONLY_ZEROS.test(letters) || placeholders.has(letters);
}
