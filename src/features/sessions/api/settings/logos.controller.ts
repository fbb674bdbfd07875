import { Controller, Ip, Param, Req, Res } from '@nestjs/common';
import { ApiConsumes, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { forOperator, forStaticFile, Route, StreamsBody } from '../../../../platform/http/index.js';
import { DomainError, requireUuid } from '../../../../platform/kernel/index.js';
import { CurrentActor, type SessionActorContext } from '../../actor-context.js';
import { AppLogosService } from '../../branding/app-logos.service.js';

const APP = {
  name: 'id',
  description: 'The id of the client application.',
  example: 'app_019364d0c0de7000a000000000000001',
};
// Cached for ever: the file name is the hash of the content.
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Serves logos of applications: operators upload them, everybody may read them. */
@ApiTags('Client applications')
@Controller()
export class LogosController {
  constructor(private readonly logos: AppLogosService) {}

  @Route.put('operator/client-apps/:id/logo', forOperator('apps:manage'), {
    summary: 'Upload the logo of an application',
    description:
      'JPEG, PNG or WebP up to 1 MiB, told by its bytes. It is re-encoded as PNG of at most 512 by 256 pixels, without ' +
      'anything that a program wrote beside it, and served from here.',
    body: {
      schema: {
        type: 'object',
        required: ['file'],
        properties: { file: { type: 'string', format: 'binary' } },
      },
    },
    status: 204,
    errors: [
      ...(['APP_NOT_FOUND', 'FILE_TYPE_UNSUPPORTED', 'FILE_TOO_LARGE', 'STATE_CONFLICT'] as const),
      ...(['REQUEST_TIMEOUT', 'OVERLOADED'] as const),
    ],
    params: [APP],
  })
  @StreamsBody()
  @ApiConsumes('multipart/form-data')
  @ApiNoContentResponse({ description: 'The logo is stored.' })
  async putLogo(
    @CurrentActor() ctx: SessionActorContext,
    @Ip() ip: string,
    @Param('id') id: string,
    @Req() request: Request,
  ): Promise<void> {
    await this.logos.put(ctx.organisationId, appId(id), request, { ...ctx, ip });
  }

  @Route.delete('operator/client-apps/:id/logo', forOperator('apps:manage'), {
    summary: 'Take the uploaded logo of an application away',
    description: 'Pages show the name of the application instead.',
    status: 204,
    errors: ['APP_NOT_FOUND', 'STATE_CONFLICT'],
    params: [APP],
  })
  @ApiNoContentResponse({ description: 'The logo is taken away.' })
  async removeLogo(@CurrentActor() ctx: SessionActorContext, @Ip() ip: string, @Param('id') id: string) {
    await this.logos.remove(ctx.organisationId, appId(id), { ...ctx, ip });
  }

  @Route.get('logos/:file', forStaticFile, {
    summary: 'A logo, by the hash of its content',
    description: 'Named by its content, so that a browser may keep it for ever.',
    params: [{ name: 'file', description: 'The name of the file.', example: `${'0'.repeat(64)}.png` }],
    errors: ['UNSUPPORTED_VERSION', 'FILE_NOT_FOUND'],
  })
  @ApiOkResponse({
    description: 'The image.',
    content: { 'image/png': { schema: { type: 'string', format: 'binary' } } },
  })
  async logo(@Param('file') file: string, @Res() response: Response): Promise<void> {
    const png = file.endsWith('.png') ? await this.logos.find(file.slice(0, -4)) : null;
    if (!png) throw new DomainError('FILE_NOT_FOUND');
    response.setHeader('Content-Type', 'image/png');
    response.setHeader('Cache-Control', FOR_EVER);
    response.setHeader('Content-Security-Policy', `default-src 'none'`);
    response.end(png);
  }
}

/** Returns the UUID of an application. A malformed id gets APP_NOT_FOUND, like an unknown id. */
const appId = (id: string): string => requireUuid('app', id, 'APP_NOT_FOUND');
