import type { ImageQuality } from './artifact.js';

/** An image as luma only: one byte a pixel, row by row. */
export interface Luma {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

const BURNT_OUT = 250;

/** Measures how readable an image is. */
export function qualityOf(image: Luma): ImageQuality {
  const { pixels } = image;
  let sum = 0;
  let squares = 0;
  let burnt = 0;
  for (const value of pixels) {
    sum += value;
    squares += value * value;
    if (value >= BURNT_OUT) burnt += 1;
  }
  const count = Math.max(1, pixels.length);
  const brightness = sum / count;
  return {
    sharpness: rounded(laplacianVariance(image), 1),
    glare: rounded(burnt / count, 4),
    brightness: rounded(brightness, 1),
    contrast: rounded(Math.sqrt(Math.max(0, squares / count - brightness * brightness)), 1),
  };
}

/**
 * The variance of the Laplacian, the usual measure of focus (Pech-Pacheco and others, ICPR 2000): edges make it large, and
 * what is blurred has none.
 */
export function laplacianVariance({ width, height, pixels }: Luma): number {
  let sum = 0;
  let squares = 0;
  let count = 0;
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x;
      const value =
        (pixels[at - 1] ?? 0) +
        (pixels[at + 1] ?? 0) +
        (pixels[at - width] ?? 0) +
        (pixels[at + width] ?? 0) -
        4 * (pixels[at] ?? 0);
      sum += value;
      squares += value * value;
      count += 1;
    }
  }
  if (count === 0) return 0;
  const mean = sum / count;
  return squares / count - mean * mean;
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
