import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CurrentOperator,
  envelope,
  forOperator,
  Route,
  type OperatorPrincipal,
} from '../../../../platform/http/index.js';
import { CurrentActor, type SessionActorContext } from '../../actor-context.js';
import { PrivacyNoticesService } from '../../privacy-notices.service.js';
import {
  CurrentPrivacyNoticeView,
  PrivacyNoticeBody,
  PrivacyNoticeVersionView,
} from './privacy-notice.dto.js';

/** Serves the privacy notice of the hosted page. */
@ApiTags('Privacy notice')
@Controller('operator/privacy-notice')
export class PrivacyNoticeController {
  constructor(private readonly notices: PrivacyNoticesService) {}

  @Route.get('', forOperator('sessions:read'), {
    summary: 'The privacy notice that new sessions show',
    description: 'In all its languages, with its version. A session keeps the version that the person read.',
    data: [CurrentPrivacyNoticeView, 'The notice; null while there is none.'],
  })
  async readPrivacyNotice(@CurrentOperator() { organisationId }: OperatorPrincipal) {
    const current = await this.notices.findCurrent(organisationId);
    return envelope({ current: current && PrivacyNoticeVersionView.of(current) });
  }

  @Route.put('', forOperator('settings:manage'), {
    summary: 'Publish the next version of the privacy notice',
    description: 'New sessions show it; a session keeps the version that it was made with, and says so.',
    data: [PrivacyNoticeVersionView, 'The version of the notice.'],
    errors: ['STATE_CONFLICT'],
  })
  async publishPrivacyNotice(@CurrentActor() ctx: SessionActorContext, @Body() body: PrivacyNoticeBody) {
    return envelope(PrivacyNoticeVersionView.of(await this.notices.publish(ctx, body)));
  }
}
