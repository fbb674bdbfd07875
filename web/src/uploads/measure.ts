/** Loaded when the first picture is taken: the page measures by the lines of the service, which has the last word. */
import { pictureFlawsOf } from '../../../src/features/uploads/domain/picture-judge.js';
import { measureQuality, type Luma } from '../../../src/features/uploads/domain/image-quality.js';
import type { PictureFlaw } from '../api.js';

export type Subject = 'document' | 'face';

export interface Measured {
  readonly flaws: readonly PictureFlaw[];
  /** Whichever of several pictures with as many flaws has more of it is the better one. */
  readonly focus: number;
  /** Share of the picture with strokes as fine as print. */
  readonly print: number;
}

// As the service does before it measures.
const SIDE = 1_024;
const LINEAR = Float32Array.from({ length: 256 }, (_, i) => {
  const share = i / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
});
const STEPS = 4_095;
const SEEN = Uint8Array.from({ length: STEPS + 1 }, (_, i) => {
  const share = i / STEPS;
  return Math.round(255 * (share <= 0.0031308 ? share * 12.92 : 1.055 * share ** (1 / 2.4) - 0.055));
});

/** Judges a picture as a file. */
export async function measureFile(file: Blob, of: Subject): Promise<Measured> {
  const picture = await createImageBitmap(file);
  try {
    const { width, height } = picture;
    return measure(lumaOf(picture, width, height), { of, width, height });
  } finally {
    picture.close();
  }
}

/** Judges what was drawn on a canvas, which stands for a picture of this size. */
export function measure(
  luma: Luma,
  { of, width, height }: { readonly of: Subject; readonly width: number; readonly height: number },
): Measured {
  const quality = measureQuality(luma);
  return {
    // Codes are read elsewhere: whether a face is one, the service tells.
    flaws: pictureFlawsOf({ of, width, height, quality, codes: 0 }),
    ...{ focus: quality.focus, print: quality.print },
  };
}

/** The light of a picture, scaled as the service scales it. */
export function lumaOf(source: CanvasImageSource, width: number, height: number): Luma {
  const scale = Math.min(1, SIDE / Math.max(width, height));
  const size = {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
  const canvas = document.createElement('canvas');
  canvas.width = size.width;
  canvas.height = size.height;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('no canvas');
  context.imageSmoothingQuality = 'high';
  context.fillStyle = '#fff';
  context.fillRect(0, 0, size.width, size.height);
  context.drawImage(source, 0, 0, size.width, size.height);
  return lumaIn(context.getImageData(0, 0, size.width, size.height));
}

/** The luminance of each pixel, as libvips computes it. */
export function lumaIn({ data, width, height }: ImageData): Luma {
  const pixels = new Uint8Array(width * height);
  for (let i = 0; i < pixels.length; i += 1) {
    const light =
      0.2126 * (LINEAR[data[4 * i] ?? 0] ?? 0) +
      0.7152 * (LINEAR[data[4 * i + 1] ?? 0] ?? 0) +
      0.0722 * (LINEAR[data[4 * i + 2] ?? 0] ?? 0);
    pixels[i] = SEEN[Math.round(light * STEPS)] ?? 0;
  }
  return { width, height, pixels };
}
