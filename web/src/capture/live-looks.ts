import type { PictureFlaw } from '../api.js';
import type { Measured } from '../uploads/measure.js';

export type Frame = 'document' | 'selfie' | 'page';
/** Advice for a better picture; HOLD when it is good as it is. */
export type Hint = 'SMALL' | 'LIGHT' | 'GLARE' | 'WHOLE' | 'CLOSER' | 'STILL' | 'HOLD';

/** One look through the viewfinder. */
export interface Look extends Pick<Measured, 'flaws' | 'print'> {
  /** How far it is from the look before, as the mean difference of the light of its parts. */
  readonly moved: number;
  readonly hasCode: boolean;
}

// A document that takes half of the width has more print than this (test/support/made-pictures.ts), and a table none.
const PRINT = 0.055;
const STILL = 2.5;
const LOOKS = 2;
// So long is a code waited for where documents have one.
const LOOKS_FOR_CODE = 8;

/** Follows the looks through a viewfinder: says what to do, and when the picture can be taken. */
export class LiveLooks {
  private good = 0;

  constructor(
    private readonly frame: Frame,
    private readonly wantsCode: boolean,
  ) {}

  next(look: Look): { readonly hint: Hint; readonly ready: boolean } {
    const hint = hintOf(look, this.frame);
    this.good = hint === 'HOLD' ? this.good + 1 : 0;
    const needed = this.wantsCode && !look.hasCode ? LOOKS_FOR_CODE : LOOKS;
    // Whether a face is in the frame, and ready, only the person knows.
    return { hint, ready: this.frame !== 'selfie' && this.good >= needed };
  }
}

function hintOf({ flaws, print, moved }: Look, frame: Frame): Hint {
  const has = (flaw: PictureFlaw): boolean => flaws.includes(flaw);
  if (has('LOW_RESOLUTION')) return 'SMALL';
  if (has('TOO_DARK')) return 'LIGHT';
  if (has('GLARE')) return 'GLARE';
  if (moved > STILL) return 'STILL';
  if (has('BLURRED')) return 'STILL';
  if (has('CUT_OFF')) return 'WHOLE';
  const far = frame !== 'selfie' && print < PRINT;
  return far || has('WRONG_SUBJECT') || has('LOW_CONTRAST') ? 'CLOSER' : 'HOLD';
}

/** The shape of what is photographed, as width over height. A wide camera has too few points for an upright one. */
export function shapeOf(frame: Frame, isWide: boolean): number {
  if (frame === 'document') return 4 / 3;
  return frame === 'selfie' || isWide ? 1 : 3 / 4;
}

/** The part of a picture that a box of this shape shows when it is filled. */
export function shownPart(
  picture: { readonly width: number; readonly height: number },
  ratio: number,
): { readonly x: number; readonly y: number; readonly width: number; readonly height: number } {
  const width = Math.round(Math.min(picture.width, picture.height * ratio));
  const height = Math.round(Math.min(picture.height, picture.width / ratio));
  return {
    ...{ width, height },
    x: Math.floor((picture.width - width) / 2),
    y: Math.floor((picture.height - height) / 2),
  };
}

const PARTS = 24;

/** The light of the parts of a picture: noise is gone in it, and what moves is not. */
export function partsOf({
  width,
  height,
  pixels,
}: {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}): Float32Array {
  const sums = new Float32Array(PARTS * PARTS);
  for (let y = 0; y < height; y += 2) {
    const row = Math.floor((y * PARTS) / height) * PARTS;
    for (let x = 0; x < width; x += 2) {
      const at = row + Math.floor((x * PARTS) / width);
      sums[at] = (sums[at] ?? 0) + (pixels[y * width + x] ?? 0);
    }
  }
  const each = (width * height) / 4 / sums.length;
  return sums.map((sum) => sum / each);
}

/** The mean difference of two looks; much when there was none before. */
export function movedBetween(before: Float32Array | null, now: Float32Array): number {
  if (!before) return Infinity;
  return now.reduce((sum, value, i) => sum + Math.abs(value - (before[i] ?? 0)), 0) / now.length;
}
