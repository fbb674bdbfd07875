import { setPriority } from 'node:os';
import sharp from 'sharp';
import { FileRefusedError } from '../domain/file-errors.js';
import { inspectFile, encodeLogo } from './inspect-file.js';
import type { InspectionReply, InspectionMessage, ReaderRequest } from './inspection.js';

// This process reads untrusted files, without the memory, keys, connections and environment of the service. A file that
// exploits or crashes a decoder affects only this process, and the upload is refused.

const NICENESS = 10;

// Allows only three of libvips's decoders: files of no other type reach this process.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});
sharp.cache(false);
sharp.concurrency(1);

/** Loads the renderer only for the first PDF: images do not wait for it. */
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
        return { kind: 'drawn', id, image: await encodeLogo(bytes, question.mimeType) };
      case 'file':
        return { kind: 'accepted', id, inspected: await inspectFile(bytes, question.mimeType) };
    }
  } catch (error) {
    const refusal = error instanceof FileRefusedError ? error : new FileRefusedError('UNREADABLE');
    return { kind: 'refused', id, finding: refusal.finding, key: refusal.key };
  }
}

const sendReply = (message: InspectionReply): void => {
  process.send?.(message);
};

// Lower priority than ingest: decoding uses only spare CPU time.
setPriority(NICENESS);
const parts: { id: number; bytes: Buffer[] } = { id: 0, bytes: [] };
process.on('message', (message: InspectionMessage) => {
  const { id } = message;
  if (id !== parts.id) Object.assign(parts, { id, bytes: [] });
  if (message.kind === 'part') {
    parts.bytes.push(message.bytes);
    return;
  }
  const wholeFile = Buffer.concat(parts.bytes);
  parts.bytes = [];
  void answer(id, message.question, wholeFile).then(sendReply);
});
// Exits when the service exits.
process.on('disconnect', () => {
  process.exit(0);
});
sendReply({ kind: 'ready' });
