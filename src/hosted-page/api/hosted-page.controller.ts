import { Controller, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { forStaticFile, Route } from '../../http/index.js';
import { DomainError } from '../../kernel/index.js';
import { PageFiles, type Encoding, type PageFile } from '../page-files.service.js';

/**
 * Allows the page to run its own script, use its own style sheet, call this service, and show pictures of this service
 * and those that the person has just taken. Nothing inline, nothing from elsewhere, no frames, no forms that navigate;
 * and the browser itself refuses text that would become markup.
 */
export const PAGE_POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `img-src 'self' blob:`,
  `connect-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
  `require-trusted-types-for 'script'`,
  `trusted-types 'none'`,
].join('; ');

const PERMISSIONS = 'camera=(self), microphone=(), geolocation=(), payment=(), usb=(), display-capture=()';
// The names carry a hash of the content: what a name means never changes.
const FOR_EVER = 'public, max-age=31536000, immutable';

@ApiTags('Flow sessions')
@Controller('verify')
export class HostedPageController {
  constructor(private readonly files: PageFiles) {}

  @Route.get('assets/:file', forStaticFile, {
    summary: 'A script or style sheet of the page for end users',
    params: [{ name: 'file', example: 'index-4f1c09ab.js' }],
    errors: ['UNSUPPORTED_VERSION', 'FILE_NOT_FOUND'],
  })
  @ApiOkResponse({ content: { 'text/javascript': { schema: { type: 'string' } } } })
  async asset(@Param('file') name: string, @Req() request: Request, @Res() response: Response) {
    const file = await this.files.asset(name);
    if (!file) throw new DomainError('FILE_NOT_FOUND');
    response.setHeader('Cache-Control', FOR_EVER);
    send(file, request, response);
  }

  // The query is read by nobody: messengers add parameters of their own to the links that people send.
  @Route.get(':sessionId', forStaticFile, {
    summary: 'The page on which an end user finishes a Flow session',
    description:
      'The same page for every link: it looks the session up itself, with the three public session routes. Send it to ' +
      'the person whole; whoever has the link can finish the session.',
    params: [{ name: 'sessionId', example: 'ses_4f1c09ab' }],
    errors: ['UNSUPPORTED_VERSION', 'NOT_READY'],
  })
  @ApiOkResponse({ content: { 'text/html': { schema: { type: 'string' } } } })
  async page(@Query() _query: object, @Req() request: Request, @Res() response: Response) {
    const file = await this.files.page();
    if (!file) throw new DomainError('NOT_READY');
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    response.setHeader('Permissions-Policy', PERMISSIONS);
    response.setHeader('X-Frame-Options', 'DENY');
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('Cache-Control', 'no-store');
    send(file, request, response);
  }
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
