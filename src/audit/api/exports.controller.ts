import { pipeline } from 'node:stream/promises';
import {
  Body,
  Controller,
  Get,
  Headers,
  HttpCode,
  HttpStatus,
  Param,
  Post,
  Query,
  Res,
} from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import {
  ApiData,
  ApiErrors,
  ApiPage,
  CurrentOperator,
  envelope,
  ForOperator,
  Idempotent,
  listById,
  PageQuery,
  type OperatorPrincipal,
  type Page,
  type Success,
} from '../../http/index.js';
import { DomainError, uuidIn } from '../../kernel/index.js';
import { Acting } from '../acting.js';
import { AuditExports } from '../audit-exports.service.js';
import { byteRange } from '../domain/byte-range.js';
import type { ExportFilter } from '../domain/export.js';
import { ExportFiles } from '../export-files.js';
import { Findings } from '../findings.js';
import { storedId } from './audit.controller.js';
import { ExportBody, ExportParams, ExportsQuery, ExportView, FindingView } from './exports.dto.js';

/** Packages for auditors: who takes what out of the log, and why. */
@ApiTags('Audit')
@Controller('operator/audit')
export class ExportsController {
  constructor(
    private readonly exports: AuditExports,
    private readonly files: ExportFiles,
    private readonly findings: Findings,
  ) {}

  @Post('exports')
  @ForOperator('audit:export')
  @Idempotent()
  @HttpCode(HttpStatus.ACCEPTED)
  @ApiOperation({
    operationId: 'requestAuditExport',
    summary: 'Ask for a package that anybody can verify offline',
    description:
      'Without a selection it is the whole log. It is made in the background; `status` and `progress` say how far it is. ' +
      'That it was asked for is an entry of the log, and so is every download.',
  })
  @ApiData(ExportView, { status: HttpStatus.ACCEPTED })
  @ApiErrors('AUDIT_ENTRY_NOT_FOUND', 'CUSTOMER_NOT_FOUND', 'REVIEW_NOT_FOUND', 'AUDIT_TRAIL_INCOMPLETE')
  async request(@Acting() acting: Acting, @Body() body: ExportBody): Promise<Success<ExportView>> {
    const { reason, auditReady = true, language = 'pt-BR' } = body;
    const wish = { filter: filterOf(body), reason, auditReady, language };
    return envelope(ExportView.of(await this.exports.request(acting, wish)));
  }

  @Get('exports')
  @ForOperator('audit:read')
  @ApiOperation({
    operationId: 'listAuditExports',
    summary: 'Who took what out of the log, when and why; the newest first',
  })
  @ApiPage(ExportView)
  async list(
    @CurrentOperator() operator: OperatorPrincipal,
    @Query() query: ExportsQuery,
  ): Promise<Page<ExportView>> {
    const status = query.status ?? null;
    return listById(
      query,
      (before, limit) => this.exports.page(operator.organisationId, status, before, limit),
      (row) => ExportView.of(row),
    );
  }

  @Get('exports/:id')
  @ForOperator('audit:read')
  @ApiOperation({ operationId: 'getAuditExport', summary: 'An export, and how far it is' })
  @ApiData(ExportView)
  @ApiErrors('AUDIT_EXPORT_NOT_FOUND')
  async read(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param() { id }: ExportParams,
  ): Promise<Success<ExportView>> {
    return envelope(ExportView.of(await this.exports.find(operator.organisationId, exportUuid(id))));
  }

  @Get('exports/:id/content')
  @ForOperator('audit:export')
  @ApiOperation({
    operationId: 'getAuditExportContent',
    summary: 'Download the package',
    description:
      'A download that was cut off goes on with `Range: bytes=N-` and `If-Range` with the `ETag`. Each request is an entry ' +
      'of the log.',
  })
  @ApiHeader({ name: 'Range', required: false, schema: { type: 'string' }, example: 'bytes=1048576-' })
  @ApiHeader({ name: 'If-Range', required: false, schema: { type: 'string' } })
  @ApiProduces('application/zip')
  @ApiResponse({ status: 200, description: 'The file.', schema: { type: 'string', format: 'binary' } })
  @ApiResponse({
    status: 206,
    description: 'The part that was asked for.',
    schema: { type: 'string', format: 'binary' },
  })
  @ApiErrors(
    'AUDIT_EXPORT_NOT_FOUND',
    'AUDIT_EXPORT_GONE',
    'AUDIT_TRAIL_INCOMPLETE',
    'STATE_CONFLICT',
    'RANGE_NOT_SATISFIABLE',
  )
  async content(
    @Acting() acting: Acting,
    @Param() { id }: ExportParams,
    @Headers('range') range: string | undefined,
    @Headers('if-range') ifRange: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const row = await this.exports.finished(acting.organisationId, exportUuid(id));
    const { bytes, sha256 } = row.result;
    const etag = `"${sha256}"`;
    const asked = ifRange === undefined || ifRange === etag ? byteRange(range, bytes) : 'WHOLE';
    if (asked === 'UNSATISFIABLE') {
      response.setHeader('Content-Range', `bytes */${bytes}`);
      throw new DomainError('RANGE_NOT_SATISFIABLE');
    }
    const part = asked === 'WHOLE' ? { from: 0, to: bytes - 1 } : asked;
    response.status(asked === 'WHOLE' ? HttpStatus.OK : HttpStatus.PARTIAL_CONTENT);
    if (asked !== 'WHOLE') response.setHeader('Content-Range', `bytes ${part.from}-${part.to}/${bytes}`);
    response.setHeader('Accept-Ranges', 'bytes');
    response.setHeader('ETag', etag);
    response.setHeader('Content-Type', 'application/zip');
    response.setHeader('Content-Length', part.to - part.from + 1);
    response.setHeader('Content-Disposition', `attachment; filename="${id}.zip"`);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (response.req.method === 'HEAD') {
      response.end();
      return;
    }
    await this.exports.recordDownload(acting, row.id, part);
    // An error on the way ends the connection: half a file must not look like a whole one.
    await pipeline(this.files.read(row, part.from, part.to), response);
  }

  @Get('gaps')
  @ForOperator('audit:read')
  @ApiOperation({
    operationId: 'listAuditGaps',
    summary: 'Trails in which the background check has found a gap that is still open',
  })
  @ApiPage(FindingView)
  async gaps(
    @CurrentOperator() operator: OperatorPrincipal,
    @Query() query: PageQuery,
  ): Promise<Page<FindingView>> {
    return listById(
      query,
      (before, limit) => this.findings.page(operator.organisationId, before, limit),
      (row) => FindingView.of(row),
    );
  }
}

const exportUuid = (id: string): string => uuidIn('aex', id, 'AUDIT_EXPORT_NOT_FOUND');

/** One selection at a time: a customer, a case, or a kind of subject. Times and action narrow any of them. */
function filterOf({
  from,
  to,
  subjectType,
  subjectId,
  action,
  customerId,
  reviewId,
}: ExportBody): ExportFilter {
  const chosen = [customerId, reviewId, subjectId].filter((value) => value !== undefined).length;
  if (chosen > 1 || (subjectId !== undefined && subjectType === undefined)) {
    throw new DomainError('VALIDATION_FAILED', {
      details: [
        {
          path: 'subjectId',
          code: 'INVALID',
          message: 'Choose one of customerId, reviewId, or subjectType with subjectId.',
        },
      ],
    });
  }
  const customer = customerId === undefined ? undefined : uuidIn('cus', customerId, 'CUSTOMER_NOT_FOUND');
  const review = reviewId === undefined ? undefined : uuidIn('rev', reviewId, 'REVIEW_NOT_FOUND');
  return {
    from,
    to,
    subjectType,
    subjectId: subjectId === undefined ? undefined : storedId(subjectId),
    action,
    customerId: customer,
    reviewId: review,
  };
}
