import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CurrentOperator,
  envelope,
  forOperator,
  Route,
  View,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { quotaNames, Quotas, quotas } from '../../../platform/quotas/index.js';

export class QuotaView {
  @View.enum(quotaNames, 'The name of the quota.', { example: 'endpointsPerApp' }) name: string;
  @View.text('What the quota is for, in words.', { example: 'Webhook endpoints of one application.' })
  description: string;
  @View.integer('How many there may be.', { example: 20 }) limit: number;
  @View.integerOrNull('How much is taken now; null for what is under way in each process and for rates.', {
    example: 4,
  })
  used: number | null;
}

export class QuotasView {
  @View.list(QuotaView, 'The limits of the organisation, with how much of each is used.') quotas: QuotaView[];
}

@ApiTags('Client applications')
@Controller('operator/quotas')
export class QuotasController {
  constructor(private readonly quotas: Quotas) {}

  @Route.get('', forOperator('apps:read'), {
    summary: 'Limits of the organisation, and how much of them is taken',
    description: 'Whoever runs the installation sets them: `vigia organisations quota`.',
    data: [QuotasView, 'The limits and their use.'],
  })
  async list(@CurrentOperator() { organisationId }: OperatorPrincipal) {
    const [limits, uses] = await Promise.all([
      this.quotas.limitsOf(organisationId),
      this.quotas.readUses(organisationId),
    ]);
    return envelope({
      quotas: quotaNames.map((name) => ({
        name,
        description: quotas[name].doc,
        limit: limits[name],
        used: uses[name],
      })),
    });
  }
}
