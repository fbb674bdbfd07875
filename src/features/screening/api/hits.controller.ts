import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApprovalView, requestsApproval } from '../../approvals/index.js';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import {
  CurrentOperator,
  cursorKeys,
  envelope,
  forOperator,
  listById,
  page,
  Route,
  PageQuery,
  type OperatorPrincipal,
  type SuccessEnvelope,
} from '../../../platform/http/index.js';
import { requireUuid, uuidInFilter } from '../../../platform/kernel/index.js';
import { HitApprovalsService } from '../hits/hit-approvals.service.js';
import { HitReopeningService } from '../hits/hit-reopening.service.js';
import { HitDispositionService } from '../hits/hit-disposition.service.js';
import type { HitRow } from '../domain/records.js';
import { DispositionBody, FreezeReasonBody, HitsQuery } from './screening.dto.js';
import { ClearedView } from './freeze.dto.js';
import { HitView } from './screening.view.dto.js';

const HIT_ID = {
  name: 'id',
  description: 'The id of the hit.',
  example: 'hit_019364d0c0de7000a000000000000004',
};

/** Serves the hits of screening and the decisions about them. */
@ApiTags('Screening')
@Controller('operator/hits')
export class HitsController {
  constructor(
    private readonly dispositions: HitDispositionService,
    private readonly approvals: HitApprovalsService,
    private readonly hitReopening: HitReopeningService,
  ) {}

  @Route.get('', forOperator('screening:read'), {
    summary: 'Hits, newest first',
    description: 'Filtered by status, list, strength and customer.',
    page: [HitView, 'One page of hits.'],
  })
  async listHits(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Query() { limit, cursor, status, mandatory, listId, customerId, forCustomerId }: HitsQuery,
  ) {
    const [before = null] = cursorKeys(cursor, 'uuid') ?? [];
    const filter = {
      status,
      mandatory,
      listId: uuidInFilter('lst', listId, 'listId'),
      customerId: uuidInFilter('cus', customerId, 'customerId'),
      forCustomerId: uuidInFilter('cus', forCustomerId, 'forCustomerId'),
    };
    const rows = await this.dispositions.page(organisationId, filter, before, limit);
    const views = await this.toViews(rows);
    const byRow = new Map(rows.map((row, i) => [row, views[i]]));
    return page(
      rows,
      limit,
      (row) => [row.id],
      (row) => byRow.get(row) ?? HitView.of(row, null, null),
    );
  }

  @Route.get(':id', forOperator('screening:read'), {
    reads: 'screening_hit',
    summary: 'One hit, with the explanation of its score',
    description: 'Which name was compared with which entry, how the score comes about, and what was decided.',
    params: [HIT_ID],
    data: [HitView, 'The hit.'],
    errors: ['HIT_NOT_FOUND'],
  })
  async getHit(@CurrentOperator() { organisationId }: OperatorPrincipal, @Param('id') id: string) {
    return this.viewOf(await this.dispositions.get(organisationId, hitUuid(id)));
  }

  @Route.post(':id/disposition', forOperator('hits:decide'), {
    summary: 'Decide whether a hit is the person',
    description:
      'CONFIRMED, DISMISSED_FALSE_POSITIVE, or ESCALATED, after which one of the other two follows. A decision is remembered: ' +
      'the same person and entry are no new hit, until the content of the entry changes. What closes a hit that forces a ' +
      'decision is proposed instead.',
    params: [HIT_ID],
    data: [HitView, 'The hit.'],
    errors: ['HIT_NOT_FOUND', 'STATE_CONFLICT', 'FOUR_EYES_REQUIRED'],
  })
  async decideHit(@CurrentActor() ctx: ActorContext, @Param('id') id: string, @Body() body: DispositionBody) {
    return this.viewOf(await this.approvals.decide(ctx, hitUuid(id), body));
  }

  @Route.post(':id/proposals', forOperator('hits:decide'), {
    summary: 'Propose how a hit that forces a decision is closed',
    description:
      'CONFIRMED or DISMISSED_FALSE_POSITIVE; it counts and is remembered when a second person approves it.',
    params: [HIT_ID],
    ...requestsApproval,
    errors: ['HIT_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async proposeDisposition(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() body: DispositionBody,
  ) {
    return envelope(ApprovalView.of(await this.approvals.propose(ctx, hitUuid(id), body)));
  }

  @Route.post(':id/reopen', forOperator('hits:decide'), {
    summary: 'Ask for a disposition to be taken back',
    description:
      'When a second person approves it the hit is open, its memory is over, and every transaction that it let through is ' +
      'judged again.',
    params: [HIT_ID],
    ...requestsApproval,
    errors: ['HIT_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async reopenHit(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() body: FreezeReasonBody,
  ) {
    return envelope(ApprovalView.of(await this.hitReopening.requestReopening(ctx, hitUuid(id), body.reason)));
  }

  @Route.get(':id/cleared', forOperator('screening:read'), {
    reads: 'screening_hit',
    summary: 'Transactions that the dismissal of a hit let through',
    description: 'The newest first; after the hit was reopened, with when each was judged again.',
    params: [HIT_ID],
    page: [ClearedView, 'One page of transactions.'],
    errors: ['HIT_NOT_FOUND'],
  })
  async listCleared(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Param('id') id: string,
    @Query() query: PageQuery,
  ) {
    const { id: hitId } = await this.dispositions.get(organisationId, hitUuid(id));
    return listById(query, ClearedView, (before, limit) =>
      this.hitReopening.listUses(organisationId, hitId, before, limit),
    );
  }

  private async viewOf(row: HitRow): Promise<SuccessEnvelope<HitView>> {
    const [view] = await this.toViews([row]);
    return envelope(view ?? HitView.of(row, null, null));
  }

  private async toViews(rows: readonly HitRow[]): Promise<HitView[]> {
    const explanations = await this.dispositions.readExplanations(rows);
    const justifications = await this.dispositions.readJustifications(rows);
    return rows.map((row, i) => HitView.of(row, explanations[i] ?? null, justifications[i] ?? null));
  }
}

const hitUuid = (id: string): string => requireUuid('hit', id, 'HIT_NOT_FOUND');
