import { Body, Controller, Get, HttpCode, HttpStatus, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import {
  AcceptsBody,
  ApiData,
  ApiErrors,
  ApiPage,
  CurrentOperator,
  DEFAULT_BODY_RULES,
  envelope,
  ForOperator,
  listBy,
  PageQuery,
  type OperatorPrincipal,
  type Page,
  type Success,
} from '../../http/index.js';
import { DomainError } from '../../kernel/index.js';
import { Acting } from '../acting.js';
import type { FlowDefinition } from '../domain/flow.js';
import { asFlow, judgeFlow } from '../domain/flow-validation.js';
import { FlowsService } from '../flows.service.js';
import { FlowBody, FlowView, NewFlowBody } from './flow.dto.js';

const FLOW_KEY = { name: 'key', example: 'onboarding-pf' };
const FLOW_RULES = {
  ...DEFAULT_BODY_RULES,
  // Texts in three languages for a few dozen inputs.
  maxBytes: 256 * 1_024,
  limits: { ...DEFAULT_BODY_RULES.limits, maxKeys: 10_000 },
};

/** What people are asked for. A version is never changed; new sessions go through the newest one. */
@ApiTags('Flows')
@Controller('operator/flows')
export class FlowsController {
  constructor(private readonly flows: FlowsService) {}

  @Get()
  @ForOperator('sessions:read')
  @ApiOperation({ operationId: 'listFlows', summary: 'The newest version of each flow' })
  @ApiPage(FlowView)
  async list(
    @CurrentOperator() operator: OperatorPrincipal,
    @Query() query: PageQuery,
  ): Promise<Page<FlowView>> {
    return listBy(
      'text',
      query,
      (after, limit) => this.flows.list(operator.organisationId, after, limit),
      (row) => row.key,
      (row) => FlowView.of(row),
    );
  }

  @Get(':key')
  @ForOperator('sessions:read')
  @ApiOperation({ operationId: 'getFlow', summary: 'The newest version of a flow' })
  @ApiParam(FLOW_KEY)
  @ApiData(FlowView)
  @ApiErrors('FLOW_NOT_FOUND')
  async newest(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param('key') key: string,
  ): Promise<Success<FlowView>> {
    return envelope(FlowView.of(await this.flows.current(operator.organisationId, key)));
  }

  @Get(':key/versions')
  @ForOperator('sessions:read')
  @ApiOperation({ operationId: 'listFlowVersions', summary: 'Versions of a flow, newest first' })
  @ApiParam(FLOW_KEY)
  @ApiPage(FlowView)
  @ApiErrors('FLOW_NOT_FOUND')
  async versions(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param('key') key: string,
    @Query() query: PageQuery,
  ): Promise<Page<FlowView>> {
    return listBy(
      'integer',
      query,
      (before, limit) => this.flows.versions(operator.organisationId, key, before, limit),
      (row) => row.version,
      (row) => FlowView.of(row),
    );
  }

  @Post()
  @ForOperator('flows:manage')
  @HttpCode(HttpStatus.CREATED)
  @AcceptsBody(FLOW_RULES)
  @ApiOperation({ operationId: 'createFlow', summary: 'Publish the first version of a new flow' })
  @ApiData(FlowView, { status: HttpStatus.CREATED })
  @ApiErrors('STATE_CONFLICT')
  async create(@Acting() acting: Acting, @Body() { key, ...body }: NewFlowBody): Promise<Success<FlowView>> {
    return envelope(FlowView.of(await this.flows.create(acting, key, judged(body))));
  }

  @Post(':key/versions')
  @ForOperator('flows:manage')
  @HttpCode(HttpStatus.CREATED)
  @AcceptsBody(FLOW_RULES)
  @ApiOperation({
    operationId: 'publishFlow',
    summary: 'Publish the next version of a flow',
    description:
      'Sessions that are open keep their version. The same content again is answered with the version that has it.',
  })
  @ApiParam(FLOW_KEY)
  @ApiData(FlowView, { status: HttpStatus.CREATED })
  @ApiErrors('FLOW_NOT_FOUND')
  async publish(
    @Acting() acting: Acting,
    @Param('key') key: string,
    @Body() body: FlowBody,
  ): Promise<Success<FlowView>> {
    return envelope(
      FlowView.of(await this.flows.publish(acting, key, judged(Object.fromEntries(Object.entries(body))))),
    );
  }
}

/** The flow in a body; throws what is wrong with it. */
function judged(body: object): FlowDefinition {
  const problems = judgeFlow(body);
  if (problems.length > 0) throw new DomainError('VALIDATION_FAILED', { details: problems });
  return asFlow(body);
}
