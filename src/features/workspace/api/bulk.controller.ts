import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import { envelope, forOperator, Route } from '../../../platform/http/index.js';
import { uuidOf } from '../../../platform/kernel/index.js';
import { BulkDecisionsService } from '../bulk/bulk-decisions.service.js';
import { BulkDecisionBody, BulkDispositionBody, BulkView } from './bulk.dto.js';

/** Makes the same decision about many cases or hits. */
@ApiTags('Workspace')
@Controller('operator')
export class BulkController {
  constructor(private readonly bulkDecisions: BulkDecisionsService) {}

  @Route.post('reviews/decisions', forOperator('reviews:decide'), {
    summary: 'Propose the same end for many cases about missing data',
    description:
      'Each is a request of its own that somebody else approves; one that cannot be is named and holds up no other. With ' +
      '`preview` nothing is done.',
    data: [BulkView, 'The outcome for each of them.'],
  })
  async decideReviews(
    @CurrentActor() ctx: ActorContext,
    @Body() { reviewIds, preview = false, ...body }: BulkDecisionBody,
  ) {
    const ids = reviewIds.flatMap((id) => uuidOf('rev', id) ?? []);
    const { resolution, report, justification, withoutRelated } = body;
    const decision = { resolution, report, justification, withoutRelated };
    const items = await this.bulkDecisions.proposeClosingGaps(ctx, ids, decision, preview);
    return envelope(BulkView.of('rev', preview, items));
  }

  @Route.post('hits/proposals', forOperator('hits:decide'), {
    summary: 'Propose the same disposition for many hits of one entry of a list',
    description: 'As for cases; hits of another entry than the first one are refused.',
    data: [BulkView, 'The outcome for each of them.'],
  })
  async proposeDispositions(
    @CurrentActor() ctx: ActorContext,
    @Body() { hitIds, preview = false, disposition, justification }: BulkDispositionBody,
  ) {
    const ids = hitIds.flatMap((id) => uuidOf('hit', id) ?? []);
    const items = await this.bulkDecisions.proposeEqualDispositions(
      ctx,
      ids,
      { disposition, justification },
      preview,
    );
    return envelope(BulkView.of('hit', preview, items));
  }
}
