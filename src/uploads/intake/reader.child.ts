import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setPriority } from 'node:os';
import sharp from 'sharp';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import type { ArtifactMimeType, Barcode } from '../domain/artifact.js';
import { FileRefused } from '../domain/file-refused.js';
import { refuseForeignContent } from '../domain/foreign-content.js';
import { qualityOf } from '../domain/image-quality.js';
import { imageShape, MAX_PIXELS } from '../domain/image-structure.js';
import { pdfPages } from '../domain/pdf-structure.js';
import type { Inspected, InspectionAnswer, InspectionMessage, ReaderQuestion } from './inspection.js';

// A process of its own reads what strangers send: without the service's memory, keys, connections and environment. What
// breaks a decoder breaks this process, and the upload is refused.

const VIEW_SIDE = 2_000;
const QUALITY_SIDE = 1_024;
const BARCODE_SIDE = 1_600;
const HARD_SIDE = 1_000;
type LogoMimeType = Exclude<ArtifactMimeType, 'application/pdf'>;
const LOGO = { width: 512, height: 256 } as const;
const MAX_BARCODES = 8;
// A QR code of version 40 holds 2,953 bytes.
const MAX_TEXT_LENGTH = 3_000;
const BE_NICE = 10;

// Only the three decoders; libvips knows dozens of formats, and the types were told apart before.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});
sharp.cache(false);
sharp.concurrency(1);

let barcodesReady = false;

/** The reader is delivered with the package; without this it would be fetched from a server of others. */
async function prepareBarcodes(): Promise<void> {
  if (barcodesReady) return;
  const file = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
  await prepareZXingModule({ overrides: { wasmBinary: exactly(readFileSync(file)) }, fireImmediately: true });
  barcodesReady = true;
}

const exactly = (bytes: Buffer): ArrayBuffer =>
  bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;

async function inspect(bytes: Buffer, mimeType: ArtifactMimeType): Promise<Inspected> {
  refuseForeignContent(bytes);
  if (mimeType === 'application/pdf') {
    const pages = pdfPages(bytes);
    return { width: null, height: null, pages, quality: null, barcodes: [], view: null };
  }
  imageShape(bytes, mimeType);
  try {
    return await decode(bytes);
  } catch (error) {
    if (error instanceof FileRefused) throw error;
    // The decoder's own words may quote the file.
    throw new FileRefused('UNREADABLE');
  }
}

async function decode(bytes: Buffer): Promise<Inspected> {
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
    quality: qualityOf(await luma(view.data, QUALITY_SIDE)),
    barcodes: await barcodesIn(view.data),
    view: view.data,
  };
}

async function luma(
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
  // Looking hard costs four times as much for the same picture, so it is done on a smaller one, and only when needed.
  const found = await symbolsIn(image, BARCODE_SIDE, false);
  return found.length > 0 ? found : symbolsIn(image, HARD_SIDE, true);
}

async function symbolsIn(image: Buffer, side: number, tryHarder: boolean): Promise<Barcode[]> {
  const { data, info } = await sharp(image)
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixels = new Uint8ClampedArray(exactly(data));
  const found = await readBarcodes(
    { data: pixels, width: info.width, height: info.height, colorSpace: 'srgb' },
    { tryHarder, maxNumberOfSymbols: MAX_BARCODES },
  );
  return found
    .filter(({ isValid, text }) => isValid && text.length > 0 && text.length <= MAX_TEXT_LENGTH)
    .map(({ format, text }) => ({ format, text }));
}

/** Loaded when somebody looks at a PDF: uploads do not wait for it. */
async function draw(bytes: Buffer, page: number): Promise<Buffer> {
  const { drawPage } = await import('./pdf-drawing.js');
  return drawPage(bytes, page);
}

/** A picture for a page, small, with its transparency and nothing beside its pixels. */
async function logo(bytes: Buffer, mimeType: LogoMimeType): Promise<Buffer> {
  refuseForeignContent(bytes);
  imageShape(bytes, mimeType);
  return sharp(bytes, { failOn: 'error', limitInputPixels: MAX_PIXELS, sequentialRead: true })
    .autoOrient()
    .resize({ width: LOGO.width, height: LOGO.height, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .png({ compressionLevel: 9 })
    .toBuffer();
}

async function answer(id: number, question: ReaderQuestion, bytes: Buffer): Promise<InspectionAnswer> {
  try {
    switch (question.about) {
      case 'page':
        return { kind: 'drawn', id, image: await draw(bytes, question.page) };
      case 'logo':
        return { kind: 'drawn', id, image: await logo(bytes, question.mimeType) };
      case 'file':
        return { kind: 'accepted', id, inspected: await inspect(bytes, question.mimeType) };
    }
  } catch (error) {
    const refused = error instanceof FileRefused ? error : new FileRefused('UNREADABLE');
    return { kind: 'refused', id, code: refused.code, finding: refused.finding };
  }
}

const say = (message: InspectionAnswer): void => {
  process.send?.(message);
};

// Ingest goes first: whatever is decoded here may take what is left of the processor.
setPriority(BE_NICE);
const parts: { id: number; bytes: Buffer[] } = { id: 0, bytes: [] };
process.on('message', (message: InspectionMessage) => {
  const { id } = message;
  if (id !== parts.id) Object.assign(parts, { id, bytes: [] });
  if (message.kind === 'part') {
    parts.bytes.push(message.bytes);
    return;
  }
  const whole = Buffer.concat(parts.bytes);
  parts.bytes = [];
  void answer(id, message.question, whole).then(say);
});
// Without the service there is nobody to read for.
process.on('disconnect', () => {
  process.exit(0);
});
say({ kind: 'ready' });
