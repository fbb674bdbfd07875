import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  AcceptsBody,
  CurrentOperator,
  DEFAULT_BODY_RULES,
  envelope,
  forOperator,
  listBy,
  PageQuery,
  Route,
  type OperatorPrincipal,
} from '../../http/index.js';
import { DomainError } from '../../kernel/index.js';
import { CurrentActor, type ActorContext } from '../actor-context.js';
import type { FlowDefinition } from '../domain/flow/flow.js';
import { asFlow, judgeFlow } from '../domain/flow/flow-validation.js';
import { FlowsService } from '../flows.service.js';
import { FlowBody, FlowView, NewFlowBody } from './flow.dto.js';

const FLOW_KEY = { name: 'key', example: 'onboarding-pf' };
const FLOW_RULES = {
  ...DEFAULT_BODY_RULES,
  // Texts in three languages for a few dozen inputs.
  maxBytes: 256 * 1_024,
  limits: { ...DEFAULT_BODY_RULES.limits, maxKeys: 10_000 },
};

/** Serves flows to operators. A version is never changed; new sessions go through the newest one. */
@ApiTags('Flows')
@Controller('operator/flows')
export class FlowsController {
  constructor(private readonly flows: FlowsService) {}

  @Route.get('', forOperator('sessions:read'), {
    summary: 'The newest version of each flow',
    page: FlowView,
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
    params: [FLOW_KEY],
    data: FlowView,
    errors: ['FLOW_NOT_FOUND'],
  })
  async getFlow(@CurrentOperator() operator: OperatorPrincipal, @Param('key') key: string) {
    return envelope(FlowView.of(await this.flows.current(operator.organisationId, key)));
  }

  @Route.get(':key/versions', forOperator('sessions:read'), {
    summary: 'Versions of a flow, newest first',
    params: [FLOW_KEY],
    page: FlowView,
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
      (before, limit) => this.flows.versions(operator.organisationId, key, before, limit),
      (row) => row.version,
      (row) => FlowView.of(row),
    );
  }

  @Route.post('', forOperator('flows:manage'), {
    summary: 'Publish the first version of a new flow',
    data: FlowView,
    status: 201,
    errors: ['STATE_CONFLICT'],
  })
  @AcceptsBody(FLOW_RULES)
  async createFlow(@CurrentActor() ctx: ActorContext, @Body() { key, ...body }: NewFlowBody) {
    return envelope(FlowView.of(await this.flows.create(ctx, key, judged(body))));
  }

  @Route.post(':key/versions', forOperator('flows:manage'), {
    summary: 'Publish the next version of a flow',
    description:
      'Sessions that are open keep their version. The same content again is answered with the version that has it.',
    params: [FLOW_KEY],
    data: FlowView,
    status: 201,
    errors: ['FLOW_NOT_FOUND'],
  })
  @AcceptsBody(FLOW_RULES)
  async publishFlow(@CurrentActor() ctx: ActorContext, @Param('key') key: string, @Body() body: FlowBody) {
    return envelope(
      FlowView.of(await this.flows.publish(ctx, key, judged(Object.fromEntries(Object.entries(body))))),
    );
  }
}

/** The flow in a body; throws what is wrong with it. */
function judged(body: object): FlowDefinition {
  const problems = judgeFlow(body);
  if (problems.length > 0) throw new DomainError('VALIDATION_FAILED', { details: problems });
  return asFlow(body);
}
