import { Controller, Get, Param, type OnModuleInit } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { ApiErrors, CrossOrigin, Public } from '../../http/index.js';
import { DomainError } from '../../kernel/index.js';
import { ClientDirectory } from '../client-directory.js';
import { PublicClientAppView } from './client-app.view.dto.js';

@ApiTags('Client applications')
@Controller('client-apps')
export class ClientAppsController implements OnModuleInit {
  constructor(
    private readonly clients: ClientDirectory,
    private readonly crossOrigin: CrossOrigin,
  ) {}

  onModuleInit(): void {
    this.crossOrigin.allow('/client-apps/public/:clientId', ['GET'], async (clientId) => {
      const client = await this.clients.find(clientId);
      return client?.enabled === true ? client.corsOrigins : [];
    });
  }

  @Get('public/:clientId')
  @Public()
  @ApiOperation({
    summary: 'Public configuration of a client application',
    description: 'Names and branding for pages that end users see. Needs no secret.',
  })
  @ApiParam({ name: 'clientId', example: 'demo-app' })
  @ApiOkResponse({ type: PublicClientAppView })
  @ApiErrors('APP_NOT_FOUND')
  async publicConfiguration(@Param('clientId') clientId: string): Promise<PublicClientAppView> {
    const client = await this.clients.find(clientId);
    // A disabled application shows nothing to the public either.
    if (!client?.enabled) throw new DomainError('APP_NOT_FOUND');
    return client.publicView;
  }
}
