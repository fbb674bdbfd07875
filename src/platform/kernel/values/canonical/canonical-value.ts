import { accountNumber, iban } from './account-number.js';
import { emailAddress, phoneNumber } from './contact.js';
import { countryCode } from './country-code.js';
import { deviceId } from './device-id.js';
import { ipAddress, ipNetwork } from './ip-address.js';
import { pixKey, taxIdText } from './pix-key.js';
import { asciiText, isPlaceholder, tidyText } from './plain-text.js';
import { walletAddress } from './wallet-address.js';

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

export type ValueKind = keyof typeof forms;
export const valueKinds = Object.keys(forms) as ValueKind[];

/**
 * Returns the canonical form of a value, in which it is compared, hashed and looked up; null if the text is not a value
 * of this kind. Applied to a canonical form, it returns the same text. `docs/canonical-forms.md` names the sources.
 */
export const canonicalValue = (kind: ValueKind, text: string): string | null => forms[kind](text);
