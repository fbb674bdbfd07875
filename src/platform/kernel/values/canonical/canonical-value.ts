import { canonicalAccountNumber, canonicalIban } from './account-number.js';
import { canonicalEmailAddress, canonicalPhoneNumber } from './contact.js';
import { canonicalCountryCode } from './country-code.js';
import { canonicalDeviceId } from './device-id.js';
import { canonicalIpAddress, canonicalIpNetwork } from './ip-address.js';
import { canonicalPixKey, canonicalTaxId } from './pix-key.js';
import { asciiText, isPlaceholder, tidyText } from './plain-text.js';
import { canonicalWalletAddress, recognisedWallet } from './wallet/wallet-address.js';

/** For references of another system: removes invisible characters only, and refuses placeholders. */
const referenceForm =
  (read: (text: string) => string | null) =>
  (raw: string): string | null => {
    const text = tidyText(raw);
    const value = isPlaceholder(text) ? null : read(text);
    return value === null || isPlaceholder(value) ? null : value;
  };

const asciiForm =
  (read: (text: string) => string | null) =>
  (raw: string): string | null =>
    read(asciiText(raw));

/** Keeps the letters, in capitals, and the digits of an identifying number. */
const identifierText = (text: string): string | null =>
  text
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/^IMO(?=\d{7}$)/, '') || null;

const forms = {
  DOCUMENT: asciiForm(canonicalTaxId),
  ACCOUNT: referenceForm(canonicalAccountNumber),
  IBAN: asciiForm(canonicalIban),
  PIX_KEY: asciiForm(canonicalPixKey),
  WALLET: referenceForm(canonicalWalletAddress),
  DEVICE: referenceForm(canonicalDeviceId),
  IP: asciiForm(canonicalIpAddress),
  NETWORK: asciiForm(canonicalIpNetwork),
  COUNTRY: asciiForm(canonicalCountryCode),
  PHONE: asciiForm(canonicalPhoneNumber),
  EMAIL: (raw: string) => canonicalEmailAddress(tidyText(raw)),
  IDENTIFIER: asciiForm(identifierText),
} as const satisfies Record<string, (raw: string) => string | null>;

export type ValueKind = keyof typeof forms;
export const valueKinds = Object.keys(forms) as ValueKind[];

/**
 * Returns the canonical form of a value, in which it is compared, hashed and looked up; null if the text is not a value
 * of this kind. Applied to a canonical form, it returns the same text. `docs/canonical-forms.md` names the sources.
 */
export const canonicalValue = (kind: ValueKind, text: string): string | null => forms[kind](text);

/** A branch with its number. */
const BRANCH_ACCOUNT = /^\d{4}\/[\dX]+$/;
/** Fewer digits than any wallet has, perhaps with one hyphen; such a form does not show the kind. */
const FEW_DIGITS = /^(?!\d{8}-)\d{1,12}(?:-\d{1,12})?$/;
const NAMED_PIX_KEY = /@|^\s*(?:\+|\{?[0-9a-f]{8}-)/i;

/**
 * Returns the kinds that a reference is by its form, whichever member it was sent in: a wallet as an account, an account
 * as a key of PIX. Empty for a reference of another system, and for digits alone, which may be anything.
 */
export function kindsByForm(text: string): readonly ('ACCOUNT' | 'WALLET' | 'PIX_KEY')[] {
  if (FEW_DIGITS.test(text)) return [];
  const account = canonicalValue('ACCOUNT', text);
  if (account === null) return [];
  if (BRANCH_ACCOUNT.test(account) || canonicalValue('IBAN', account) === account) return ['ACCOUNT'];
  if (recognisedWallet(text) !== null) return ['ACCOUNT', 'WALLET'];
  return NAMED_PIX_KEY.test(text) && canonicalValue('PIX_KEY', text) !== null ? ['PIX_KEY'] : [];
}
