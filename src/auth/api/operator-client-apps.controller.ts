import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  HttpStatus,
  Ip,
  Param,
  Patch,
  Post,
  Query,
} from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Acting } from '../../audit/index.js';
import { CURRENT_API_VERSION } from '../../config/index.js';
import {
  ApiData,
  ApiErrors,
  ApiPage,
  CurrentOperator,
  envelope,
  ForOperator,
  Idempotent,
  listById,
  type OperatorPrincipal,
  type Page,
  type Success,
} from '../../http/index.js';
import { DomainError, publicId, uuidIn } from '../../kernel/index.js';
import { ClientAppsService } from '../client-apps.service.js';
import { ClientSecretsService, DEFAULT_OVERLAP_SECONDS } from '../client-secrets.service.js';
import { DEFAULT_RATE_LIMIT, DEFAULT_SCOPES, type AppProfile } from '../domain/app-profile.js';
import { ClientAppQueries } from '../store/client-app.queries.js';
import {
  ChangeClientAppBody,
  ClientAppsQuery,
  NewClientAppBody,
  RotateSecretBody,
  type BrandingBody,
} from './operator-client-app.dto.js';
import { ClientAppView, NewClientAppView, NewSecretView } from './operator-client-app.view.dto.js';

const AppIdParam = (): MethodDecorator =>
  ApiParam({ name: 'id', example: 'app_019364d0c0de7000a000000000000001' });

/** Developers > My Apps. */
@ApiTags('Client applications')
@Controller('operator/client-apps')
export class OperatorClientAppsController {
  constructor(
    private readonly apps: ClientAppsService,
    private readonly secrets: ClientSecretsService,
    private readonly queries: ClientAppQueries,
  ) {}

  @Get()
  @ForOperator('apps:read')
  @ApiOperation({ summary: 'Applications of the organisation in this environment' })
  @ApiPage(ClientAppView)
  async list(
    @CurrentOperator() operator: OperatorPrincipal,
    @Query() query: ClientAppsQuery,
  ): Promise<Page<ClientAppView>> {
    const { status } = query;
    return listById(
      query,
      (after, limit) => this.queries.list(operator.organisationId, { status, after, limit }),
      (app) => ClientAppView.of(app),
    );
  }

  @Post()
  @ForOperator('apps:secrets')
  @Idempotent()
  @ApiOperation({ summary: 'Create an application; its secret is in this answer and nowhere else' })
  @ApiData(NewClientAppView, { status: HttpStatus.CREATED })
  async create(
    @Acting() acting: Acting,
    @Ip() ip: string,
    @Body() body: NewClientAppBody,
  ): Promise<Success<NewClientAppView>> {
    const created = await this.apps.create(
      {
        organisationId: acting.organisationId,
        name: body.name,
        publicName: body.publicName,
        branding: branding(body.branding),
        scopes: body.scopes ?? DEFAULT_SCOPES,
        rateLimit: body.rateLimit ?? DEFAULT_RATE_LIMIT,
        ipAllowList: body.ipAllowList ?? [],
        corsOrigins: body.corsOrigins ?? [],
        apiVersion: body.apiVersion ?? CURRENT_API_VERSION,
      },
      { ...acting, ip },
    );
    // Its id was made up a moment ago from 80 random bits.
    if (!created) throw new DomainError('STATE_CONFLICT');
    const view = await this.view(acting, created.id);
    return envelope(Object.assign(new NewClientAppView(), view, { clientSecret: created.secret }));
  }

  @Get(':id')
  @ForOperator('apps:read')
  @ApiOperation({ summary: 'One application' })
  @AppIdParam()
  @ApiData(ClientAppView)
  @ApiErrors('APP_NOT_FOUND')
  async read(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param('id') id: string,
  ): Promise<Success<ClientAppView>> {
    return envelope(await this.view(operator, appId(id)));
  }

  @Patch(':id')
  @ForOperator('apps:manage')
  @ApiOperation({
    summary: 'Change an application',
    description:
      'Takes effect in every process within a second. What is left out stays; lists are replaced as a whole.',
  })
  @AppIdParam()
  @ApiData(ClientAppView)
  @ApiErrors('APP_NOT_FOUND', 'STATE_CONFLICT')
  async change(
    @Acting() acting: Acting,
    @Ip() ip: string,
    @Param('id') id: string,
    @Body() body: ChangeClientAppBody,
  ): Promise<Success<ClientAppView>> {
    const uuid = appId(id);
    const { name, publicName, scopes, rateLimit, ipAllowList, corsOrigins, apiVersion } = body;
    const change = {
      ...{ name, publicName, scopes, rateLimit, ipAllowList, corsOrigins, apiVersion },
      ...(body.branding ? { branding: branding(body.branding) } : {}),
    };
    await this.apps.change(acting.organisationId, uuid, change, { ...acting, ip });
    return envelope(await this.view(acting, uuid));
  }

  @Delete(':id')
  @ForOperator('apps:manage')
  @ApiOperation({
    summary: 'Revoke an application for ever',
    description: 'Its secrets end; what it submitted stays. Use `disable` for what may be undone.',
  })
  @AppIdParam()
  @ApiData(ClientAppView)
  @ApiErrors('APP_NOT_FOUND')
  async revoke(
    @Acting() acting: Acting,
    @Ip() ip: string,
    @Param('id') id: string,
  ): Promise<Success<ClientAppView>> {
    const uuid = appId(id);
    await this.apps.revoke(acting.organisationId, uuid, { ...acting, ip });
    return envelope(await this.view(acting, uuid));
  }

  @Post(':id/disable')
  @ForOperator('apps:manage')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({ summary: 'Disable an application: 403 APP_DISABLED until it is enabled' })
  @AppIdParam()
  @ApiData(ClientAppView)
  @ApiErrors('APP_NOT_FOUND', 'STATE_CONFLICT')
  async disable(
    @Acting() acting: Acting,
    @Ip() ip: string,
    @Param('id') id: string,
  ): Promise<Success<ClientAppView>> {
    const uuid = appId(id);
    await this.apps.disable(acting.organisationId, uuid, { ...acting, ip });
    return envelope(await this.view(acting, uuid));
  }

  @Post(':id/enable')
  @ForOperator('apps:manage')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({ summary: 'Enable a disabled application' })
  @AppIdParam()
  @ApiData(ClientAppView)
  @ApiErrors('APP_NOT_FOUND', 'STATE_CONFLICT')
  async enable(
    @Acting() acting: Acting,
    @Ip() ip: string,
    @Param('id') id: string,
  ): Promise<Success<ClientAppView>> {
    const uuid = appId(id);
    await this.apps.enable(acting.organisationId, uuid, { ...acting, ip });
    return envelope(await this.view(acting, uuid));
  }

  @Post(':id/secrets')
  @ForOperator('apps:secrets')
  @Idempotent()
  @ApiOperation({
    summary: 'Rotate the secret; the new one is in this answer and nowhere else',
    description: 'The secret before it stays valid for the overlap. At most two secrets are valid at a time.',
  })
  @AppIdParam()
  @ApiData(NewSecretView, { status: HttpStatus.CREATED })
  @ApiErrors('APP_NOT_FOUND', 'STATE_CONFLICT')
  async rotate(
    @Acting() acting: Acting,
    @Ip() ip: string,
    @Param('id') id: string,
    @Body() body: RotateSecretBody,
  ): Promise<Success<NewSecretView>> {
    const uuid = appId(id);
    const made = await this.secrets.rotate(
      acting.organisationId,
      uuid,
      body.overlapSeconds ?? DEFAULT_OVERLAP_SECONDS,
      { ...acting, ip },
    );
    const view = await this.view(acting, uuid);
    const shown = { secretId: publicId('sec', made.id), clientSecret: made.secret };
    return envelope(Object.assign(new NewSecretView(), view, shown));
  }

  @Delete(':id/secrets/:secretId')
  @ForOperator('apps:secrets')
  @ApiOperation({ summary: 'Revoke a secret at once' })
  @AppIdParam()
  @ApiParam({ name: 'secretId', example: 'sec_019364d0c0de7000a000000000000001' })
  @ApiData(ClientAppView)
  @ApiErrors('APP_NOT_FOUND', 'SECRET_NOT_FOUND')
  async revokeSecret(
    @Acting() acting: Acting,
    @Ip() ip: string,
    @Param('id') id: string,
    @Param('secretId') secretId: string,
  ): Promise<Success<ClientAppView>> {
    const uuid = appId(id);
    const secret = uuidIn('sec', secretId, 'SECRET_NOT_FOUND');
    await this.secrets.revoke(acting.organisationId, uuid, secret, { ...acting, ip });
    return envelope(await this.view(acting, uuid));
  }

  private async view({ organisationId }: Pick<Acting, 'organisationId'>, id: string): Promise<ClientAppView> {
    const app = await this.queries.one(organisationId, id);
    if (!app) throw new DomainError('APP_NOT_FOUND');
    return ClientAppView.of(app);
  }
}

/** Malformed, unknown and of another organisation are alike. */
const appId = (id: string): string => uuidIn('app', id, 'APP_NOT_FOUND');

const branding = (body: BrandingBody | undefined): AppProfile['branding'] => ({
  logoUrl: body?.logoUrl ?? null,
  primaryColor: body?.primaryColor ?? null,
});
