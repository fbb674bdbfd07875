import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import sharp from 'sharp';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { MAX_PAGES, type ArtifactMimeType, type Barcode } from '../domain/artifact.js';
import { FileRefusedError } from '../domain/file-errors.js';
import { refuseForeignFormats, refuseForeignMarkup } from '../domain/foreign-content.js';
import { measureQuality } from '../domain/image-quality.js';
import { parseImageShape, MAX_PIXELS } from '../domain/image-structure.js';
import { requirePassivePdf } from '../domain/pdf-judge.js';
import type { InspectedFile } from './inspection.js';

const VIEW_SIDE = 2_000;
const QUALITY_SIDE = 1_024;
const BARCODE_SIDE = 1_600;
const TRY_HARDER_SIDE = 1_000;
type ImageMimeType = Exclude<ArtifactMimeType, 'application/pdf'>;
const LOGO = { width: 512, height: 256 } as const;
const MAX_BARCODES = 8;
// Maximum length of a barcode's text: a QR code of version 40 holds 2,953 bytes.
const MAX_TEXT_LENGTH = 3_000;

let barcodesReady = false;

/** Loads the barcode WASM from its package; by default the library downloads it from a public server. */
async function prepareBarcodes(): Promise<void> {
  if (barcodesReady) return;
  const file = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
  await prepareZXingModule({
    overrides: { wasmBinary: exactBuffer(readFileSync(file)) },
    fireImmediately: true,
  });
  barcodesReady = true;
}

const exactBuffer = (bytes: Buffer): ArrayBuffer =>
  bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;

/** Inspects a file of the given type. Throws FileRefusedError. */
export async function inspectFile(bytes: Buffer, mimeType: ArtifactMimeType): Promise<InspectedFile> {
  try {
    return await (mimeType === 'application/pdf' ? inspectPdf(bytes) : inspectImage(bytes, mimeType));
  } catch (error) {
    if (error instanceof FileRefusedError) throw error;
    // Drops the error of the decoder, which may quote the file.
    throw new FileRefusedError('UNREADABLE');
  }
}

/** Checks the structure of a PDF and opens it with the renderer, which refuses a PDF that it cannot render. */
async function inspectPdf(bytes: Buffer): Promise<InspectedFile> {
  refuseForeignFormats(bytes);
  requirePassivePdf(bytes);
  // Loads the renderer only for the first PDF, so that images do not wait for it.
  const { countPages } = await import('./pdf-drawing.js');
  const pages = await countPages(bytes);
  if (pages === 0) throw new FileRefusedError('UNREADABLE');
  if (pages > MAX_PAGES) throw new FileRefusedError('TOO_MANY_PAGES');
  return { width: null, height: null, pages, quality: null, barcodes: [], view: null };
}

function inspectImage(bytes: Buffer, mimeType: ImageMimeType): Promise<InspectedFile> {
  refuseForeignMarkup(bytes);
  refuseForeignFormats(bytes);
  parseImageShape(bytes, mimeType);
  return decode(bytes);
}

async function decode(bytes: Buffer): Promise<InspectedFile> {
  const options = { failOn: 'error', limitInputPixels: MAX_PIXELS, sequentialRead: true } as const;
  const view = await sharp(bytes, options)
    .autoOrient()
    .resize({ width: VIEW_SIDE, height: VIEW_SIDE, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .jpeg({ quality: 85 })
    .toBuffer({ resolveWithObject: true });
  const { autoOrient } = await sharp(bytes, options).metadata();
  return {
    width: autoOrient.width,
    height: autoOrient.height,
    pages: null,
    quality: measureQuality(await readLuma(view.data, QUALITY_SIDE)),
    barcodes: await barcodesIn(view.data),
    view: view.data,
  };
}

async function readLuma(
  image: Buffer,
  side: number,
): Promise<{ width: number; height: number; pixels: Uint8Array }> {
  const { data, info } = await sharp(image)
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: data };
}

async function barcodesIn(image: Buffer): Promise<Barcode[]> {
  await prepareBarcodes();
  // `tryHarder` takes four times as long on the same image, so it runs on a smaller copy if nothing was found.
  const barcodes = await symbolsIn(image, BARCODE_SIDE, false);
  return barcodes.length > 0 ? barcodes : symbolsIn(image, TRY_HARDER_SIDE, true);
}

async function symbolsIn(image: Buffer, side: number, tryHarder: boolean): Promise<Barcode[]> {
  const { data, info } = await sharp(image)
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixels = new Uint8ClampedArray(exactBuffer(data));
  const symbols = await readBarcodes(
    { data: pixels, width: info.width, height: info.height, colorSpace: 'srgb' },
    { tryHarder, maxNumberOfSymbols: MAX_BARCODES },
  );
  return symbols
    .filter(({ isValid, text }) => isValid && text.length > 0 && text.length <= MAX_TEXT_LENGTH)
    .map(({ format, text }) => ({ format, text }));
}

/** Encodes a picture as a small PNG with its transparency and without metadata. Throws FileRefusedError. */
export async function encodeLogo(bytes: Buffer, mimeType: ImageMimeType): Promise<Buffer> {
  refuseForeignMarkup(bytes);
  refuseForeignFormats(bytes);
  parseImageShape(bytes, mimeType);
  return sharp(bytes, { failOn: 'error', limitInputPixels: MAX_PIXELS, sequentialRead: true })
    .autoOrient()
    .resize({ width: LOGO.width, height: LOGO.height, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .png({ compressionLevel: 9 })
    .toBuffer();
}
