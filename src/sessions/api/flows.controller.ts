import { Body, Controller, Get, HttpCode, HttpStatus, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import {
  AcceptsBody,
  ApiData,
  ApiErrors,
  ApiPage,
  CurrentOperator,
  CurrentRequest,
  cursorKeys,
  DEFAULT_BODY_RULES,
  envelope,
  ForOperator,
  page,
  PageQuery,
  type OperatorPrincipal,
  type Page,
  type Success,
} from '../../http/index.js';
import { DomainError } from '../../kernel/index.js';
import type { RequestContext } from '../../telemetry/index.js';
import { actingOperator } from '../acting.js';
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
const BODY_ERRORS = [
  'VALIDATION_FAILED',
  'MALFORMED_JSON',
  'BODY_TOO_LARGE',
  'MEDIA_TYPE_UNSUPPORTED',
] as const;

/** What people are asked for. A version is never changed; new sessions go through the newest one. */
@ApiTags('Flows')
@Controller('operator/flows')
export class FlowsController {
  constructor(private readonly flows: FlowsService) {}

  @Get()
  @ForOperator('sessions:read')
  @ApiOperation({ operationId: 'listFlows', summary: 'The newest version of each flow' })
  @ApiPage(FlowView)
  @ApiErrors('VALIDATION_FAILED', 'CURSOR_INVALID')
  async list(
    @CurrentOperator() operator: OperatorPrincipal,
    @Query() { limit, cursor }: PageQuery,
  ): Promise<Page<FlowView>> {
    const [after = null] = cursorKeys(cursor, 'text') ?? [];
    const rows = await this.flows.list(operator.organisationId, after as string | null, limit + 1);
    return page(
      rows,
      limit,
      (row) => [row.key],
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
  @ApiErrors('VALIDATION_FAILED', 'CURSOR_INVALID', 'FLOW_NOT_FOUND')
  async versions(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param('key') key: string,
    @Query() { limit, cursor }: PageQuery,
  ): Promise<Page<FlowView>> {
    const [before = null] = cursorKeys(cursor, 'integer') ?? [];
    const rows = await this.flows.versions(operator.organisationId, key, before as number | null, limit + 1);
    return page(
      rows,
      limit,
      (row) => [row.version],
      (row) => FlowView.of(row),
    );
  }

  @Post()
  @ForOperator('flows:manage')
  @HttpCode(HttpStatus.CREATED)
  @AcceptsBody(FLOW_RULES)
  @ApiOperation({ operationId: 'createFlow', summary: 'Publish the first version of a new flow' })
  @ApiData(FlowView, { status: HttpStatus.CREATED })
  @ApiErrors(...BODY_ERRORS, 'STATE_CONFLICT')
  async create(
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentRequest() context: RequestContext,
    @Body() { key, ...body }: NewFlowBody,
  ): Promise<Success<FlowView>> {
    const acting = actingOperator(operator, context);
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
  @ApiErrors(...BODY_ERRORS, 'FLOW_NOT_FOUND')
  async publish(
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentRequest() context: RequestContext,
    @Param('key') key: string,
    @Body() body: FlowBody,
  ): Promise<Success<FlowView>> {
    const acting = actingOperator(operator, context);
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
