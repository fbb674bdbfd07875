import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import {
  drain,
  mediaTypeIn,
  safeFieldName,
  watchSender,
  type SenderRules,
} from '../../../platform/http/index.js';
import { DomainError, invalid } from '../../../platform/kernel/index.js';

/** The form fields beside the file; null if the field was not sent. */
export interface UploadFields {
  readonly stepId: string | null;
  readonly documentType: string | null;
  readonly side: string | null;
}

type FieldName = keyof UploadFields;

// Step ids, document types and sides: codes, never free text.
const FIELD = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const FIELDS: readonly string[] = ['stepId', 'documentType', 'side'] satisfies FieldName[];
// Maximum bytes of a body in addition to its file: headers, values and boundaries of four parts.
const OVERHEAD = 64 * 1_024;

interface UploadReading<T> {
  readonly fileBytes: number;
  /** The slowest rate at which a client may send. */
  readonly sender: SenderRules;
  /** Consumes the content of the file while it arrives; an error refuses the upload. */
  readonly take: (content: AsyncIterable<Buffer>) => Promise<T>;
  /** Undoes `take` when the upload is refused afterwards. */
  readonly undo: (taken: T) => Promise<void>;
}

/**
 * Reads `multipart/form-data` with exactly one part `file` and the fields, in any order, without buffering content.
 * Ignores the file name and type that the client sends, which programs invent; the type comes from the content. Rejects
 * with VALIDATION_FAILED, MEDIA_TYPE_UNSUPPORTED, FILE_TOO_LARGE, or REQUEST_TIMEOUT when the client disconnects or is
 * too slow.
 */
export async function readUpload<T>(
  request: IncomingMessage,
  reading: UploadReading<T>,
): Promise<{ readonly fields: UploadFields; readonly taken: T }> {
  const state: Attempt<T> = { file: null, taking: null, fields: new Map() };
  let parser: BusboyInstance | null = null;
  try {
    refuseEarly(request, reading.fileBytes);
    parser = parserOf(request, reading.fileBytes);
    const parsed = parse(request, parser, reading, state);
    request.pipe(parser);
    await parsed;
    if (!state.taking) throw invalid('file', 'REQUIRED', 'The part file is missing.');
    return { fields: fieldsOf(state.fields), taken: await state.taking };
  } catch (error) {
    if (parser) {
      request.unpipe(parser);
      state.file?.destroy();
      parser.destroy();
    }
    const [taken] = await Promise.allSettled([state.taking]);
    if (taken.status === 'fulfilled' && taken.value !== null) await reading.undo(taken.value);
    await drain(request);
    throw error;
  }
}

interface Attempt<T> {
  file: Readable | null;
  taking: Promise<T> | null;
  readonly fields: Map<string, string>;
}

function parse<T>(
  request: IncomingMessage,
  parser: BusboyInstance,
  { fileBytes, sender, take }: UploadReading<T>,
  state: Attempt<T>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let bytesRead = 0;
    const watch = watchSender(request, sender, () => {
      reject(new DomainError('REQUEST_TIMEOUT'));
    });
    request.once('end', watch.stop);
    request.on('data', (chunk: Buffer) => {
      watch.countBytes(chunk.length);
      bytesRead += chunk.length;
      if (bytesRead > fileBytes + OVERHEAD) reject(new DomainError('FILE_TOO_LARGE'));
    });
    parser.on('file', (_, stream) => {
      state.file = stream;
      // An error of a destroyed stream must not end the process; `take` also receives the error.
      stream.on('error', () => undefined);
      stream.on('limit', () => {
        reject(new DomainError('FILE_TOO_LARGE'));
      });
      state.taking = take(stream);
      state.taking.catch(reject);
    });
    // A part may lack a name, although the parser's types do not say so.
    parser.on('field', (name: string | undefined, value, _, isTruncated) => {
      if (name === undefined || !FIELDS.includes(name)) {
        const path = name ? safeFieldName(name) : '';
        reject(invalid(path, 'UNKNOWN_FIELD', `Read are the part file, and ${FIELDS.join(', ')}.`));
      } else if (state.fields.has(name)) {
        reject(invalid(name, 'DUPLICATE', 'Is read once.'));
      } else if (isTruncated || !FIELD.test(value)) {
        reject(invalid(name, 'PATTERN_MISMATCH', `Must match ${FIELD.source}.`));
      } else state.fields.set(name, value);
    });
    parser.on('filesLimit', () => {
      reject(invalid('file', 'DUPLICATE', 'One file is read from a request.'));
    });
    for (const limit of ['fieldsLimit', 'partsLimit'] as const) {
      parser.on(limit, () => {
        reject(invalid('', 'TOO_MANY', `Has more parts than file, and ${FIELDS.join(', ')}.`));
      });
    }
    // This listener is never removed: a destroyed parser can still emit an error.
    parser.on('error', () => {
      reject(invalid('', 'MALFORMED', 'The body is not well-formed multipart/form-data.'));
    });
    parser.once('finish', resolve);
    // If the client disconnects, the request closes before it is complete.
    request.once('close', () => {
      if (!request.complete) reject(new DomainError('REQUEST_TIMEOUT'));
    });
    request.on('error', () => {
      reject(new DomainError('REQUEST_TIMEOUT'));
    });
  });
}

function refuseEarly(request: IncomingMessage, fileBytes: number): void {
  // A request that was closed before it is read emits no further event.
  if (request.destroyed) throw new DomainError('REQUEST_TIMEOUT');
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw notAFormError();
  if (Number(request.headers['content-length'] ?? 0) > fileBytes + OVERHEAD) {
    throw new DomainError('FILE_TOO_LARGE');
  }
}

function parserOf(request: IncomingMessage, fileBytes: number): BusboyInstance {
  const { 'content-type': contentType = '' } = request.headers;
  if (mediaTypeIn(contentType).essence !== 'multipart/form-data') throw notAFormError();
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': contentType },
      // Decides by the part name: a Blob may lack a file name, and a client may send no type.
      isPartAFile: (name) => name === 'file',
      limits: {
        files: 1,
        fields: FIELDS.length,
        parts: FIELDS.length + 2,
        fileSize: fileBytes,
        fieldSize: 256,
        headerPairs: 16,
      },
    });
  } catch {
    throw notAFormError(); // without a boundary
  }
}

const fieldsOf = (fields: ReadonlyMap<string, string>): UploadFields => ({
  stepId: fields.get('stepId') ?? null,
  documentType: fields.get('documentType') ?? null,
  side: fields.get('side') ?? null,
});

const notAFormError = (): DomainError =>
  new DomainError('MEDIA_TYPE_UNSUPPORTED', { headers: { Accept: 'multipart/form-data' } });
