import { remainderOf97 } from './check-digits.js';
import { asciiText } from './plain-text.js';
import { recognisedWallet } from './wallet/wallet-address.js';

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
const MIN_IBAN = 15;
/** The text before an IBAN: its name, or the link of RFC 8905 with the bank and the amount. */
const BEFORE_IBAN = /^(?:payto:\/\/iban\/(?:[a-z0-9]+\/)?|(?:urn:)?iban\b[:\s]*(?:n(?:o|r)\.?\s)?)/i;

/** Returns an IBAN without spaces, in capitals; null if its check digits are wrong (ISO 13616, ISO 7064 MOD 97-10). */
export function canonicalIban(text: string): string | null {
  const compactText = text
    .replace(BEFORE_IBAN, '')
    .replace(/\?.*$/, '')
    .replace(/[ .-]/g, '')
    .toUpperCase()
    .replace(/^IBAN(?=[A-Z]{2}\d{2})/, '');
  return IBAN.test(compactText) && remainderOf97(`${compactText.slice(4)}${compactText.slice(0, 4)}`) === 1
    ? compactText
    : null;
}

/** A branch and an account in digits. The check digit of either may be X. */
const NUMERIC = /^(?:\d{1,5} ?- ?x(?: ?\/ ?| ))?[\d ./-]*\d[\d ./-]*x?$/i;
const BRANCH_LABEL = /\b(?:AG[EÊ]NCIA|AG|BRANCH)\b[.: ]*/gi;
const ACCOUNT_LABEL =
  /[ /,;-]*\b(?:CONTA(?:[ -](?:CORRENTE|POUPAN[CÇ]A|PAGAMENTO))?|C\/C|C\/P|CC|CP|CTA|ACCOUNT|ACC)\b[.: ]*/gi;
const CHECK_DIGIT = /^(\d{3,})-([\dX])$/;
const BRANCH_DIGITS = 4;
/** Digits, perhaps with one hyphen: neither an IBAN nor a wallet, and branch and account cannot be told apart. */
const DIGITS = /^\d+(?:-\d+)?$/;

/** Branch and number, each perhaps with a check digit, with a slash between them. */
const SLASHED = /^(\d{1,5})(?:-([\dX]))? ?\/ ?([\d -]*\d)(?: ?- ?)?([\dX]?)$/;
/** Branch and number with a space or a hyphen between them. A number without a branch may also be grouped by spaces. */
const SPACED = /^(\d{4})(?:-([\dX]))?(?: | ?- )(\d{5,})-?([\dX]?)$/;
const HYPHENED = /^(\d{4})(-)(\d{4,})-([\dX])$/;

/**
 * Returns the canonical form of an account: an IBAN; branch and number, the branch with its four digits and without its
 * check digit, the number without zeros on the left; the address of a wallet. Any other text is the institution's own
 * reference and stays as it is.
 */
export function canonicalAccountNumber(text: string): string {
  // A fast path: most accounts are written so.
  if (DIGITS.test(text)) return text.replace(CHECK_DIGIT, '$1$2');
  const ascii = asciiText(text);
  const international = ascii.length < MIN_IBAN ? null : canonicalIban(ascii);
  // By chance, one wallet address in 97 has the check digits of an IBAN. No IBAN has the checksum of a wallet.
  if (international !== null) return recognisedWallet(ascii) ?? international;
  const number = ascii.replace(ACCOUNT_LABEL, '/').replace(BRANCH_LABEL, '');
  if (!NUMERIC.test(number)) return recognisedWallet(ascii) ?? text;
  const compactNumber = number.toUpperCase().replaceAll('.', '').replace(/ +/g, ' ');
  return formatNumber(compactNumber.replace(/^[/ ]+/, '').trim());
}

function formatNumber(number: string): string {
  const match = SLASHED.exec(number) ?? SPACED.exec(number) ?? HYPHENED.exec(number);
  if (match) {
    const [, branch = '', , account = '', check = ''] = match;
    const digits = `${account}${check}`.replace(/[ -]/g, '').replace(/^0+(?=.)/, '');
    return `${formatBranch(branch)}/${digits}`;
  }
  return number
    .replaceAll(' ', '')
    .split('/')
    .map((part) => part.replace(CHECK_DIGIT, '$1$2'))
    .join('/');
}

/** A branch has four digits. A fifth one is its check digit, or a zero on the left of it. */
const formatBranch = (digits: string): string =>
  /^0{4}\d$/.test(digits) ? digits.slice(1) : digits.slice(0, BRANCH_DIGITS).padStart(BRANCH_DIGITS, '0');
