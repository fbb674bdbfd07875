import { setPriority } from 'node:os';
import sharp from 'sharp';
import { FileRefused } from '../domain/file-refused.js';
import { inspect, logo } from './inspect-file.js';
import type { InspectionReply, InspectionMessage, ReaderRequest } from './inspection.js';

// This process reads files of strangers without the service's memory, keys, connections and environment. A file that
// breaks a decoder breaks this process, and the upload is refused.

const BE_NICE = 10;

// Allows three decoders of the dozens in libvips: no other type reaches this process.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});
sharp.cache(false);
sharp.concurrency(1);

/** The renderer is loaded with the first PDF: pictures do not wait for it. */
async function draw(bytes: Buffer, page: number): Promise<Buffer> {
  const { drawPage } = await import('./pdf-drawing.js');
  return drawPage(bytes, page);
}

async function answer(id: number, question: ReaderRequest, bytes: Buffer): Promise<InspectionReply> {
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
    return { kind: 'refused', id, finding: refused.finding, key: refused.key };
  }
}

const say = (message: InspectionReply): void => {
  process.send?.(message);
};

// Ingest goes first: decoding takes only the processor time that is left.
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
// The process must not outlive the service.
process.on('disconnect', () => {
  process.exit(0);
});
say({ kind: 'ready' });
