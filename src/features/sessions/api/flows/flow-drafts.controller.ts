import { Body, Controller, HttpCode, Param, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import { ApprovalView, requestsApproval } from '../../../approvals/index.js';
import {
  AcceptsBody,
  CurrentOperator,
  envelope,
  forOperator,
  Route,
  type OperatorPrincipal,
} from '../../../../platform/http/index.js';
import { invalid } from '../../../../platform/kernel/index.js';
import { CurrentActor, type SessionActorContext } from '../../actor-context.js';
import { validateFlow } from '../../domain/flow/flow-validation.js';
import { FlowDraftsService } from '../../flows/flow-drafts.service.js';
import { FlowFunnelsService } from '../../flows/flow-funnels.service.js';
import {
  CheckedFlowView,
  FLOW_RULES,
  FlowDifferenceView,
  FlowDraftBody,
  FlowDraftView,
  FunnelQuery,
  FunnelView,
  PreviewView,
  PublishDraftBody,
} from './flow-draft.dto.js';

const FLOW_KEY_FORM = /^[a-z0-9][a-z0-9-]{1,62}$/;
const FLOW_KEY = { name: 'key', description: 'The key of the flow.', example: 'onboarding-pj' };

/** Serves drafts of flows, and the funnels of published flows. */
@ApiTags('Flows')
@Controller('operator/flows')
export class FlowDraftsController {
  constructor(
    private readonly drafts: FlowDraftsService,
    private readonly funnels: FlowFunnelsService,
  ) {}

  @Route.get(':key/draft', forOperator('sessions:read'), {
    summary: 'The draft under a key, with everything that is wrong in it',
    description: 'A draft can be saved with mistakes in it; each is named with its place.',
    params: [FLOW_KEY],
    data: [FlowDraftView, 'The draft.'],
    errors: ['FLOW_NOT_FOUND'],
  })
  async readFlowDraft(@CurrentOperator() { organisationId }: OperatorPrincipal, @Param('key') key: string) {
    return envelope(FlowDraftView.of(await this.drafts.get(organisationId, key)));
  }

  @Route.put(':key/draft', forOperator('flows:manage'), {
    summary: 'Save the draft under a key, whatever is wrong in it',
    description: 'Of a new flow, or of the next version of one. Nothing is verified by a draft.',
    params: [FLOW_KEY],
    data: [FlowDraftView, 'The draft.'],
    errors: ['STATE_CONFLICT'],
  })
  @AcceptsBody(FLOW_RULES)
  async saveFlowDraft(
    @CurrentActor() ctx: SessionActorContext,
    @Param('key') key: string,
    @Body() { definition, sample = {}, revision }: FlowDraftBody,
  ) {
    return envelope(
      FlowDraftView.of(await this.drafts.save(ctx, flowKey(key), definition, sample, revision ?? null)),
    );
  }

  @Route.delete(':key/draft', forOperator('flows:manage'), {
    summary: 'Give a draft up',
    description: 'Published versions stay as they are.',
    params: [FLOW_KEY],
    status: 204,
    errors: ['FLOW_NOT_FOUND'],
  })
  @ApiNoContentResponse({ description: 'The draft is given up.' })
  async discardFlowDraft(@CurrentActor() ctx: SessionActorContext, @Param('key') key: string) {
    await this.drafts.discard(ctx, key);
  }

  @Route.get(':key/draft/difference', forOperator('sessions:read'), {
    summary: 'What a draft changes of the version in use',
    description: 'Member by member, against the newest published version.',
    params: [FLOW_KEY],
    data: [FlowDifferenceView, 'The differences.'],
    errors: ['FLOW_NOT_FOUND', 'VALIDATION_FAILED'],
  })
  async compareFlowDraft(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Param('key') key: string,
  ) {
    return envelope(await this.drafts.compareWithPublished(organisationId, key));
  }

  @Route.post(':key/draft/preview', forOperator('flows:manage'), {
    summary: 'A link at which the draft can be looked at, with sample answers',
    description: 'For a day. What is typed there is kept nowhere.',
    params: [FLOW_KEY],
    data: [PreviewView, 'The link of the preview.'],
    errors: ['FLOW_NOT_FOUND', 'VALIDATION_FAILED'],
  })
  async previewFlowDraft(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Param('key') key: string,
  ) {
    const { url, expiresAt } = await this.drafts.preview(organisationId, key);
    return envelope({ url, expiresAt: expiresAt.toISOString() });
  }

  @Route.post(':key/draft/publish', forOperator('flows:manage'), {
    summary: 'Put a draft up for publication',
    description: 'When a second person approves it, new sessions go through it. The draft stays.',
    params: [FLOW_KEY],
    ...requestsApproval,
    errors: ['FLOW_NOT_FOUND', 'FOUR_EYES_REQUIRED', 'STATE_CONFLICT'],
  })
  async publishFlowDraft(
    @CurrentActor() ctx: SessionActorContext,
    @Param('key') key: string,
    @Body() { revision, reason }: PublishDraftBody,
  ) {
    return envelope(ApprovalView.of(await this.drafts.publish(ctx, key, revision, reason)));
  }

  @Route.post('check', forOperator('flows:manage'), {
    summary: 'Judge a flow without saving it',
    description: 'Names everything that is wrong, each with its place and a stable code.',
    data: [CheckedFlowView, 'The verdict on the flow, with every problem.'],
  })
  @AcceptsBody(FLOW_RULES)
  @HttpCode(200)
  checkFlow(@Body() { definition }: FlowDraftBody) {
    const problems = validateFlow(definition);
    return envelope({ valid: problems.length === 0, problems });
  }

  @Route.get(':key/funnel', forOperator('sessions:read'), {
    summary: 'How people get on with each step of a flow',
    description: 'How many people reached and finished each step, and how long that took.',
    params: [FLOW_KEY],
    data: [FunnelView, 'The funnel.'],
    errors: ['FLOW_NOT_FOUND'],
  })
  async readFunnel(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Param('key') key: string,
    @Query() { version, days = 30 }: FunnelQuery,
  ) {
    return envelope(await this.funnels.read(organisationId, key, version ?? null, days));
  }
}

/** Throws VALIDATION_FAILED if the text is not the key of a flow. */
function flowKey(key: string): string {
  if (FLOW_KEY_FORM.test(key)) return key;
  throw invalid('key', 'PATTERN_MISMATCH', 'Must be small letters, digits and hyphens.');
}
