import { Controller, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { forStaticFile, Route } from '../../../platform/http/index.js';
import { ASSET_CONTENT, PageFiles } from '../page-files.js';
import { sendAsset, sendPage } from '../send-page.js';

/**
 * Content security policy of the hosted page. Allows its own script and style sheet, calls to this service, and pictures
 * from this service or from blobs that the person has just taken. Forbids inline and foreign code, frames, and forms that
 * navigate. Trusted Types stop strings from becoming markup. The QR code reader is WebAssembly, which a policy can only
 * allow as a whole; it is a file of this service, like the scripts.
 */
export const PAGE_POLICY = [
  `default-src 'none'`,
  `script-src 'self' 'wasm-unsafe-eval'`,
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

@ApiTags('Flow sessions')
@Controller('verify')
export class HostedPageController {
  constructor(private readonly files: PageFiles) {}

  @Route.get('assets/:file', forStaticFile, {
    summary: 'A script or style sheet of the page for end users',
    description: 'Named by its content, so that a browser may keep it for ever.',
    params: [{ name: 'file', description: 'The name of the file.', example: 'index-4f1c09ab.js' }],
    errors: ['UNSUPPORTED_VERSION', 'FILE_NOT_FOUND'],
  })
  @ApiOkResponse(ASSET_CONTENT)
  async asset(@Param('file') name: string, @Req() request: Request, @Res() response: Response) {
    sendAsset(await this.files.asset(name), request, response);
  }

  // Ignores the query: messengers add parameters to links that people share.
  @Route.get(':sessionId', forStaticFile, {
    summary: 'The page on which an end user finishes a Flow session',
    description:
      'The same page for every link: it looks the session up itself, with the three public session routes. Send it to ' +
      'the person whole; whoever has the link can finish the session.',
    params: [
      { name: 'sessionId', description: 'The id of the session, as in its link.', example: 'ses_4f1c09ab' },
    ],
    errors: ['UNSUPPORTED_VERSION', 'NOT_READY'],
  })
  @ApiOkResponse({ description: 'The page.', content: { 'text/html': { schema: { type: 'string' } } } })
  async page(@Query() _query: object, @Req() request: Request, @Res() response: Response) {
    sendPage(await this.files.page(), { policy: PAGE_POLICY, permissions: PERMISSIONS }, request, response);
  }
}
