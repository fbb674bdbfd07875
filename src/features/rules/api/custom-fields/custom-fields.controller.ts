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
import { CustomFieldsService } from '../../custom-fields/custom-fields.service.js';
import {
  fieldsOf,
  CustomFieldBackfillParams,
  CustomFieldBackfillView,
  CustomFieldsBody,
  CustomFieldSchemaView,
} from './custom-fields.dto.js';

/** Custom fields: types for metadata keys of an institution's transactions. */
@ApiTags('Custom fields')
@Controller('operator/custom-fields')
export class CustomFieldsController {
  constructor(private readonly customFields: CustomFieldsService) {}

  @Route.get('', forOperator('rules:read'), {
    summary: 'The custom fields, as they are in force',
    description:
      'Which members of `metadata` the institution has given a name and a type for rules and windows.',
    data: [CustomFieldSchemaView, 'The fields in force.'],
  })
  async getCustomFields(@CurrentOperator() { organisationId }: OperatorPrincipal) {
    return envelope(CustomFieldSchemaView.of(await this.customFields.findCurrent(organisationId)));
  }

  @Route.get('versions', forOperator('rules:read'), {
    summary: 'Versions of the fields, the newest first',
    description: 'Each with its author and fields.',
    page: [CustomFieldSchemaView, 'One page of versions.'],
  })
  async listCustomFields(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Query() query: PageQuery,
  ) {
    return listById(query, CustomFieldSchemaView, (before, limit) =>
      this.customFields.listVersions(organisationId, before, limit),
    );
  }

  @Route.post('', forOperator('rules:publish'), {
    summary: 'Ask for other custom fields',
    description:
      'All of them: what is left out is given up. In force in every process within a second of the approval by a second ' +
      'person. Values that are kept for windows from then on are taken from earlier transactions in the background; until ' +
      'that is done, aggregates over them are indeterminate.',
    ...requestsApproval,
    errors: ['STATE_CONFLICT'],
  })
  async changeCustomFields(@CurrentActor() ctx: ActorContext, @Body() body: CustomFieldsBody) {
    return envelope(ApprovalView.of(await this.customFields.request(ctx, fieldsOf(body), body.reason)));
  }

  @Route.get('backfills', forOperator('rules:read'), {
    summary: 'How far the values of earlier transactions are taken, the newest first',
    description: 'A new field is also read from transactions that were submitted before it.',
    page: [CustomFieldBackfillView, 'One page of back-fills.'],
  })
  async listCustomFieldBackfills(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Query() query: PageQuery,
  ) {
    return listById(query, CustomFieldBackfillView, (before, limit) =>
      this.customFields.listBackfills(organisationId, before, limit),
    );
  }

  @Route.post('backfills/:id/retry', forOperator('rules:write'), {
    summary: 'Take up a back-fill again that failed',
    description: 'It goes on where it stopped.',
    data: [CustomFieldBackfillView, 'The back-fill.'],
    errors: ['BACKFILL_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async retryCustomFieldBackfill(
    @CurrentActor() ctx: ActorContext,
    @Param() { id }: CustomFieldBackfillParams,
  ) {
    const uuid = requireUuid('cfb', id, 'BACKFILL_NOT_FOUND');
    return envelope(CustomFieldBackfillView.of(await this.customFields.retry(ctx, uuid)));
  }
}
