/** Makes what a camera or a person gives fit what the service takes. */
import type { UploadLimits } from '../api.js';

export type FileFault = 'TYPE' | 'UNREADABLE' | 'TOO_LARGE';
export type Prepared =
  { readonly ok: true; readonly file: Blob } | { readonly ok: false; readonly fault: FileFault };

// Larger pictures show no more of a document and take minutes on a slow network.
const COMFORTABLE_BYTES = 3 * 1_048_576;
const COMFORTABLE_SIDE = 3_200;
const QUALITIES = [0.9, 0.8, 0.7] as const;

/** Finds the type of a file by its first bytes, whatever its name says. */
async function typeOf(file: Blob): Promise<string | null> {
  const head = new Uint8Array(await file.slice(0, 16).arrayBuffer());
  const text = String.fromCharCode(...head);
  if (text.startsWith('\u00ff\u00d8\u00ff')) return 'image/jpeg';
  if (text.startsWith('\u0089PNG\r\n')) return 'image/png';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'image/webp';
  if (text.startsWith('%PDF-')) return 'application/pdf';
  if (text.slice(4, 8) === 'ftyp' && /^(hei[cfxs]|mif1|avif)/.test(text.slice(8, 12))) return 'image/heic';
  return null;
}

/** A file that the service can take: the one given, or a picture made smaller. */
export async function prepare(given: Blob, limits: UploadLimits): Promise<Prepared> {
  const type = await typeOf(given).catch(() => undefined);
  if (type === undefined) return { ok: false, fault: 'UNREADABLE' };
  if (type === null) return { ok: false, fault: 'TYPE' };
  // A phone sometimes names the type wrongly or not at all.
  const file = given.type === type ? given : given.slice(0, given.size, type);
  if (type === 'application/pdf') {
    if (!limits.mimeTypes.includes(type)) return { ok: false, fault: 'TYPE' };
    return file.size > limits.maxBytes ? { ok: false, fault: 'TOO_LARGE' } : { ok: true, file };
  }
  return preparePicture(file, limits);
}

async function preparePicture(file: Blob, limits: UploadLimits): Promise<Prepared> {
  let picture: ImageBitmap;
  try {
    picture = await createImageBitmap(file);
  } catch {
    // A browser cannot shrink a picture that it cannot show; only some show HEIC.
    return { ok: false, fault: file.type === 'image/heic' ? 'TYPE' : 'UNREADABLE' };
  }
  try {
    const { width, height } = picture;
    const side = Math.max(width, height);
    const maxBytes = Math.min(limits.maxBytes, COMFORTABLE_BYTES);
    const maxSide = Math.min(limits.maxSidePx, COMFORTABLE_SIDE);
    const taken = limits.mimeTypes.includes(file.type);
    if (taken && side <= maxSide && file.size <= maxBytes) return { ok: true, file };
    for (const quality of QUALITIES) {
      const smaller = await redrawn(picture, Math.min(1, maxSide / side), quality);
      if (smaller && smaller.size <= maxBytes) return { ok: true, file: smaller };
    }
    return { ok: false, fault: 'TOO_LARGE' };
  } finally {
    picture.close();
  }
}

async function redrawn(picture: ImageBitmap, scale: number, quality: number): Promise<Blob | null> {
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  return jpegOf(picture, width, height, quality);
}

/** A picture, or what a camera shows at this moment, as JPEG. */
export async function jpegOf(
  source: CanvasImageSource,
  width: number,
  height: number,
  quality: number = QUALITIES[0],
): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) return null;
  // JPEG knows no transparency; what is transparent would become black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.drawImage(source, 0, 0, width, height);
  return new Promise((resolve) => {
    canvas.toBlob(resolve, 'image/jpeg', quality);
  });
}
