import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApprovalView, requestsApproval } from '../../../approvals/index.js';
import {
  AcceptsBody,
  CurrentOperator,
  envelope,
  forOperator,
  listBy,
  PageQuery,
  Route,
  type OperatorPrincipal,
} from '../../../../platform/http/index.js';
import { DomainError } from '../../../../platform/kernel/index.js';
import { CurrentActor, type SessionActorContext } from '../../actor-context.js';
import type { FlowDefinition } from '../../domain/flow/flow.js';
import { asFlow, validateFlow } from '../../domain/flow/flow-validation.js';
import { FlowsService } from '../../flows/flows.service.js';
import { FLOW_RULES } from './flow-draft.dto.js';
import { FlowView, FormerFlowBody, NewFlowBody, NextFlowBody } from './flow.dto.js';

const FLOW_KEY = { name: 'key', description: 'The key of the flow.', example: 'onboarding-pf' };
/** Serves flows to operators. A version never changes; new sessions use the newest version. */
@ApiTags('Flows')
@Controller('operator/flows')
export class FlowsController {
  constructor(private readonly flows: FlowsService) {}

  @Route.get('', forOperator('sessions:read'), {
    summary: 'The newest version of each flow',
    description: 'One line per flow, by its key.',
    page: [FlowView, 'One page of flows.'],
  })
  async listFlows(@CurrentOperator() operator: OperatorPrincipal, @Query() query: PageQuery) {
    return listBy(
      'text',
      query,
      (after, limit) => this.flows.list(operator.organisationId, after, limit),
      (row) => row.key,
      (row) => FlowView.of(row),
    );
  }

  @Route.get(':key', forOperator('sessions:read'), {
    summary: 'The newest version of a flow',
    description: 'The whole definition, as new sessions use it.',
    params: [FLOW_KEY],
    data: [FlowView, 'The flow.'],
    errors: ['FLOW_NOT_FOUND'],
  })
  async getFlow(@CurrentOperator() operator: OperatorPrincipal, @Param('key') key: string) {
    return envelope(FlowView.of(await this.flows.readOrCreateCurrent(operator.organisationId, key)));
  }

  @Route.get(':key/versions', forOperator('sessions:read'), {
    summary: 'Versions of a flow, newest first',
    description: 'A session keeps the version with which it began.',
    params: [FLOW_KEY],
    page: [FlowView, 'One page of versions.'],
    errors: ['FLOW_NOT_FOUND'],
  })
  async listFlowVersions(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param('key') key: string,
    @Query() query: PageQuery,
  ) {
    return listBy(
      'integer',
      query,
      (before, limit) => this.flows.listVersions(operator.organisationId, key, before, limit),
      (row) => row.version,
      (row) => FlowView.of(row),
    );
  }

  @Route.post('', forOperator('flows:manage'), {
    summary: 'Ask for a new flow',
    description: 'When a second person approves it, sessions can go through it.',
    ...requestsApproval,
    errors: ['FOUR_EYES_REQUIRED', 'STATE_CONFLICT'],
  })
  @AcceptsBody(FLOW_RULES)
  async requestFlow(@CurrentActor() ctx: SessionActorContext, @Body() { key, reason, ...body }: NewFlowBody) {
    return envelope(ApprovalView.of(await this.flows.requestNew(ctx, key, requireFlow(body), reason)));
  }

  @Route.post(':key/versions', forOperator('flows:manage'), {
    summary: 'Ask for the next version of a flow',
    description:
      'When a second person approves it, new sessions go through it; those that are open keep their version.',
    params: [FLOW_KEY],
    ...requestsApproval,
    errors: ['FLOW_NOT_FOUND', 'FOUR_EYES_REQUIRED', 'STATE_CONFLICT'],
  })
  @AcceptsBody(FLOW_RULES)
  async requestFlowVersion(
    @CurrentActor() ctx: SessionActorContext,
    @Param('key') key: string,
    @Body() { reason, ...body }: NextFlowBody,
  ) {
    return envelope(ApprovalView.of(await this.flows.requestNext(ctx, key, requireFlow(body), reason)));
  }

  @Route.post(':key/rollback', forOperator('flows:manage'), {
    summary: 'Ask for the content of an earlier version as the next one',
    description:
      'Takes effect when a second person has approved it. Versions are never taken back, only followed by another.',
    params: [FLOW_KEY],
    ...requestsApproval,
    errors: ['FLOW_NOT_FOUND', 'FOUR_EYES_REQUIRED', 'STATE_CONFLICT'],
  })
  async rollBackFlow(
    @CurrentActor() ctx: SessionActorContext,
    @Param('key') key: string,
    @Body() { version, reason }: FormerFlowBody,
  ) {
    return envelope(ApprovalView.of(await this.flows.requestFormer(ctx, key, version, reason)));
  }
}

/** Returns the flow in a body. Throws VALIDATION_FAILED with all its problems. */
function requireFlow(body: object): FlowDefinition {
  const problems = validateFlow(body);
  if (problems.length > 0) throw new DomainError('VALIDATION_FAILED', { details: problems });
  return asFlow(body);
}
