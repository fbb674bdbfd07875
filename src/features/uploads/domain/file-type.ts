import type { ArtifactMimeType } from './artifact.js';

export const SNIFF_BYTES = 12;

/** Detects the type from the first SNIFF_BYTES bytes; null if the type is not accepted. */
export function detectMimeType(head: Buffer): ArtifactMimeType | null {
  if (head.length < SNIFF_BYTES) return null;
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return 'image/jpeg';
  if (head.subarray(0, 8).equals(PNG)) return 'image/png';
  if (head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP') {
    return 'image/webp';
  }
  return /^%PDF-[12]\.\d/.test(head.toString('latin1', 0, 8)) ? 'application/pdf' : null;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * True for an iPhone photo (ISO/IEC 23008-12): a HEIF container with a brand of HEVC, or with a generic brand that may
 * contain HEVC.
 */
export const isHeic = (head: Buffer): boolean =>
  /^ftyp(?:hei[cfmsx]|hev[cmsx]|mif1|msf1)/.test(head.toString('latin1', 4, 12));
