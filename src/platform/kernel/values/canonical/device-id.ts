const UUID = /^\{?([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})\}?$/i;
const HARDWARE = /^(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i;
const HEXADECIMAL = /^[0-9a-f]{16,}$/i;
const ALL_EQUAL = /^([0f])\1*$/;

/** Returns a UUID of any notation in small letters with hyphens; null for any other text. */
export function canonicalUuid(text: string): string | null {
  const match = UUID.exec(text);
  return match ? match.slice(1).join('-').toLowerCase() : null;
}

/** Identifiers that many devices share. */
const SHARED = new Set([
  '9774d56d682e549c', // the ANDROID_ID of emulators, and of a faulty device series of 2010
  '020000000000', // the hardware address that Android and iOS return instead of the real one
]);

/**
 * Returns the canonical identifier of a device; null for a placeholder. UUIDs, hardware addresses and hexadecimal ids
 * become small letters; any other text stays as it is.
 */
export function canonicalDeviceId(text: string): string | null {
  const known =
    canonicalUuid(text) ??
    (HARDWARE.test(text)
      ? text.toLowerCase().replaceAll('-', ':')
      : HEXADECIMAL.test(text)
        ? text.toLowerCase()
        : null);
  if (known === null) return text;
  const digits = known.replace(/[-:]/g, '');
  return ALL_EQUAL.test(digits) || SHARED.has(digits) ? null : known;
}
