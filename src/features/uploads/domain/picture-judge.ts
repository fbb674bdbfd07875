import { pictureFlaws, type PictureFlaw } from '../../../platform/kernel/reference/picture-flaws.js';
import type { ImageQuality } from './image-quality.js';

/** The facts by which a picture is judged. */
export interface MeasuredPicture {
  readonly of: 'document' | 'face';
  readonly width: number | null;
  readonly height: number | null;
  /** Null for a PDF, which is not measured. */
  readonly quality: ImageQuality | null;
  /** The number of machine-readable codes in the picture. */
  readonly codes: number;
}

/**
 * The limits beyond which a picture is asked for again. Measured on generated pictures of twelve documents on four tables,
 * and tested against others (test/integration/image-quality.spec.ts); starting points, not norms. 600 px on the shorter
 * side leave a line of text on an identity card about 15 px.
 */
export const QUALITY = {
  shorterSide: { document: 600, face: 480 },
  focus: { document: 0.6, face: 0.3 },
  darkest: 40,
  contrast: 12,
  spot: 0.006,
  cut: 0.16,
  /** A document with less detail than this is an empty picture. */
  detail: 0.02,
} as const;

/**
 * Returns the flaws of a picture. No model looks for a face or a document: only an empty picture of a document and a
 * picture of a face with a machine-readable code count as a wrong subject.
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
  const found: Readonly<Record<PictureFlaw, boolean>> = {
    // A dark picture has no detail either.
    WRONG_SUBJECT: isFace ? codes > 0 : isEmpty && !isDark && !isGrey,
    LOW_RESOLUTION: Math.min(width ?? 0, height ?? 0) < QUALITY.shorterSide[of],
    TOO_DARK: isDark,
    LOW_CONTRAST: isGrey && !isDark,
    BLURRED: focus < QUALITY.focus[of] && !isDark && !isGrey && !isEmpty,
    // A lamp behind a person hides nothing of the face.
    GLARE: !isFace && spot >= QUALITY.spot,
    CUT_OFF: !isFace && cut >= QUALITY.cut,
  };
  return pictureFlaws.filter((flaw) => found[flaw]);
}
