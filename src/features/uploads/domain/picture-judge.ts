import { pictureFlaws, type PictureFlaw } from '../../../platform/kernel/reference/picture-flaws.js';
import type { ImageQuality } from './image-quality.js';

/** Everything that a judgement of a picture looks at. */
export interface MeasuredPicture {
  readonly of: 'document' | 'face';
  readonly width: number | null;
  readonly height: number | null;
  /** Null for what is not measured: a PDF. */
  readonly quality: ImageQuality | null;
  /** How many machine-readable codes were read from it. */
  readonly codes: number;
}

/**
 * Below these a picture is asked for again. Found on made pictures of twelve documents on four tables, and held against
 * others (test/integration/image-quality.spec.ts); starting points, not norms. 600 px on the shorter side leave a line of
 * text on an identity card about 15 px.
 */
export const QUALITY = {
  shorterSide: { document: 600, face: 480 },
  focus: { document: 0.6, face: 0.3 },
  darkest: 40,
  contrast: 12,
  spot: 0.006,
  cut: 0.16,
  /** A document that shows less than this is a picture of nothing. */
  detail: 0.02,
} as const;

/**
 * Returns what speaks against a picture. Whether a face or a document is in it is told by no model: as a wrong subject
 * counts only a picture of nothing for a document, and one with a machine-readable code for a face.
 */
export function flawsOf({ of, width, height, quality, codes }: MeasuredPicture): readonly PictureFlaw[] {
  if (!quality) return [];
  const isFace = of === 'face';
  const { focus, detail, print, spot, cut, brightness, contrast } = quality;
  const isDark = brightness < QUALITY.darkest;
  const isGrey = contrast < QUALITY.contrast && print < 0.01;
  const isEmpty = detail < QUALITY.detail;
  const found: Readonly<Record<PictureFlaw, boolean>> = {
    // In the dark there is nothing to see either.
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
