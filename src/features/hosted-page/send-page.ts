import type { Request, Response } from 'express';
import { DomainError } from '../../platform/kernel/index.js';
import type { Encoding, PageFile } from './page-files.js';

/** The headers Content-Security-Policy and Permissions-Policy of a page. */
export interface PageRules {
  readonly policy: string;
  readonly permissions: string;
}

// Asset names contain a hash of their content, so a name can be cached for ever.
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Sends an asset of a page; throws FILE_NOT_FOUND if `file` is null. */
export function sendAsset(file: PageFile | null, request: Request, response: Response): void {
  if (!file) throw new DomainError('FILE_NOT_FOUND');
  response.setHeader('Cache-Control', FOR_EVER);
  send(file, request, response);
}

/** Sends the page, with framing and caching forbidden; throws NOT_READY if it was not built. */
export function sendPage(
  file: PageFile | null,
  { policy, permissions }: PageRules,
  request: Request,
  response: Response,
): void {
  if (!file) throw new DomainError('NOT_READY');
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('Permissions-Policy', permissions);
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cache-Control', 'no-store');
  send(file, request, response);
}

function send({ type, bodies }: PageFile, request: Request, response: Response): void {
  const accepted = request.acceptsEncodings();
  const encoding =
    (['br', 'gzip'] as const satisfies readonly Encoding[]).find(
      (one) => accepted.includes(one) && bodies[one] !== undefined,
    ) ?? 'identity';
  response.setHeader('Content-Type', type);
  response.vary('Accept-Encoding');
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  response.end(bodies[encoding] ?? bodies.identity);
}
