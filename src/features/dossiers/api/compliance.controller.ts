import { Controller, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import {
  CurrentOperator,
  envelope,
  forOperator,
  Route,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { ComplianceReportService } from '../compliance-report.service.js';
import { ComplianceFiguresView, SpanQuery } from './compliance.dto.js';

/** Figures about alerts, decisions and rules. */
@ApiTags('Figures')
@Controller('operator/figures')
export class ComplianceController {
  constructor(private readonly report: ComplianceReportService) {}

  @Route.get('compliance', forOperator('reviews:read'), {
    costly: true,
    summary: 'Alerts per day, ageing, time to decision, hit quality of rules and lists, what is overdue',
    description: 'For the days from `from` to `to`; without them, the last thirty.',
    data: [ComplianceFiguresView, 'The figures.'],
  })
  async complianceFigures(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Query() span: SpanQuery,
  ) {
    return envelope(await this.report.readFigures(organisationId, span));
  }

  @Route.get('compliance.csv', forOperator('audit:export'), {
    costly: true,
    summary: 'The same as CSV: figure, key, measure, value',
    description: 'The figures of `GET /operator/figures/compliance`, for a spreadsheet.',
    file: ['text/csv', 'The file.'],
  })
  async complianceFiguresCsv(
    @CurrentActor() ctx: ActorContext,
    @Query() span: SpanQuery,
    @Res() response: Response,
  ) {
    const text = await this.report.exportCsv(ctx, span);
    response.setHeader('Content-Type', 'text/csv; charset=utf-8');
    response.setHeader('Content-Disposition', 'attachment; filename="compliance-figures.csv"');
    response.end(text);
  }
}
