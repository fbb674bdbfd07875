import { Body, Controller, Get, HttpCode, HttpStatus, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Acting } from '../../audit/index.js';
import {
  ApiData,
  CurrentOperator,
  envelope,
  ForOperator,
  type OperatorPrincipal,
  type Success,
} from '../../http/index.js';
import { ExchangeRates } from '../exchange-rates.service.js';
import { ImportRatesBody, NewestRatesView, RatesImportedView, RateView } from './rates.dto.js';

@ApiTags('Exchange rates')
@Controller('operator/fx/rates')
export class RatesController {
  constructor(private readonly rates: ExchangeRates) {}

  @Get()
  @ForOperator('kyt:read')
  @ApiOperation({ operationId: 'listRates', summary: 'The newest exchange rate of each currency' })
  @ApiData(NewestRatesView)
  async newest(@CurrentOperator() operator: OperatorPrincipal): Promise<Success<NewestRatesView>> {
    const rates = await this.rates.newest(operator.organisationId);
    return envelope({ rates: rates.map((rate) => RateView.of(rate)) });
  }

  @Post()
  @HttpCode(HttpStatus.CREATED)
  @ForOperator('settings:manage')
  @ApiOperation({ operationId: 'importRates', summary: 'Import exchange rates; earlier ones stay' })
  @ApiData(RatesImportedView, { status: 201 })
  async import(
    @Acting() acting: Acting,
    @Body() { source, rates }: ImportRatesBody,
  ): Promise<Success<RatesImportedView>> {
    const imported = await this.rates.import(acting.organisationId, {
      source,
      rates,
      actor: acting.actor,
      requestId: acting.requestId,
      correlationId: acting.correlationId,
    });
    return envelope(RatesImportedView.of(imported));
  }
}
