import { Body, Controller, Get, HttpCode, HttpStatus, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ApiData,
  ApiErrors,
  CurrentOperator,
  CurrentRequest,
  envelope,
  ForOperator,
  type OperatorPrincipal,
  type Success,
} from '../../http/index.js';
import type { RequestContext } from '../../telemetry/index.js';
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
  @ApiErrors('VALIDATION_FAILED')
  async import(
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentRequest() request: RequestContext,
    @Body() { source, rates }: ImportRatesBody,
  ): Promise<Success<RatesImportedView>> {
    const imported = await this.rates.import(operator.organisationId, {
      source,
      rates,
      actor: { type: 'operator', id: operator.id },
      requestId: request.requestId,
      correlationId: request.correlationId,
    });
    return envelope(RatesImportedView.of(imported));
  }
}
