import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { NextFunction, Request, Response } from 'express';
import { DomainError, errorCodes, newUuid, publicId, type ErrorCode } from '../kernel/index.js';
import { errorView, failure } from './error-view.js';

/** Probes reach the process directly, inside the network; everything else has to come through TLS. */
const PROBES = /^\/(health\/|metrics$)/;

/** Refuses plain HTTP. `request.secure` believes X-Forwarded-Proto only from the proxies of TRUST_PROXY. */
export function requireHttps(request: Request, _response: Response, next: NextFunction): void {
  next(request.secure || PROBES.test(request.path) ? undefined : new DomainError('HTTPS_REQUIRED'));
}

/** The same question for a request that has not met Express: over TLS here, or at a proxy that is trusted to say so. */
export function arrivedByTls(
  request: IncomingMessage,
  trusts: (address: string, hop: number) => boolean,
): boolean {
  const { socket } = request;
  if ('encrypted' in socket && socket.encrypted === true) return true;
  const [first] = String(request.headers['x-forwarded-proto'] ?? '').split(',', 1);
  return first?.trim() === 'https' && trusts(socket.remoteAddress ?? '', 0);
}

const CODE_OF_PARSER: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

/** Answers what Node's parser refused, in the envelope like every other error. */
export function answerBrokenRequests(
  error: NodeJS.ErrnoException & { rawPacket?: Buffer },
  socket: Duplex,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = new DomainError(CODE_OF_PARSER[error.code ?? ''] ?? 'MALFORMED_REQUEST');
  const requestId = publicId('req', newUuid());
  const body = JSON.stringify(failure(errorView(refusal, { requestId, correlationId: requestId })));
  const { status } = errorCodes[refusal.code];
  socket.end(
    `HTTP/1.1 ${status} ${refusal.code}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${requestId}\r\nX-Correlation-Id: ${requestId}\r\n` +
      `Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${body}`,
  );
}
