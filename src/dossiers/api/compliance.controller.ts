import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Acting } from '../../audit/index.js';
import {
  ApiData,
  CurrentOperator,
  envelope,
  ForOperator,
  type OperatorPrincipal,
  type Success,
} from '../../http/index.js';
import { ComplianceReport } from '../compliance-report.js';
import { ComplianceFiguresView, SpanQuery } from './compliance.dto.js';

/** Figures about alerts, decisions and rules. */
@ApiTags('Figures')
@Controller('operator/figures')
export class ComplianceController {
  constructor(private readonly report: ComplianceReport) {}

  @Get('compliance')
  @ForOperator('reviews:read')
  @ApiOperation({
    operationId: 'complianceFigures',
    summary: 'Alerts per day, ageing, time to decision, hit quality of rules and lists, what is overdue',
  })
  @ApiData(ComplianceFiguresView)
  async figures(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Query() span: SpanQuery,
  ): Promise<Success<ComplianceFiguresView>> {
    return envelope(ComplianceFiguresView.of(await this.report.figures(organisationId, span)));
  }

  @Get('compliance.csv')
  @ForOperator('audit:export')
  @ApiOperation({
    operationId: 'complianceFiguresCsv',
    summary: 'The same as CSV: figure, key, measure, value',
  })
  @ApiProduces('text/csv')
  @ApiOkResponse({ description: 'The file.', schema: { type: 'string' } })
  async csv(@Acting() acting: Acting, @Query() span: SpanQuery, @Res() response: Response): Promise<void> {
    const text = await this.report.csv(acting, span);
    response.setHeader('Content-Type', 'text/csv; charset=utf-8');
    response.setHeader('Content-Disposition', 'attachment; filename="compliance-figures.csv"');
    response.end(text);
  }
}
