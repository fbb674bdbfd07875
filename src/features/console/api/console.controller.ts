import { Controller, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ASSET_CONTENT, PageFiles, sendAsset, sendPage, type PageRules } from '../../hosted-page/index.js';
import { forStaticFile, Route } from '../../../platform/http/index.js';

// The hash of the one inline style sheet that the component library adds (touch-action of pressable elements).
const PRESSABLE_STYLE = `'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='`;

/**
 * Content security policy of the console. Allows its own scripts and style sheets, calls to this service, and pictures from
 * this service or from blobs that it fetched with the operator's token. Forbids inline and foreign code, frames, and forms
 * that navigate. Trusted Types stop strings from becoming markup.
 */
export const CONSOLE_RULES: PageRules = {
  policy: [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' ${PRESSABLE_STYLE}`,
    `img-src 'self' blob:`,
    `connect-src 'self'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; '),
  permissions: 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), display-capture=()',
};

const PAGE = {
  summary: 'The operator console',
  description:
    'The same page for every address: it signs the operator in and asks the operator API for what it shows.',
  errors: ['UNSUPPORTED_VERSION', 'NOT_READY'],
} as const;
const HTML = { description: 'The page.', content: { 'text/html': { schema: { type: 'string' } } } } as const;

@ApiTags('Console')
@Controller('console')
export class ConsoleController {
  constructor(private readonly files: PageFiles) {}

  @Route.get('assets/:file', forStaticFile, {
    summary: 'A script or style sheet of the operator console',
    description: 'Named by its content, so that a browser may keep it for ever.',
    params: [{ name: 'file', description: 'The name of the file.', example: 'index-4f1c09ab.js' }],
    errors: ['UNSUPPORTED_VERSION', 'FILE_NOT_FOUND', 'NOT_READY'],
  })
  @ApiOkResponse(ASSET_CONTENT)
  async consoleAsset(@Param('file') name: string, @Req() request: Request, @Res() response: Response) {
    sendAsset(await this.files.asset(name), request, response);
  }

  @Route.get('', forStaticFile, PAGE)
  @ApiOkResponse(HTML)
  async consolePage(@Query() _query: object, @Req() request: Request, @Res() response: Response) {
    sendPage(await this.files.page(), CONSOLE_RULES, request, response);
  }

  // One page serves all screens; the page itself shows an error for an unknown screen.
  @Route.get('*screen', forStaticFile, {
    ...PAGE,
    params: [{ name: 'screen', description: 'The address of the screen.', example: 'cases' }],
  })
  @ApiOkResponse(HTML)
  async consoleScreen(@Query() _query: object, @Req() request: Request, @Res() response: Response) {
    sendPage(await this.files.page(), CONSOLE_RULES, request, response);
  }
}
