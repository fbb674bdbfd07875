const UUID =
  /^(?:urn:)?(?:uuid:)?\{?([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})\}?$/i;
/** The text that URNs and forms put before a device id (RFC 9039, RFC 7254, RFC 8464). */
const LABEL = /^(?:urn:)?(?:dev:mac|mac|gsma:imei|imei|device-id:meid|meid)[: ]\s*/i;
const HARDWARE = [
  /^(?:[0-9a-f]{2}[:\- ]){5}[0-9a-f]{2}$/i,
  /^(?:[0-9a-f]{4}[.:-]){2}[0-9a-f]{4}$/i,
  /^[0-9a-f]{6}-?[0-9a-f]{6}$/i,
];
/** A hardware address of eight bytes (EUI-64). */
const LONG_HARDWARE = /^(?:[0-9a-f]{2}[:-]){7}[0-9a-f]{2}$/i;
/** IMEI, and IMEI with the version of its software: 15 or 16 digits in groups. */
const IMEI = /^\d{2}([- ])\d{6}\1\d{6}\1\d{1,2}$|^\d{8}-\d{6}-\d{1,2}$/;
/** MEID: 14 hexadecimal digits in groups. */
const MEID = /^[a-f][0-9a-f]([- ])[0-9a-f]{6}\1[0-9a-f]{6}$/i;
const HEXADECIMAL = /^(?:0x)?([0-9a-f]{14}|[0-9a-f]{16,})$/i;
const ALL_EQUAL = /^([0f])\1*$/;

/** Returns a UUID of any notation in small letters with hyphens; null for any other text. */
export function canonicalUuid(text: string): string | null {
  const match = UUID.exec(text);
  return match ? match.slice(1).join('-').toLowerCase() : null;
}

/** Identifiers that many devices share. */
const SHARED_IDS = new Set([
  '9774d56d682e549c', // the ANDROID_ID of emulators, and of a faulty device series of 2010
  '020000000000', // the hardware address that Android and iOS return instead of the real one
]);

/**
 * Returns the canonical identifier of a device; null for a placeholder. UUIDs, hardware addresses and hexadecimal ids
 * become small letters, the number of a telephone its digits; any other text stays as it is.
 */
export function canonicalDeviceId(text: string): string | null {
  const knownId = canonicalUuid(text) ?? knownIdOf(text.replace(LABEL, ''));
  if (knownId === null) return text;
  const digits = knownId.replace(/[-:]/g, '');
  return ALL_EQUAL.test(digits) || SHARED_IDS.has(digits) ? null : knownId;
}

function knownIdOf(text: string): string | null {
  if (HARDWARE.some((form) => form.test(text))) {
    return text
      .replace(/[^0-9a-f]/gi, '')
      .toLowerCase()
      .replace(/..(?=.)/g, '$&:');
  }
  if (LONG_HARDWARE.test(text) || MEID.test(text) || IMEI.test(text)) {
    return text.replace(/[:\- ]/g, '').toLowerCase();
  }
  return HEXADECIMAL.exec(text)?.[1]?.toLowerCase() ?? (/^\d{15}$/.test(text) ? text : null);
}
