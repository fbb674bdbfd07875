import { table } from '../../kernel/table.js';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { NextFunction, Request, Response } from 'express';
import { DomainError, errorCodes, newUuid, publicId, type ErrorCode } from '../../kernel/index.js';
import { commonResponseHeaders } from './context.middleware.js';
import { errorView, failureEnvelope } from '../errors/error-view.js';
import { hasOwnBodyTimeout } from './sender-watch.js';

/** Probes reach the process directly, inside the network; all other requests must arrive over TLS. */
const PROBES = /^\/(health\/|metrics$)/;

export const isProbePath = (path: string): boolean => PROBES.test(path);

/** Refuses plain HTTP. `request.secure` uses X-Forwarded-Proto only from the proxies of TRUST_PROXY. */
export function requireHttps(request: Request, _response: Response, next: NextFunction): void {
  next(request.secure || isProbePath(request.path) ? undefined : new DomainError('HTTPS_REQUIRED'));
}

/** True if a request arrived over TLS, here or at a trusted proxy. For requests that do not reach Express. */
export function arrivedByTls(
  request: IncomingMessage,
  trusts: (address: string, hop: number) => boolean,
): boolean {
  const { socket } = request;
  if ('encrypted' in socket && socket.encrypted === true) return true;
  const [first] = String(request.headers['x-forwarded-proto'] ?? '').split(',', 1);
  return first?.trim() === 'https' && trusts(socket.remoteAddress ?? '', 0);
}

const REQUEST_TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';
const CODE_OF_PARSER: Readonly<Record<string, ErrorCode>> = table({
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  [REQUEST_TIMEOUT]: 'REQUEST_TIMEOUT',
});

type Headers = readonly (readonly [string, string])[];

/** Answers requests that Node's HTTP parser refused, with the usual envelope and headers. */
export const brokenRequestAnswerer =
  (fixedHeaders: Headers, base: string) =>
  (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Duplex): void => {
    if (error.code === REQUEST_TIMEOUT && hasOwnBodyTimeout(socket)) return;
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const refusal = new DomainError(CODE_OF_PARSER[error.code ?? ''] ?? 'MALFORMED_REQUEST');
    const requestId = publicId('req', newUuid());
    const context = { requestId, correlationId: requestId, traceparent: null };
    const body = JSON.stringify(failureEnvelope(errorView(refusal, context, base)));
    const headers: Headers = [
      ...fixedHeaders,
      ...commonResponseHeaders(context),
      ['Content-Type', 'application/json; charset=utf-8'],
      ['Content-Length', String(Buffer.byteLength(body))],
      ['Connection', 'close'],
    ];
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.end(`HTTP/1.1 ${errorCodes[refusal.code].status} ${refusal.code}\r\n${lines}\r\n${body}`);
  };
