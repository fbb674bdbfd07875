import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApprovalView, requestsApproval } from '../../approvals/index.js';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import {
  CurrentOperator,
  envelope,
  forOperator,
  Route,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { ProvidersService } from '../providers.service.js';
import { ProviderBody, ProviderSecretView, ProvidersView, ProviderView } from './providers.dto.js';

const NAME = { name: 'name', description: 'The name of the provider.', example: 'acme-id' };

/** Check providers (documents, faces, tax registers, addresses) and their health. */
@ApiTags('Check providers')
@Controller('operator/providers')
export class ProvidersController {
  constructor(private readonly providers: ProvidersService) {}

  @Route.get('', forOperator('sessions:read'), {
    summary: 'Providers of the organisation, with their health, calls and cost',
    description: 'The version in force of each provider.',
    data: [ProvidersView, 'The providers.'],
  })
  async listProviders(@CurrentOperator() { organisationId }: OperatorPrincipal) {
    const [all, usage] = await Promise.all([
      this.providers.list(organisationId),
      this.providers.readUsage(organisationId),
    ]);
    return envelope({ providers: all.map((one) => ProviderView.of(one, usage)) });
  }

  @Route.post('', forOperator('flows:manage'), {
    summary: 'Ask for a provider, or for another version of one',
    description: 'When a second person approves it, sessions are checked by it.',
    ...requestsApproval,
    errors: ['FOUR_EYES_REQUIRED', 'STATE_CONFLICT'],
  })
  async requestProvider(@CurrentActor() ctx: ActorContext, @Body() { reason, ...wanted }: ProviderBody) {
    return envelope(ApprovalView.of(await this.providers.request(ctx, wanted, reason)));
  }

  @Route.post(':name/disable', forOperator('flows:manage'), {
    summary: 'Leave a provider alone from now on',
    description: 'Takes effect at once, and needs nobody else. `POST /operator/providers` brings it back.',
    params: [NAME],
    data: [ProviderView, 'The provider.'],
    errors: ['PROVIDER_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async disableProvider(@CurrentActor() ctx: ActorContext, @Param('name') name: string) {
    const disabled = await this.providers.disable(ctx, name);
    return envelope(ProviderView.of(disabled, await this.providers.readUsage(ctx.organisationId)));
  }

  @Route.post(':name/secret', forOperator('flows:manage'), {
    summary: 'The secret that requests to a provider are signed with',
    description: 'For whoever runs the provider. Each look is an entry in its trail.',
    params: [NAME],
    data: [ProviderSecretView, 'The secret.'],
    errors: ['PROVIDER_NOT_FOUND'],
  })
  async showProviderSecret(@CurrentActor() ctx: ActorContext, @Param('name') name: string) {
    return envelope({ secret: await this.providers.revealSecret(ctx, name) });
  }
}
