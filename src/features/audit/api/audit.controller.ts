import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CurrentOperator,
  envelope,
  forOperator,
  listBy,
  PageQuery,
  Route,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { DomainError, orThrow } from '../../../platform/kernel/index.js';
import { AuditTrail } from '../trail/audit-trail.js';
import { subjectTypes, type SubjectType } from '../domain/entry.js';
import { LogAuditorService } from '../log/log-auditor.service.js';
import { LogQueries } from '../store/log.queries.js';
import { AuditHealthService } from '../watch/audit-health.service.js';
import { CurrentActor, type ActorContext } from '../actor-context.js';
import { AnchorsService } from '../watch/anchors.service.js';
import { AuditHealthView, WitnessedView } from './health.view.dto.js';
import { AuditEventsQuery, ConsistencyQuery, ProofQuery, WitnessBody } from './audit.queries.dto.js';
import {
  AuditEventView,
  AuditStatusView,
  CheckpointView,
  ConsistencyProofView,
  InclusionProofView,
  TrailView,
} from './audit.view.dto.js';

/** Serves the log to auditors: entries, checkpoints, proofs, and the verdict on one subject. */
@ApiTags('Audit')
@Controller('operator/audit')
export class AuditController {
  constructor(
    private readonly auditor: LogAuditorService,
    private readonly queries: LogQueries,
    private readonly trail: AuditTrail,
    private readonly health: AuditHealthService,
    private readonly anchors: AnchorsService,
  ) {}

  @Route.get('events', forOperator('audit:read'), {
    summary: 'The audit log, the newest entry first',
    description:
      'Filtered by subject, action and time. Each entry is chained to the one before it of the same subject.',
    page: [AuditEventView, 'One page of entries.'],
  })
  async listAuditEvents(@CurrentOperator() operator: OperatorPrincipal, @Query() query: AuditEventsQuery) {
    const { subjectType, subjectId, action, from, to } = query;
    const filter = { subjectType, subjectId: subjectId && parseSubjectId(subjectId), action, from, to };
    return listBy(
      'integer',
      query,
      (before, limit) => this.queries.listEntries(operator.organisationId, filter, before, limit),
      (entry) => entry.index,
      (entry) => AuditEventView.of(entry),
    );
  }

  @Route.get('trails/:subjectType/:subjectId', forOperator('audit:read'), {
    summary: 'Whether the trail of one subject is whole and unchanged',
    description: 'Judges every link and every expected entry, and names gaps.',
    params: [
      {
        name: 'subjectType',
        description: 'The kind of subject.',
        enum: subjectTypes,
        example: 'transaction',
      },
      { name: 'subjectId', description: 'The id of the subject.' },
    ],
    data: [TrailView, 'The trail, judged.'],
    errors: ['AUDIT_ENTRY_NOT_FOUND'],
  })
  async auditTrail(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param('subjectType') type: string,
    @Param('subjectId') id: string,
  ) {
    if (!isSubjectType(type) || id.length > 128 || id.includes('\0')) {
      throw new DomainError('AUDIT_ENTRY_NOT_FOUND');
    }
    const subject = { organisationId: operator.organisationId, type, id: parseSubjectId(id) };
    const verdict = orThrow(await this.trail.findTrailStatus(subject), 'AUDIT_ENTRY_NOT_FOUND');
    return envelope(TrailView.of(verdict));
  }

  @Route.get('status', forOperator('audit:read'), {
    summary: 'The newest signed checkpoint and the keys that sign',
    description:
      'An auditor pins the keys and keeps the checkpoint, so that a log that was exchanged is found later.',
    data: [AuditStatusView, 'The checkpoint and the keys.'],
  })
  async auditStatus(@CurrentOperator() operator: OperatorPrincipal) {
    const { checkpoint, ...rest } = await this.auditor.readStatus(operator.organisationId);
    return envelope({ checkpoint: checkpoint && CheckpointView.of(checkpoint), ...rest });
  }

  @Route.get('health', forOperator('audit:read'), {
    summary: 'Whether the log is sealed, watched and without a gap, and what was attacked',
    description: 'Also how many entries wait for their seal, and for how long the oldest of them has waited.',
    data: [AuditHealthView, 'The state of the log.'],
  })
  async auditHealth(@CurrentOperator() operator: OperatorPrincipal) {
    return envelope(AuditHealthView.of(await this.health.read(operator.organisationId)));
  }

  @Route.post('witnesses', forOperator('audit:read'), {
    summary: 'Hand in a checkpoint that a witness has signed',
    description:
      'The health of the log shows what each witness saw last, and turns red when the log does not go on from it. ' +
      'What a witness saw before counts for nothing.',
    data: [WitnessedView, 'The checkpoint, as it was accepted.'],
    status: 201,
    errors: ['STATE_CONFLICT'],
  })
  async handInWitness(@CurrentActor() ctx: ActorContext, @Body() { note, key }: WitnessBody) {
    return envelope(await this.anchors.recordWitness(ctx, note, key));
  }

  @Route.get('checkpoints', forOperator('audit:read'), {
    summary: 'Kept checkpoints, the newest first',
    description: 'Each is signed over size and root of the log as it was then.',
    page: [CheckpointView, 'One page of checkpoints.'],
  })
  async listAuditCheckpoints(@CurrentOperator() operator: OperatorPrincipal, @Query() query: PageQuery) {
    return listBy(
      'instant',
      query,
      (before, limit) => this.queries.listCheckpoints(operator.organisationId, before, limit),
      ({ signedAt }) => signedAt.toISOString(),
      (checkpoint) => CheckpointView.of(checkpoint),
    );
  }

  @Route.get('proofs', forOperator('audit:read'), {
    summary: 'Proof that an entry is in the log',
    description:
      'An inclusion proof of RFC 6962, from the leaf of the entry to the root of a tree of `size` entries.',
    data: [InclusionProofView, 'The proof.'],
    errors: ['AUDIT_ENTRY_NOT_FOUND'],
  })
  async auditProof(@CurrentOperator() operator: OperatorPrincipal, @Query() { index, size }: ProofQuery) {
    return envelope(
      InclusionProofView.of(await this.auditor.proveInclusion(operator.organisationId, index, size)),
    );
  }

  @Route.get('consistency', forOperator('audit:read'), {
    summary: 'Proof that the log only grew',
    description: 'A consistency proof of RFC 6962, from an earlier size of the log to a later one.',
    data: [ConsistencyProofView, 'The proof.'],
    errors: ['AUDIT_ENTRY_NOT_FOUND'],
  })
  async auditConsistency(@CurrentOperator() operator: OperatorPrincipal, @Query() query: ConsistencyQuery) {
    const { from, to, path } = await this.auditor.proveConsistency(
      operator.organisationId,
      query.from,
      query.to,
    );
    return envelope({ from, to, path: path.map((node) => node.toString('base64')) });
  }
}

const isSubjectType = (text: string): text is SubjectType =>
  (subjectTypes as readonly string[]).includes(text);

/** Converts a public id (`txn_…`) to the UUID by which entries name the subject; returns any other id unchanged. */
export function parseSubjectId(id: string): string {
  const hex = /^[a-z]{3}_([0-9a-f]{32})$/.exec(id)?.[1];
  return hex === undefined ? id : hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
