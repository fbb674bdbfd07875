import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import { CurrentOperator, envelope, forOperator, Route, type OperatorPrincipal } from '../../http/index.js';
import { ExchangeRates } from '../exchange-rates.service.js';
import { ImportRatesBody, NewestRatesView, RatesImportedView, RateView } from './rates.dto.js';

@ApiTags('Exchange rates')
@Controller('operator/fx/rates')
export class RatesController {
  constructor(private readonly rates: ExchangeRates) {}

  @Route.get('', forOperator('kyt:read'), {
    summary: 'The newest exchange rate of each currency',
    data: NewestRatesView,
  })
  async listRates(@CurrentOperator() operator: OperatorPrincipal) {
    const rates = await this.rates.newest(operator.organisationId);
    return envelope({ rates: rates.map((rate) => RateView.of(rate)) });
  }

  @Route.post('', forOperator('settings:manage'), {
    summary: 'Import exchange rates; earlier ones stay',
    data: RatesImportedView,
    status: 201,
  })
  async importRates(@CurrentActor() ctx: ActorContext, @Body() { source, rates }: ImportRatesBody) {
    const imported = await this.rates.import(ctx.organisationId, { ...ctx, source, rates });
    return envelope(RatesImportedView.of(imported));
  }
}
