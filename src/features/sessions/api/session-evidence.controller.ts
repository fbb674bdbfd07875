import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { WhyBody } from '../../customers/index.js';
import {
  CurrentOperator,
  envelope,
  forOperator,
  Route,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { CurrentActor, type SessionActorContext } from '../actor-context.js';
import { SessionEvidenceReaderService } from '../evidence/session-evidence-reader.service.js';
import { SessionReaderService } from '../link/session-reader.service.js';
import { SESSION_PATH_ID } from './session.dto.js';
import { SessionEvidenceView } from './session-evidence.view.dto.js';

@ApiTags('Verification sessions')
@Controller('operator/kyc-sessions')
export class SessionEvidenceController {
  constructor(
    private readonly reader: SessionReaderService,
    private readonly evidence: SessionEvidenceReaderService,
  ) {}

  @Route.get(':id/evidence', forOperator('sessions:read'), {
    reads: 'session',
    summary: 'What was answered and uploaded in a session, by step, and what the checks found',
    description:
      'Documents, addresses and free texts are masked. The files themselves need `artifacts:read`, and looking at one ' +
      'leaves an entry in its trail.',
    params: [SESSION_PATH_ID],
    data: [SessionEvidenceView, 'The evidence of the session.'],
    errors: ['SESSION_NOT_FOUND'],
  })
  async getSessionEvidence(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Param('id') id: string,
  ) {
    const session = await this.reader.find(organisationId, id);
    return envelope(SessionEvidenceView.of(await this.evidence.readMasked(session)));
  }

  @Route.post(':id/evidence/reveal', forOperator('customers:reveal'), {
    summary: 'The answers of a session in full',
    description:
      'Of a session that is COMPLETED. Who asked, and that they had a reason, stands in the trail of the session.',
    params: [SESSION_PATH_ID],
    data: [SessionEvidenceView, 'The evidence of the session.'],
    errors: ['SESSION_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async revealSessionEvidence(
    @CurrentActor() ctx: SessionActorContext,
    @Param('id') id: string,
    @Body() { reason }: WhyBody,
  ) {
    const session = await this.reader.find(ctx.organisationId, id);
    return envelope(SessionEvidenceView.of(await this.evidence.readRevealed(ctx, session, reason)));
  }
}
