import { pipeline } from 'node:stream/promises';
import { Body, Controller, Headers, HttpStatus, Param, Query, Res } from '@nestjs/common';
import { ApiHeader, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import {
  CurrentOperator,
  envelope,
  forOperator,
  listById,
  PageQuery,
  Route,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { DomainError, invalid, requireUuid } from '../../../platform/kernel/index.js';
import { CurrentActor, type ActorContext } from '../actor-context.js';
import { AuditExportsService } from '../exports/audit-exports.service.js';
import { parseByteRange } from '../domain/byte-range.js';
import type { ExportFilter } from '../domain/export.js';
import { ExportFilesService } from '../exports/export-files.service.js';
import { FindingsService } from '../trail/findings.service.js';
import { parseSubjectId } from './audit.controller.js';
import { ExportBody, ExportParams, ExportsQuery, ExportView, FindingView } from './exports.dto.js';

const ETag = {
  description: 'SHA-256 of the whole file, quoted.',
  schema: { type: 'string', example: `"${'a1'.repeat(32)}"` },
} as const;

/** Serves exports of the audit log to auditors, and the list of open gaps. */
@ApiTags('Audit')
@Controller('operator/audit')
export class ExportsController {
  constructor(
    private readonly exports: AuditExportsService,
    private readonly files: ExportFilesService,
    private readonly findings: FindingsService,
  ) {}

  @Route.post('exports', forOperator('audit:export'), {
    summary: 'Ask for a package that anybody can verify offline',
    description:
      'Without a selection it is the whole log. It is made in the background; `status` and `progress` say how far it is. ' +
      'That it was asked for is an entry of the log, and so is every download.',
    data: [ExportView, 'The export, which is made in the background.'],
    status: 202,
    errors: [
      'AUDIT_ENTRY_NOT_FOUND',
      'CUSTOMER_NOT_FOUND',
      'REVIEW_NOT_FOUND',
      'AUDIT_TRAIL_INCOMPLETE',
      'QUOTA_EXCEEDED',
    ],
    idempotent: true,
  })
  async requestAuditExport(@CurrentActor() ctx: ActorContext, @Body() body: ExportBody) {
    const { reason, auditReady = true, language = 'pt-BR' } = body;
    const request = { filter: filterOf(body), reason, auditReady, language };
    return envelope(ExportView.of(await this.exports.request(ctx, request)));
  }

  @Route.get('exports', forOperator('audit:read'), {
    summary: 'Who took what out of the log, when and why; the newest first',
    description: 'An entry stays after its file is gone.',
    page: [ExportView, 'One page of exports.'],
  })
  async listAuditExports(@CurrentOperator() operator: OperatorPrincipal, @Query() query: ExportsQuery) {
    const status = query.status ?? null;
    return listById(query, ExportView, (before, limit) =>
      this.exports.page(operator.organisationId, status, before, limit),
    );
  }

  @Route.get('exports/:id', forOperator('audit:read'), {
    summary: 'An export, and how far it is',
    description: 'Ask again until it is finished; then the package can be downloaded.',
    data: [ExportView, 'The export.'],
    errors: ['AUDIT_EXPORT_NOT_FOUND'],
  })
  async getAuditExport(@CurrentOperator() operator: OperatorPrincipal, @Param() { id }: ExportParams) {
    return envelope(ExportView.of(await this.exports.find(operator.organisationId, exportUuid(id))));
  }

  @Route.get('exports/:id/content', forOperator('audit:export'), {
    summary: 'Download the package',
    description:
      'A download that was cut off goes on with `Range: bytes=N-` and `If-Range` with the `ETag`. Each request is an entry ' +
      'of the log.',
    errors: [
      'AUDIT_EXPORT_NOT_FOUND',
      'AUDIT_EXPORT_GONE',
      'AUDIT_TRAIL_INCOMPLETE',
      'STATE_CONFLICT',
      'RANGE_NOT_SATISFIABLE',
    ],
  })
  @ApiHeader({
    name: 'Range',
    description: 'One range of bytes, as `bytes=0-1023`.',
    required: false,
    schema: { type: 'string' },
    example: 'bytes=1048576-',
  })
  @ApiHeader({
    name: 'If-Range',
    description: 'The `ETag` of the file that the range is of.',
    required: false,
    schema: { type: 'string' },
  })
  @ApiProduces('application/zip')
  @ApiResponse({
    status: 200,
    description: 'The file.',
    headers: { ETag },
    schema: { type: 'string', format: 'binary' },
  })
  @ApiResponse({
    status: 206,
    description: 'The part that was asked for.',
    headers: { ETag },
    schema: { type: 'string', format: 'binary' },
  })
  async getAuditExportContent(
    @CurrentActor() ctx: ActorContext,
    @Param() { id }: ExportParams,
    @Headers('range') range: string | undefined,
    @Headers('if-range') ifRange: string | undefined,
    @Res() response: Response,
  ) {
    const row = await this.exports.findFinished(ctx.organisationId, exportUuid(id));
    const { bytes, sha256 } = row.result;
    const etag = `"${sha256}"`;
    const requestedRange = ifRange === undefined || ifRange === etag ? parseByteRange(range, bytes) : 'WHOLE';
    if (requestedRange === 'UNSATISFIABLE') {
      response.setHeader('Content-Range', `bytes */${bytes}`);
      throw new DomainError('RANGE_NOT_SATISFIABLE');
    }
    const part = requestedRange === 'WHOLE' ? { from: 0, to: bytes - 1 } : requestedRange;
    response.status(requestedRange === 'WHOLE' ? HttpStatus.OK : HttpStatus.PARTIAL_CONTENT);
    if (requestedRange !== 'WHOLE') {
      response.setHeader('Content-Range', `bytes ${part.from}-${part.to}/${bytes}`);
    }
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
    await this.exports.recordDownload(ctx, row.id, part);
    // A read error closes the connection, so that the client does not take a partial file for a complete one.
    await pipeline(this.files.read(row, part.from, part.to), response);
  }

  @Route.get('gaps', forOperator('audit:read'), {
    summary: 'Trails in which the background check has found a gap that is still open',
    description: 'What the background check has found and nobody has repaired yet.',
    page: [FindingView, 'One page of findings.'],
  })
  async listAuditGaps(@CurrentOperator() operator: OperatorPrincipal, @Query() query: PageQuery) {
    return listById(query, FindingView, (before, limit) =>
      this.findings.page(operator.organisationId, before, limit),
    );
  }
}

const exportUuid = (id: string): string => requireUuid('aex', id, 'AUDIT_EXPORT_NOT_FOUND');

/** Allows at most one of customer, case and subject. Times, subject type and action narrow the selection. */
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
    throw invalid(
      'subjectId',
      'INVALID',
      'Choose one of customerId, reviewId, or subjectType with subjectId.',
    );
  }
  const customer =
    customerId === undefined ? undefined : requireUuid('cus', customerId, 'CUSTOMER_NOT_FOUND');
  const review = reviewId === undefined ? undefined : requireUuid('rev', reviewId, 'REVIEW_NOT_FOUND');
  return {
    from,
    to,
    subjectType,
    subjectId: subjectId === undefined ? undefined : parseSubjectId(subjectId),
    action,
    customerId: customer,
    reviewId: review,
  };
}
