/** Reads machine-readable codes in a picture. Loaded, with its 320 kB, only where a document has one. */
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url';

const SIDE = 1_280;

// Without this it would be fetched from a server of others.
prepareZXingModule({ overrides: { locateFile: () => wasm } });

/** Whether a code can be read in the picture. What it says is of no concern here. */
export async function findCode(picture: ImageBitmap): Promise<boolean> {
  const scale = Math.min(1, SIDE / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return false;
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height);
  const found = await readBarcodes(pixels, { tryHarder: false, maxNumberOfSymbols: 1 });
  return found.some(({ isValid, text }) => isValid && text.length > 0);
}
