import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApprovalView, requestsApproval } from '../../../approvals/index.js';
import { CurrentActor, type ActorContext } from '../../../audit/index.js';
import {
  CurrentOperator,
  envelope,
  forOperator,
  listById,
  PageQuery,
  Route,
  type OperatorPrincipal,
} from '../../../../platform/http/index.js';
import { requireUuid } from '../../../../platform/kernel/index.js';
import { HouseFieldsService } from '../../house/house-fields.service.js';
import {
  fieldsOf,
  HouseBackfillParams,
  HouseBackfillView,
  HouseFieldsBody,
  HouseSchemaView,
} from './house-fields.dto.js';

/** House fields: types for metadata keys of an institution's transactions. */
@ApiTags('House fields')
@Controller('operator/house-fields')
export class HouseFieldsController {
  constructor(private readonly house: HouseFieldsService) {}

  @Route.get('', forOperator('rules:read'), {
    summary: 'The fields of the house, as they are in force',
    description:
      'Which members of `metadata` the institution has given a name and a type for rules and windows.',
    data: [HouseSchemaView, 'The fields in force.'],
  })
  async getHouseFields(@CurrentOperator() { organisationId }: OperatorPrincipal) {
    return envelope(HouseSchemaView.of(await this.house.findCurrent(organisationId)));
  }

  @Route.get('versions', forOperator('rules:read'), {
    summary: 'Versions of the fields, the newest first',
    description: 'Each with its author and fields.',
    page: [HouseSchemaView, 'One page of versions.'],
  })
  async listHouseFields(@CurrentOperator() { organisationId }: OperatorPrincipal, @Query() query: PageQuery) {
    return listById(query, HouseSchemaView, (before, limit) =>
      this.house.listVersions(organisationId, before, limit),
    );
  }

  @Route.post('', forOperator('rules:publish'), {
    summary: 'Ask for other fields of the house',
    description:
      'All of them: what is left out is given up. In force in every process within a second of the approval by a second ' +
      'person. Values that are kept for windows from then on are taken from earlier transactions in the background; until ' +
      'that is done, aggregates over them are indeterminate.',
    ...requestsApproval,
    errors: ['STATE_CONFLICT'],
  })
  async changeHouseFields(@CurrentActor() ctx: ActorContext, @Body() body: HouseFieldsBody) {
    return envelope(ApprovalView.of(await this.house.request(ctx, fieldsOf(body), body.reason)));
  }

  @Route.get('backfills', forOperator('rules:read'), {
    summary: 'How far the values of earlier transactions are taken, the newest first',
    description: 'A new field is also read from transactions that were submitted before it.',
    page: [HouseBackfillView, 'One page of back-fills.'],
  })
  async listHouseBackfills(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Query() query: PageQuery,
  ) {
    return listById(query, HouseBackfillView, (before, limit) =>
      this.house.listBackfills(organisationId, before, limit),
    );
  }

  @Route.post('backfills/:id/retry', forOperator('rules:write'), {
    summary: 'Take up a back-fill again that failed',
    description: 'It goes on where it stopped.',
    data: [HouseBackfillView, 'The back-fill.'],
    errors: ['BACKFILL_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async retryHouseBackfill(@CurrentActor() ctx: ActorContext, @Param() { id }: HouseBackfillParams) {
    const uuid = requireUuid('hbf', id, 'BACKFILL_NOT_FOUND');
    return envelope(HouseBackfillView.of(await this.house.retry(ctx, uuid)));
  }
}
