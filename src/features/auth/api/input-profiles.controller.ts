import { Body, Controller, Param } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { ApprovalView, requestsApproval } from '../../approvals/index.js';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import { envelope, Field, forOperator, Route } from '../../../platform/http/index.js';
import { requireUuid } from '../../../platform/kernel/index.js';
import { inputNames, type InputName } from '../../../platform/kernel/reference/inputs.js';
import { InputProfilesService } from '../inputs/input-profiles.service.js';

export class InputProfileBody {
  @Field.enums(inputNames, 'All that it does not send.', { example: ['DICT', 'DEVICE'] })
  withoutInputs: InputName[];

  @Field.string('Why the application cannot send it.', {
    minLength: 10,
    maxLength: 2000,
    example: 'The core banking system knows no devices before the release of March.',
  })
  reason: string;
}

/** Changes the list of inputs that an application does not send. */
@ApiTags('Client applications')
@Controller('operator/client-apps')
export class InputProfilesController {
  constructor(private readonly inputs: InputProfilesService) {}

  @Route.post(':id/inputs', forOperator('rules:publish'), {
    summary: 'Ask that transactions of an application are judged without what it does not send',
    description:
      'In force in every process within a second of the approval by a second person. A rule that lacks just such an ' +
      'input then sends no transaction to a person; each result names what it did without (`withoutInputs`, `exempt`). ' +
      'What is sent all the same is used. `PATCH` takes inputs out of the list: one person.',
    ...requestsApproval,
    errors: ['APP_NOT_FOUND', 'STATE_CONFLICT'],
  })
  @ApiParam({
    name: 'id',
    description: 'The id of the client application.',
    example: 'app_019364d0c0de7000a000000000000001',
  })
  async requestInputs(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { withoutInputs, reason }: InputProfileBody,
  ) {
    const uuid = requireUuid('app', id, 'APP_NOT_FOUND');
    return envelope(ApprovalView.of(await this.inputs.request(ctx, uuid, withoutInputs, reason)));
  }
}
