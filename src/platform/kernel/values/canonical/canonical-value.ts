import { accountNumber, iban } from './account-number.js';
import { emailAddress, phoneNumber } from './contact.js';
import { countryCode } from './country-code.js';
import { deviceId } from './device-id.js';
import { ipAddress, ipNetwork } from './ip-address.js';
import { pixKey, taxIdText } from './pix-key.js';
import { asciiText, isPlaceholder, tidyText } from './plain-text.js';
import { walletAddress } from './wallet-address.js';

/** Reads a reference that somebody else issues: only invisible characters are removed before. */
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
  DOCUMENT: written(taxIdText),
  ACCOUNT: reference(accountNumber),
  IBAN: written(iban),
  PIX_KEY: written(pixKey),
  WALLET: reference(walletAddress),
  DEVICE: reference(deviceId),
  IP: written(ipAddress),
  NETWORK: written(ipNetwork),
  COUNTRY: written(countryCode),
  PHONE: written(phoneNumber),
  EMAIL: (raw: string) => emailAddress(tidyText(raw)),
  IDENTIFIER: written(identifierText),
} as const satisfies Record<string, (raw: string) => string | null>;

/** The kinds of values that have one canonical form. */
export type ValueKind = keyof typeof forms;
export const valueKinds = Object.keys(forms) as ValueKind[];

/**
 * Returns the one form in which a value is compared, hashed and looked up, however it was written; null if the text is no
 * value of this kind. A canonical form is its own canonical form. `docs/canonical-forms.md` names the sources.
 */
export const canonicalValue = (kind: ValueKind, text: string): string | null => forms[kind](text);
