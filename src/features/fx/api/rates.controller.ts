import { Body, Controller } from '@nestjs/common';
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
import { ExchangeRatesService } from '../exchange-rates.service.js';
import { RateImportsService } from '../rate-imports.service.js';
import { ImportRatesBody, NewestRatesView, RateView } from './rates.dto.js';

@ApiTags('Exchange rates')
@Controller('operator/fx/rates')
export class RatesController {
  constructor(
    private readonly rates: ExchangeRatesService,
    private readonly imports: RateImportsService,
  ) {}

  @Route.get('', forOperator('kyt:read'), {
    summary: 'The newest exchange rate of each currency',
    description: 'One rate per currency, in reais per unit, with its day and source.',
    data: [NewestRatesView, 'The rates.'],
  })
  async listRates(@CurrentOperator() operator: OperatorPrincipal) {
    const rates = await this.rates.listNewestRates(operator.organisationId);
    return envelope({ rates: rates.map((rate) => RateView.of(rate)) });
  }

  @Route.post('', forOperator('settings:manage'), {
    summary: 'Ask for an import of exchange rates',
    description:
      'When a second person approves it, these rates count from then on; earlier ones of the same days stay beside them. ' +
      'The command line of the installation, `vigia fx import`, needs no second person: for an import every day.',
    ...requestsApproval,
    errors: ['FOUR_EYES_REQUIRED', 'STATE_CONFLICT'],
  })
  async importRates(@CurrentActor() ctx: ActorContext, @Body() body: ImportRatesBody) {
    return envelope(ApprovalView.of(await this.imports.request(ctx, body)));
  }
}
