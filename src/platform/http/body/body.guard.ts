import { table } from '../../kernel/table.js';
import type { IncomingMessage } from 'node:http';
import {
  applyDecorators,
  Injectable,
  SetMetadata,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ApiConsumes } from '@nestjs/swagger';
import type { Request } from 'express';
import { DomainError } from '../../kernel/index.js';
import { exchangeOf } from '../requests/exchange.js';
import { positionOfByte } from './json-fault.js';
import { mediaTypeIn } from './media-type.js';
import { parseJsonBody, type JsonLimits } from './json-scan.js';

export interface BodyRules {
  readonly maxBytes: number;
  readonly limits: JsonLimits;
  /** Also accept one JSON value per line; the handler gets the raw text of each line. */
  readonly ndjson: boolean;
  /** Also accept a CSV file; the handler gets its raw bytes. */
  readonly csv?: true;
}

const KIB = 1_024;
export const DEFAULT_BODY_RULES: BodyRules = {
  maxBytes: 64 * KIB,
  limits: { maxDepth: 32, maxKeys: 1_000, maxStringLength: 8 * KIB },
  ndjson: false,
};

const BODY_RULES = 'vigia:body';

/** Gives a route other body limits than the default of 64 KiB of JSON. */
export const AcceptsBody = (rules: BodyRules): MethodDecorator =>
  applyDecorators(SetMetadata(BODY_RULES, rules), ApiConsumes(...acceptedTypesOf(rules)));

const acceptedTypesOf = ({ ndjson, csv }: BodyRules): string[] => [
  'application/json',
  ...(ndjson ? ['application/x-ndjson'] : []),
  ...(csv ? ['text/csv'] : []),
];

const STREAMED = 'vigia:streamed-body';

/** Lets the handler read the body as a stream, for files. */
export const StreamsBody = (): MethodDecorator => SetMetadata(STREAMED, true);

const isStreamed = (handler: object): boolean => Reflect.getMetadata(STREAMED, handler) === true;

const rulesOf = (handler: object): BodyRules =>
  (Reflect.getMetadata(BODY_RULES, handler) as BodyRules | undefined) ?? DEFAULT_BODY_RULES;

/** Returns the limit of the body of a route in bytes; null if its handler reads the body itself. */
export const maxBytesOf = (handler: object): number | null =>
  isStreamed(handler) ? null : rulesOf(handler).maxBytes;

/** An NDJSON body as raw lines. The handler parses each, so that an invalid line does not refuse the whole body. */
export class NdjsonBody {
  constructor(readonly lines: readonly Buffer[]) {}
}

/** A CSV file as raw bytes; the handler parses it. */
export class CsvBody {
  constructor(readonly bytes: Buffer) {}
}

const WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Reads the body after authentication (the access guard is bound before this guard), so that nobody without
 * credentials can make the service buffer or parse anything.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const request = execution.switchToHttp().getRequest<Request>();
    if (!WITH_BODY.has(request.method)) return true;
    // An action such as `…/disable` takes no body. The caller need not send `{}`, and the Content-Type is ignored.
    if (!announcesBody(request) && !takesBody(execution)) return true;
    const handler = execution.getHandler();
    if (isStreamed(handler)) return true;
    const rules = rulesOf(handler);
    const media = mediaTypeOf(request, rules);
    const raw = await readBody(request, rules.maxBytes);
    if (media === 'csv') request.body = new CsvBody(raw);
    else if (media === 'ndjson') request.body = new NdjsonBody(linesOf(raw));
    else exchangeOf(request).body = request.body = parseLimitedJson(raw, rules.limits);
    return true;
  }
}

const announcesBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** True if the handler has a parameter with @Body. */
function takesBody(execution: ExecutionContext): boolean {
  const declared = Reflect.getMetadata(
    ROUTE_ARGS_METADATA,
    execution.getClass(),
    execution.getHandler().name,
  ) as object | undefined;
  return Object.keys(declared ?? {}).some((name) => name.startsWith(`${RouteParamtypes.BODY}:`));
}

/** Parses raw JSON within the limits. Throws a DomainError with the problem and its place. */
export function parseLimitedJson(raw: Buffer, limits: JsonLimits, pathPrefix = ''): unknown {
  const result = parseJsonBody(raw, limits);
  if (result.ok) return result.value;
  const { code, reason, path, at } = result.problem;
  const full = [pathPrefix, path].filter((part) => part !== '').join('.');
  throw new DomainError(code, {
    details: [
      {
        path: full,
        code: reason,
        message: messageOf(reason, limits),
        ...(at === null ? {} : { position: positionOfByte(raw, at) }),
      },
    ],
  });
}

const MESSAGE_OF_REASON: Readonly<Record<string, string>> = table({
  SYNTAX: 'The JSON is not well-formed.',
  FORBIDDEN_KEY: 'This key is not allowed.',
  DUPLICATE_KEY: 'The key appears twice in one object.',
  NUL_CHARACTER: 'The text holds U+0000, which cannot be stored.',
  LONE_SURROGATE: 'The text is not valid Unicode.',
  INVALID_UTF8: 'The body is not valid UTF-8.',
  NUMBER_OUT_OF_RANGE: 'The number is too large to be represented.',
  NUMBER_TOO_PRECISE: 'The number has more digits than can be kept exactly.',
});

/** Returns the message for a reason, with its limit if it has one. */
function messageOf(reason: string, { maxDepth, maxKeys, maxStringLength }: JsonLimits): string {
  if (reason === 'DEPTH_EXCEEDED') return `The JSON is nested deeper than ${maxDepth} levels.`;
  if (reason === 'TOO_MANY_KEYS') return `The JSON has more than ${maxKeys} keys.`;
  if (reason === 'STRING_TOO_LONG') return `The text is longer than ${maxStringLength} bytes.`;
  return MESSAGE_OF_REASON[reason] ?? 'The JSON is not acceptable here.';
}

/** JSON is UTF-8 (RFC 8259, section 8.1); ASCII is a part of it. */
const CHARSETS = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);

function mediaTypeOf({ headers }: Request, rules: BodyRules): 'json' | 'ndjson' | 'csv' {
  const accepted = acceptedTypesOf(rules);
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  // A compressed body could be a decompression bomb, and no body here is large enough to need compression.
  if (encoding !== 'identity') {
    throw unsupportedTypeError(accepted, 'content-encoding', 'ENCODING', 'Send the body uncompressed.');
  }
  const { essence, charset } = mediaTypeIn(headers['content-type']);
  if (!accepted.includes(essence)) {
    throw unsupportedTypeError(
      accepted,
      'content-type',
      'TYPE',
      `Send the body as ${accepted.join(' or ')}.`,
    );
  }
  if (essence === 'application/json' && charset !== null && !CHARSETS.has(charset)) {
    throw unsupportedTypeError(accepted, 'content-type', 'CHARSET', 'Send the JSON as UTF-8.');
  }
  return essence === 'text/csv' ? 'csv' : essence === 'application/x-ndjson' ? 'ndjson' : 'json';
}

const unsupportedTypeError = (
  accepted: readonly string[],
  path: string,
  code: string,
  message: string,
): DomainError =>
  new DomainError('MEDIA_TYPE_UNSUPPORTED', {
    details: [{ path, code, message }],
    headers: { Accept: accepted.join(', ') },
  });

/** The error for a body that exceeds `maxBytes`. */
export const payloadTooLarge = (maxBytes: number): DomainError =>
  new DomainError('BODY_TOO_LARGE', {
    details: [
      { path: '', code: 'TOO_LARGE', message: `Must be at most ${maxBytes} bytes.`, expected: `${maxBytes}` },
    ],
  });

/** Reads a body. Rejects with BODY_TOO_LARGE above `maxBytes`. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    return Promise.reject(payloadTooLarge(maxBytes));
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = (): void => {
      request.removeAllListeners('data');
      request.pause();
    };
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        stop();
        reject(payloadTooLarge(maxBytes));
        return;
      }
      chunks.push(chunk);
    });
    request.once('end', () => {
      const [only] = chunks;
      resolve(chunks.length === 1 && only ? only : Buffer.concat(chunks));
    });
    request.once('error', reject);
    request.once('aborted', () => {
      reject(new DomainError('REQUEST_TIMEOUT'));
    });
  });
}

function linesOf(raw: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < raw.length;) {
    const end = raw.indexOf(0x0a, start);
    const line = raw.subarray(start, end === -1 ? raw.length : end);
    // Blank lines, such as after a final newline, are skipped.
    if (line.some((byte) => byte > 0x20)) lines.push(line);
    start = end === -1 ? raw.length : end + 1;
  }
  return lines;
}
