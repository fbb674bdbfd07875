import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import sharp from 'sharp';
import { FileRefusedError } from '../domain/file-errors.js';

/** Length of the longer side of a rendered page, in pixels. */
const PAGE_SIDE = 2_000;
// Maximum zoom, because a page may be as small as a stamp.
const MAX_SCALE = 4;

let library: PDFiumLibrary | null = null;

/** Loads the renderer from its package; it supports neither JavaScript nor XFA. */
async function loadPdfium(): Promise<PDFiumLibrary> {
  if (library) return library;
  const bytes = readFileSync(createRequire(import.meta.url).resolve('@hyzyla/pdfium/pdfium.wasm'));
  library = await PDFiumLibrary.init({ wasmBinary: new Uint8Array(bytes).buffer });
  return library;
}

/** The page count of the renderer. Throws the renderer's error when it cannot open the PDF. */
export async function countPages(bytes: Buffer): Promise<number> {
  const document = await (await loadPdfium()).loadDocument(new Uint8Array(bytes));
  try {
    return document.getPageCount();
  } finally {
    document.destroy();
  }
}

/** Renders one page of a PDF, counted from 1, as a JPEG, without form fields and interactive annotations. */
export async function drawPage(bytes: Buffer, page: number): Promise<Buffer> {
  const renderer = await loadPdfium();
  const document = await renderer.loadDocument(new Uint8Array(bytes));
  try {
    if (page > document.getPageCount()) throw new FileRefusedError('UNREADABLE');
    const sheet = document.getPage(page - 1);
    const { originalWidth, originalHeight } = sheet.getOriginalSize();
    const longest = Math.max(originalWidth, originalHeight);
    const shortest = Math.min(originalWidth, originalHeight);
    const scale = Math.min(PAGE_SIDE / longest, MAX_SCALE);
    if (!Number.isFinite(scale) || shortest * scale < 1) throw new FileRefusedError('UNREADABLE');
    const { data, width, height } = await sheet.render({ scale, render: 'bitmap' });
    return await sharp(data, { raw: { width, height, channels: 4 } })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 85 })
      .toBuffer();
  } finally {
    document.destroy();
  }
}
