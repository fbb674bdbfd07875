import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ApiData,
  ApiErrors,
  ApiPage,
  CurrentOperator,
  envelope,
  ForOperator,
  listBy,
  PageQuery,
  type OperatorPrincipal,
  type Page,
  type Success,
} from '../../http/index.js';
import { DomainError } from '../../kernel/index.js';
import { AuditTrail } from '../audit-trail.js';
import { subjectTypes, type SubjectType } from '../domain/entry.js';
import { LogAuditor } from '../log-auditor.js';
import { LogQueries } from '../store/log.queries.js';
import { AuditEventsQuery, ConsistencyQuery, ProofQuery } from './audit.queries.dto.js';
import {
  AuditEventView,
  AuditStatusView,
  CheckpointView,
  ConsistencyProofView,
  InclusionProofView,
  TrailView,
} from './audit.view.dto.js';

/** What auditors read: the log, its checkpoints and proofs, and the verdict on one subject. */
@ApiTags('Audit')
@Controller('operator/audit')
export class AuditController {
  constructor(
    private readonly auditor: LogAuditor,
    private readonly queries: LogQueries,
    private readonly trail: AuditTrail,
  ) {}

  @Get('events')
  @ForOperator('audit:read')
  @ApiOperation({ operationId: 'listAuditEvents', summary: 'The audit log, the newest entry first' })
  @ApiPage(AuditEventView)
  async events(
    @CurrentOperator() operator: OperatorPrincipal,
    @Query() query: AuditEventsQuery,
  ): Promise<Page<AuditEventView>> {
    const { subjectType, subjectId, action, from, to } = query;
    const filter = { subjectType, subjectId: subjectId && storedId(subjectId), action, from, to };
    return listBy(
      'integer',
      query,
      (before, limit) => this.queries.entries(operator.organisationId, filter, before, limit),
      (entry) => entry.index,
      (entry) => AuditEventView.of(entry),
    );
  }

  @Get('trails/:subjectType/:subjectId')
  @ForOperator('audit:read')
  @ApiOperation({
    operationId: 'auditTrail',
    summary: 'Whether the trail of one subject is whole and unchanged',
  })
  @ApiData(TrailView)
  @ApiErrors('AUDIT_ENTRY_NOT_FOUND')
  async trailOf(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param('subjectType') type: string,
    @Param('subjectId') id: string,
  ): Promise<Success<TrailView>> {
    if (!isSubjectType(type) || id.length > 128 || id.includes('\0')) {
      throw new DomainError('AUDIT_ENTRY_NOT_FOUND');
    }
    const subject = { organisationId: operator.organisationId, type, id: storedId(id) };
    const verdict = await this.trail.findTrail(subject);
    if (!verdict) throw new DomainError('AUDIT_ENTRY_NOT_FOUND');
    return envelope(TrailView.of(verdict));
  }

  @Get('status')
  @ForOperator('audit:read')
  @ApiOperation({
    operationId: 'auditStatus',
    summary: 'The newest signed checkpoint and the keys that sign',
  })
  @ApiData(AuditStatusView)
  async status(@CurrentOperator() operator: OperatorPrincipal): Promise<Success<AuditStatusView>> {
    const { checkpoint, ...rest } = await this.auditor.status(operator.organisationId);
    return envelope({ checkpoint: checkpoint && CheckpointView.of(checkpoint), ...rest });
  }

  @Get('checkpoints')
  @ForOperator('audit:read')
  @ApiOperation({ operationId: 'listAuditCheckpoints', summary: 'Kept checkpoints, the newest first' })
  @ApiPage(CheckpointView)
  async checkpoints(
    @CurrentOperator() operator: OperatorPrincipal,
    @Query() query: PageQuery,
  ): Promise<Page<CheckpointView>> {
    return listBy(
      'instant',
      query,
      (before, limit) => this.queries.checkpoints(operator.organisationId, before, limit),
      ({ signedAt }) => signedAt.toISOString(),
      (checkpoint) => CheckpointView.of(checkpoint),
    );
  }

  @Get('proofs')
  @ForOperator('audit:read')
  @ApiOperation({ operationId: 'auditProof', summary: 'Proof that an entry is in the log' })
  @ApiData(InclusionProofView)
  @ApiErrors('AUDIT_ENTRY_NOT_FOUND')
  async proof(
    @CurrentOperator() operator: OperatorPrincipal,
    @Query() { index, size }: ProofQuery,
  ): Promise<Success<InclusionProofView>> {
    return envelope(
      InclusionProofView.of(await this.auditor.inclusion(operator.organisationId, index, size)),
    );
  }

  @Get('consistency')
  @ForOperator('audit:read')
  @ApiOperation({ operationId: 'auditConsistency', summary: 'Proof that the log only grew' })
  @ApiData(ConsistencyProofView)
  @ApiErrors('AUDIT_ENTRY_NOT_FOUND')
  async consistency(
    @CurrentOperator() operator: OperatorPrincipal,
    @Query() query: ConsistencyQuery,
  ): Promise<Success<ConsistencyProofView>> {
    const { from, to, path } = await this.auditor.consistency(operator.organisationId, query.from, query.to);
    return envelope({ from, to, path: path.map((node) => node.toString('base64')) });
  }
}

const isSubjectType = (text: string): text is SubjectType =>
  (subjectTypes as readonly string[]).includes(text);

/** Entries name their subject by the UUID in its public id. */
export function storedId(id: string): string {
  const hex = /^[a-z]{3}_([0-9a-f]{32})$/.exec(id)?.[1];
  return hex === undefined ? id : hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
