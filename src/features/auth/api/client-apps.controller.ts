import { Controller, Param, type OnModuleInit } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CrossOrigin, forEverybody, Route } from '../../../platform/http/index.js';
import { DomainError } from '../../../platform/kernel/index.js';
import { ClientDirectoryService } from '../client-directory.service.js';
import { PublicClientAppView } from './client-app.view.dto.js';

@ApiTags('Client applications')
@Controller('client-apps')
export class ClientAppsController implements OnModuleInit {
  constructor(
    private readonly clients: ClientDirectoryService,
    private readonly crossOrigin: CrossOrigin,
  ) {}

  onModuleInit(): void {
    this.crossOrigin.allow('/client-apps/public/:clientId', ['GET'], async (clientId) => {
      const client = await this.clients.find(clientId);
      return client?.enabled === true ? client.corsOrigins : [];
    });
  }

  @Route.get('public/:clientId', forEverybody, {
    summary: 'Public configuration of a client application',
    description: 'Names and branding for pages that end users see. Needs no secret.',
    params: [
      {
        name: 'clientId',
        description: 'The client id, as in the header `x-client-id`.',
        example: 'demo-app',
      },
    ],
    view: [PublicClientAppView, 'The public configuration.'],
    errors: ['APP_NOT_FOUND'],
  })
  async publicConfiguration(@Param('clientId') clientId: string) {
    const client = await this.clients.find(clientId);
    // A disabled application gets the same error as an unknown application.
    if (!client?.enabled) throw new DomainError('APP_NOT_FOUND');
    return client.publicView;
  }
}
