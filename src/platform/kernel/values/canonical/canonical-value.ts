import { canonicalAccountNumber, canonicalIban } from './account-number.js';
import { canonicalEmailAddress, canonicalPhoneNumber } from './contact.js';
import { canonicalCountryCode } from './country-code.js';
import { canonicalDeviceId } from './device-id.js';
import { canonicalIpAddress, canonicalIpNetwork } from './ip-address.js';
import { canonicalPixKey, canonicalTaxId } from './pix-key.js';
import { asciiText, isPlaceholder, tidyText } from './plain-text.js';
import { canonicalWalletAddress } from './wallet-address.js';

/** For references of another system: removes invisible characters only, and refuses placeholders. */
const reference =
  (read: (text: string) => string | null) =>
  (raw: string): string | null => {
    const text = tidyText(raw);
    return isPlaceholder(text) ? null : read(text);
  };

const written =
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
  DOCUMENT: written(canonicalTaxId),
  ACCOUNT: reference(canonicalAccountNumber),
  IBAN: written(canonicalIban),
  PIX_KEY: written(canonicalPixKey),
  WALLET: reference(canonicalWalletAddress),
  DEVICE: reference(canonicalDeviceId),
  IP: written(canonicalIpAddress),
  NETWORK: written(canonicalIpNetwork),
  COUNTRY: written(canonicalCountryCode),
  PHONE: written(canonicalPhoneNumber),
  EMAIL: (raw: string) => canonicalEmailAddress(tidyText(raw)),
  IDENTIFIER: written(identifierText),
} as const satisfies Record<string, (raw: string) => string | null>;

export type ValueKind = keyof typeof forms;
export const valueKinds = Object.keys(forms) as ValueKind[];

/**
 * Returns the canonical form of a value, in which it is compared, hashed and looked up; null if the text is not a value
 * of this kind. Applied to a canonical form, it returns the same text. `docs/canonical-forms.md` names the sources.
 */
export const canonicalValue = (kind: ValueKind, text: string): string | null => forms[kind](text);
