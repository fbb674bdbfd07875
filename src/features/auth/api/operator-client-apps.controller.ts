import { Body, Controller, Ip, Param, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { ApprovalView, requestsApproval } from '../../approvals/index.js';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import { CURRENT_API_VERSION } from '../../../platform/config/index.js';
import {
  CurrentOperator,
  envelope,
  forOperator,
  listById,
  Route,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { DomainError, orThrow, publicId, requireUuid } from '../../../platform/kernel/index.js';
import { ClientAppGrantsService } from '../client-app-grants.service.js';
import { ClientAppsService } from '../client-apps.service.js';
import { ClientSecretsService, DEFAULT_OVERLAP_SECONDS } from '../client-secrets.service.js';
import { DEFAULT_RATE_LIMIT, DEFAULT_SCOPES, type AppProfile } from '../domain/app-profile.js';
import { ClientAppQueries } from '../store/client-app.queries.js';
import {
  AskForSecretBody,
  AskToEnableBody,
  ChangeClientAppBody,
  ClientAppsQuery,
  GrantScopesBody,
  NewClientAppBody,
  RotateClientSecretBody,
  type BrandingBody,
} from './operator-client-app.dto.js';
import {
  ClientAppView,
  NewClientAppView,
  NewSecretView,
  SecretApprovalView,
} from './operator-client-app.view.dto.js';

const AppIdParam = (): MethodDecorator =>
  ApiParam({
    name: 'id',
    description: 'The id of the client application.',
    example: 'app_019364d0c0de7000a000000000000001',
  });

/** The page Developers > My Apps of the console. */
@ApiTags('Client applications')
@Controller('operator/client-apps')
export class OperatorClientAppsController {
  constructor(
    private readonly apps: ClientAppsService,
    private readonly grants: ClientAppGrantsService,
    private readonly secrets: ClientSecretsService,
    private readonly queries: ClientAppQueries,
  ) {}

  @Route.get('', forOperator('apps:read'), {
    summary: 'Applications of the organisation in this environment',
    description: 'The applications of integrators, filtered by status. No secret is shown.',
    page: [ClientAppView, 'One page of applications.'],
  })
  async operatorClientAppsList(
    @CurrentOperator() operator: OperatorPrincipal,
    @Query() query: ClientAppsQuery,
  ) {
    const { status } = query;
    return listById(query, ClientAppView, (after, limit) =>
      this.queries.list(operator.organisationId, { status, after, limit }),
    );
  }

  @Route.post('', forOperator('apps:secrets'), {
    summary: 'Create an application; its secret is in this answer and nowhere else',
    description: 'The application can call at once, with the scopes and limits given here.',
    data: [NewClientAppView, 'The new application with its secret, which is shown once.'],
    status: 201,
    errors: ['FOUR_EYES_REQUIRED'],
    idempotent: true,
  })
  async operatorClientAppsCreate(
    @CurrentActor() ctx: ActorContext,
    @Ip() ip: string,
    @Body() body: NewClientAppBody,
  ) {
    const created = await this.apps.create(
      {
        organisationId: ctx.organisationId,
        name: body.name,
        publicName: body.publicName,
        branding: toBranding(body.branding),
        scopes: body.scopes ?? DEFAULT_SCOPES,
        rateLimit: body.rateLimit ?? DEFAULT_RATE_LIMIT,
        ipAllowList: body.ipAllowList ?? [],
        corsOrigins: body.corsOrigins ?? [],
        redirectUrls: body.redirectUrls ?? [],
        withoutInputs: body.withoutInputs ?? [],
        apiVersion: body.apiVersion ?? CURRENT_API_VERSION,
      },
      { ...ctx, ip },
    );
    // Practically never happens: client ids have 80 random bits.
    if (!created) throw new DomainError('STATE_CONFLICT');
    const view = await this.readView(ctx, created.id);
    return envelope(Object.assign(new NewClientAppView(), view, { clientSecret: created.secret }));
  }

  @Route.get(':id', forOperator('apps:read'), {
    summary: 'One application',
    description:
      'Settings, scopes, limits and the state of its secrets; the secrets themselves are stored as hashes only.',
    data: [ClientAppView, 'The application.'],
    errors: ['APP_NOT_FOUND'],
  })
  @AppIdParam()
  async operatorClientAppsRead(@CurrentOperator() operator: OperatorPrincipal, @Param('id') id: string) {
    return envelope(await this.readView(operator, appId(id)));
  }

  @Route.patch(':id', forOperator('apps:manage'), {
    summary: 'Change an application',
    description:
      'Takes effect in every process within a second. What is left out stays; lists are replaced as a whole.',
    data: [ClientAppView, 'The application.'],
    errors: ['APP_NOT_FOUND', 'STATE_CONFLICT', 'FOUR_EYES_REQUIRED'],
  })
  @AppIdParam()
  async operatorClientAppsChange(
    @CurrentActor() ctx: ActorContext,
    @Ip() ip: string,
    @Param('id') id: string,
    @Body() body: ChangeClientAppBody,
  ) {
    const uuid = appId(id);
    const { name, publicName, scopes, rateLimit, ipAllowList, corsOrigins, apiVersion, redirectUrls } = body;
    const change = {
      withoutInputs: body.withoutInputs,
      ...{ name, publicName, scopes, rateLimit, ipAllowList, corsOrigins, apiVersion, redirectUrls },
      ...(body.branding ? { branding: toBranding(body.branding) } : {}),
    };
    await this.apps.change(ctx.organisationId, uuid, change, { ...ctx, ip });
    return envelope(await this.readView(ctx, uuid));
  }

  @Route.post(':id/scopes', forOperator('apps:secrets'), {
    summary: 'Ask for scopes with `customers:write`, which two people grant',
    description:
      'The application has them when a second person approves the request, and until then what it has. So are further ' +
      'addresses of an application that has `customers:write`: one person only takes addresses away.',
    ...requestsApproval,
    errors: ['APP_NOT_FOUND', 'STATE_CONFLICT'],
  })
  @AppIdParam()
  async requestScopes(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { reason, ...wanted }: GrantScopesBody,
  ) {
    return envelope(ApprovalView.of(await this.grants.request(ctx, appId(id), wanted, reason)));
  }

  @Route.delete(':id', forOperator('apps:manage'), {
    summary: 'Revoke an application for ever',
    description: 'Its secrets end; what it submitted stays. Use `disable` for what may be undone.',
    data: [ClientAppView, 'The application.'],
    errors: ['APP_NOT_FOUND'],
  })
  @AppIdParam()
  async operatorClientAppsRevoke(
    @CurrentActor() ctx: ActorContext,
    @Ip() ip: string,
    @Param('id') id: string,
  ) {
    const uuid = appId(id);
    await this.apps.revoke(ctx.organisationId, uuid, { ...ctx, ip });
    return envelope(await this.readView(ctx, uuid));
  }

  @Route.post(':id/disable', forOperator('apps:manage'), {
    summary: 'Disable an application: 403 APP_DISABLED until it is enabled',
    description: 'Takes effect within a second. Its data stays, and events for it are kept.',
    data: [ClientAppView, 'The application.'],
    errors: ['APP_NOT_FOUND', 'STATE_CONFLICT'],
  })
  @AppIdParam()
  async operatorClientAppsDisable(
    @CurrentActor() ctx: ActorContext,
    @Ip() ip: string,
    @Param('id') id: string,
  ) {
    const uuid = appId(id);
    await this.apps.disable(ctx.organisationId, uuid, { ...ctx, ip });
    return envelope(await this.readView(ctx, uuid));
  }

  @Route.post(':id/enable', forOperator('apps:manage'), {
    summary: 'Enable a disabled application',
    description:
      'It can call again with the secrets that it had. Two people enable one with `customers:write`: ask with ' +
      '`enable/request`.',
    data: [ClientAppView, 'The application.'],
    errors: ['APP_NOT_FOUND', 'STATE_CONFLICT', 'FOUR_EYES_REQUIRED'],
  })
  @AppIdParam()
  async operatorClientAppsEnable(
    @CurrentActor() ctx: ActorContext,
    @Ip() ip: string,
    @Param('id') id: string,
  ) {
    const uuid = appId(id);
    await this.apps.enable(ctx.organisationId, uuid, { ...ctx, ip });
    return envelope(await this.readView(ctx, uuid));
  }

  @Route.post(':id/enable/request', forOperator('apps:secrets'), {
    summary: 'Ask that a disabled application with `customers:write` may call again',
    description: 'It can call again when a second person approves the request. All administrators are told.',
    ...requestsApproval,
    errors: ['APP_NOT_FOUND', 'STATE_CONFLICT'],
  })
  @AppIdParam()
  async requestEnabling(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { reason }: AskToEnableBody,
  ) {
    return envelope(ApprovalView.of(await this.grants.requestEnabling(ctx, appId(id), reason)));
  }

  @Route.post(':id/secrets/request', forOperator('apps:secrets'), {
    summary:
      'Ask for another secret of an application with `customers:write`; it is in this answer and nowhere else',
    description:
      'The secret is good when a second person approves the request, and until then opens nothing. The overlap begins ' +
      'with the approval. All administrators are told.',
    data: [SecretApprovalView, 'The request, and the secret, which is shown once.'],
    status: 202,
    errors: ['APP_NOT_FOUND', 'STATE_CONFLICT'],
    idempotent: true,
  })
  @AppIdParam()
  async requestSecret(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { overlapSeconds = DEFAULT_OVERLAP_SECONDS, reason }: AskForSecretBody,
  ) {
    const secret = await this.grants.requestSecret(ctx, appId(id), overlapSeconds, reason);
    const shownSecret = { secretId: secret.secretId, clientSecret: secret.secret };
    return envelope(Object.assign(new SecretApprovalView(), ApprovalView.of(secret.approval), shownSecret));
  }

  @Route.post(':id/secrets', forOperator('apps:secrets'), {
    summary: 'Rotate the secret; the new one is in this answer and nowhere else',
    description:
      'The secret before it stays valid for the overlap. At most two secrets are valid at a time. Two people give one to ' +
      'an application with `customers:write`: ask with `secrets/request`. All administrators are told of a new secret.',
    data: [NewSecretView, 'The new secret, which is shown once.'],
    status: 201,
    errors: ['APP_NOT_FOUND', 'STATE_CONFLICT', 'FOUR_EYES_REQUIRED'],
    idempotent: true,
  })
  @AppIdParam()
  async operatorClientAppsRotate(
    @CurrentActor() ctx: ActorContext,
    @Ip() ip: string,
    @Param('id') id: string,
    @Body() body: RotateClientSecretBody,
  ) {
    const uuid = appId(id);
    const secret = await this.secrets.rotate(
      ctx.organisationId,
      uuid,
      body.overlapSeconds ?? DEFAULT_OVERLAP_SECONDS,
      { ...ctx, ip },
    );
    const view = await this.readView(ctx, uuid);
    const shownSecret = { secretId: publicId('sec', secret.id), clientSecret: secret.secret };
    return envelope(Object.assign(new NewSecretView(), view, shownSecret));
  }

  @Route.delete(':id/secrets/:secretId', forOperator('apps:secrets'), {
    summary: 'Revoke a secret at once',
    description: 'Calls with this secret are refused from then on, also within an overlap of two secrets.',
    params: [
      {
        name: 'secretId',
        description: 'The id of the secret.',
        example: 'sec_019364d0c0de7000a000000000000001',
      },
    ],
    data: [ClientAppView, 'The application.'],
    errors: ['APP_NOT_FOUND', 'SECRET_NOT_FOUND'],
  })
  @AppIdParam()
  async operatorClientAppsRevokeSecret(
    @CurrentActor() ctx: ActorContext,
    @Ip() ip: string,
    @Param('id') id: string,
    @Param('secretId') secretId: string,
  ) {
    const uuid = appId(id);
    const secret = requireUuid('sec', secretId, 'SECRET_NOT_FOUND');
    await this.secrets.revoke(ctx.organisationId, uuid, secret, { ...ctx, ip });
    return envelope(await this.readView(ctx, uuid));
  }

  private async readView(
    { organisationId }: Pick<ActorContext, 'organisationId'>,
    id: string,
  ): Promise<ClientAppView> {
    const app = orThrow(await this.queries.findOne(organisationId, id), 'APP_NOT_FOUND');
    return ClientAppView.of(app);
  }
}

/**
 * Returns the UUID of an application. A malformed id gets the same error as an unknown id or an id of another
 * organisation.
 */
const appId = (id: string): string => requireUuid('app', id, 'APP_NOT_FOUND');

const toBranding = (body: BrandingBody | undefined): AppProfile['branding'] => ({
  logoUrl: body?.logoUrl ?? null,
  primaryColor: body?.primaryColor ?? null,
});
