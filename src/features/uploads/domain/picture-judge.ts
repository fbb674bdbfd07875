import { pictureFlaws, type PictureFlaw } from '../../../platform/kernel/reference/picture-flaws.js';
import type { ImageQuality } from './image-quality.js';

/** The measurements on which a picture is accepted or refused. */
export interface MeasuredPicture {
  readonly of: 'document' | 'face';
  readonly width: number | null;
  readonly height: number | null;
  /** Null if the file is a PDF, which is not measured. */
  readonly quality: ImageQuality | null;
  /** The number of machine-readable codes in the picture. */
  readonly codes: number;
}

/**
 * The quality limits of a picture; beyond them the person must send a new one. Measured on generated pictures of twelve
 * documents on four tables, tested against others (test/integration/image-quality.spec.ts); starting points, not norms.
 * At 600 px on the shorter side, a line of text on an identity card is about 15 px high.
 */
export const QUALITY = {
  shorterSide: { document: 600, face: 480 },
  focus: { document: 0.6, face: 0.3 },
  darkest: 40,
  contrast: 12,
  spot: 0.006,
  cut: 0.16,
  /** A picture with less detail than this shows no document. */
  detail: 0.02,
} as const;

/**
 * The flaws of a picture. No model detects a face or a document: WRONG_SUBJECT means an empty picture instead of a
 * document, or a machine-readable code in a picture of a face.
 */
export function pictureFlawsOf({
  of,
  width,
  height,
  quality,
  codes,
}: MeasuredPicture): readonly PictureFlaw[] {
  if (!quality) return [];
  const isFace = of === 'face';
  const { focus, detail, print, spot, cut, brightness, contrast } = quality;
  const isDark = brightness < QUALITY.darkest;
  const isGrey = contrast < QUALITY.contrast && print < 0.01;
  const isEmpty = detail < QUALITY.detail;
  const flaws: Readonly<Record<PictureFlaw, boolean>> = {
    // Codes show a document where a face should be. No detail means no document, unless the picture is dark or pale.
    WRONG_SUBJECT: isFace ? codes > 0 : isEmpty && !isDark && !isGrey,
    LOW_RESOLUTION: Math.min(width ?? 0, height ?? 0) < QUALITY.shorterSide[of],
    TOO_DARK: isDark,
    LOW_CONTRAST: isGrey && !isDark,
    BLURRED: focus < QUALITY.focus[of] && !isDark && !isGrey && !isEmpty,
    // A lamp behind a person does not hide the face.
    GLARE: !isFace && spot >= QUALITY.spot,
    CUT_OFF: !isFace && cut >= QUALITY.cut,
  };
  return pictureFlaws.filter((flaw) => flaws[flaw]);
}
