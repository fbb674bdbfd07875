import { firstUuidAt } from '../../../../platform/kernel/index.js';

// Crockford's alphabet, without letters that look like a digit or sound like another letter.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const FORM = /^(\d{4})(\d{2})(\d{2})-([0-9A-HJKMNP-TV-Z]{8})$/;
const DAY_MS = 86_400_000;

/**
 * Returns the protocol number that a person gets at the end, to read out to support: the day (UTC) on which the session
 * was created, and the last 40 bits of its id. It identifies the session but gives no access.
 */
export function protocolNumberOf(id: string): string {
  const hex = id.replaceAll('-', '');
  const day = new Date(Number.parseInt(hex.slice(0, 12), 16)).toISOString().slice(0, 10).replaceAll('-', '');
  let rest = BigInt(`0x${hex.slice(-10)}`);
  let letters = '';
  for (let i = 0; i < 8; i += 1) {
    letters = (ALPHABET[Number(rest & 31n)] ?? '') + letters;
    rest >>= 5n;
  }
  return `${day}-${letters}`;
}

/** Returns the range of ids that a protocol number can mean; null if the text is malformed. */
export function idRangeOfProtocol(
  text: string,
): { readonly from: string; readonly until: string; readonly end: string } | null {
  const [, year, month, day, letters = ''] = FORM.exec(text.toUpperCase()) ?? [];
  const at = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  if (letters === '' || Number.isNaN(at)) return null;
  let rest = 0n;
  for (const letter of letters) rest = (rest << 5n) | BigInt(ALPHABET.indexOf(letter));
  return {
    from: firstUuidAt(new Date(at)),
    until: firstUuidAt(new Date(at + DAY_MS)),
    end: rest.toString(16).padStart(10, '0'),
  };
}
