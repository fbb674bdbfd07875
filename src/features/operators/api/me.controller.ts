import { Body, Controller, Param } from '@nestjs/common';
import { SecondPersonService } from '../../approvals/index.js';
import { ApiTags } from '@nestjs/swagger';
import {
  ApiOnePage,
  CurrentOperator,
  envelope,
  forOperator,
  MAX_PAGE_SIZE,
  page,
  Route,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { orThrow, requireUuid } from '../../../platform/kernel/index.js';
import { FromCall, type CallOrigin } from '../call-origin.js';
import { OperatorSessionsService } from '../sessions/operator-sessions.service.js';
import { OwnAccountService } from '../accounts/own-account.service.js';
import { OperatorQueries } from '../store/operator.queries.js';
import { ChangePasswordBody, ReauthenticationBody, SecondFactorFields, TotpCodeBody } from './auth.dto.js';
import { RecoveryCodesView, TotpSeedView } from './auth.view.dto.js';
import { MeView } from './me.view.dto.js';
import { OperatorSessionView } from './operator.view.dto.js';

const AGAIN_ERRORS = ['PERMISSION_DENIED', 'STATE_CONFLICT', 'OVERLOADED'] as const;

@ApiTags('Me')
@Controller('operator/me')
export class MeController {
  constructor(
    private readonly queries: OperatorQueries,
    private readonly ownAccount: OwnAccountService,
    private readonly sessions: OperatorSessionsService,
    private readonly secondPerson: SecondPersonService,
  ) {}

  @Route.get('', forOperator(), {
    summary: 'Who is logged in, and what this session may do',
    description:
      'Account, organisation, roles and permissions, and whether the login was with a second factor.',
    data: [MeView, 'The account and this session.'],
    errors: ['OPERATOR_NOT_FOUND'],
  })
  async me(@CurrentOperator() me: OperatorPrincipal) {
    const account = orThrow(
      await this.queries.readOwnAccount(me.organisationId, me.id),
      'OPERATOR_NOT_FOUND',
    );
    const { singleControl: alone } = await this.secondPerson.findControl(me.organisationId);
    return envelope(MeView.of(me, account, alone));
  }

  @Route.post('password', forOperator(), {
    summary: 'Change the password; all other sessions end',
    description: 'Asks for the present password or a second factor again.',
    data: [null, 'The password is changed.'],
    errors: [...AGAIN_ERRORS],
  })
  async changePassword(
    @CurrentOperator() me: OperatorPrincipal,
    @Body() body: ChangePasswordBody,
    @FromCall() from: CallOrigin,
  ) {
    await this.ownAccount.changePassword(me, body, body.newPassword, from);
    return envelope(null);
  }

  @Route.post('totp', forOperator(), {
    summary: 'Begin to set up a second factor (or another one)',
    description: 'Confirm it within ten minutes with a first code: `POST /operator/me/totp/confirm`.',
    data: [TotpSeedView, 'The seed, for an authenticator app.'],
    status: 201,
    errors: [...AGAIN_ERRORS],
  })
  async beginTotp(
    @CurrentOperator() me: OperatorPrincipal,
    @Body() body: ReauthenticationBody,
    @FromCall() from: CallOrigin,
  ) {
    return envelope(await this.ownAccount.beginTotp(me, body, from));
  }

  @Route.post('totp/confirm', forOperator(), {
    summary: 'Take the second factor into use; all other sessions end and this one is strong',
    description:
      'The recovery codes in the answer are shown once; each replaces one code of the second factor.',
    data: [RecoveryCodesView, 'The recovery codes, which are shown once.'],
    errors: [...AGAIN_ERRORS],
  })
  async confirmTotp(
    @CurrentOperator() me: OperatorPrincipal,
    @Body() body: TotpCodeBody,
    @FromCall() from: CallOrigin,
  ) {
    return envelope({ recoveryCodes: await this.ownAccount.confirmTotp(me, body.code, from) });
  }

  @Route.post('step-up', forOperator(), {
    summary: 'Show the second factor now, for a login without',
    description: 'The session is strong from then on, as after a login with a second factor.',
    data: [null, 'The session is strong now.'],
    errors: [...AGAIN_ERRORS],
  })
  async stepUp(
    @CurrentOperator() me: OperatorPrincipal,
    @Body() body: SecondFactorFields,
    @FromCall() from: CallOrigin,
  ) {
    await this.ownAccount.stepUp(me, body, from);
    return envelope(null);
  }

  @Route.post('recovery-codes', forOperator(), {
    summary: 'Make new recovery codes in place of the old ones',
    description: 'Those that were shown before are refused from then on.',
    data: [RecoveryCodesView, 'The recovery codes, which are shown once.'],
    status: 201,
    errors: [...AGAIN_ERRORS],
  })
  async renewRecoveryCodes(
    @CurrentOperator() me: OperatorPrincipal,
    @Body() body: ReauthenticationBody,
    @FromCall() from: CallOrigin,
  ) {
    return envelope({ recoveryCodes: await this.ownAccount.renewRecoveryCodes(me, body, from) });
  }

  @Route.get('sessions', forOperator(), {
    summary: 'The own sessions, newest first',
    description:
      'Where the caller is logged in, with address, program and last use; `current` marks this session.',
  })
  @ApiOnePage(OperatorSessionView, 'All sessions of the caller that are open.')
  async listOwnSessions(@CurrentOperator() me: OperatorPrincipal) {
    const sessions = await this.sessions.list(me);
    return page(
      sessions,
      MAX_PAGE_SIZE,
      ({ id }) => [id],
      (session) => OperatorSessionView.of(session, me.sessionId),
    );
  }

  @Route.delete('sessions/:id', forOperator(), {
    summary: 'End one of the own sessions',
    description: 'Its tokens are refused from then on.',
    params: [
      { name: 'id', description: 'The id of the login.', example: 'ops_019364d0c0de7000a000000000000001' },
    ],
    data: [null, 'The session has ended.'],
    errors: ['OPERATOR_SESSION_NOT_FOUND'],
  })
  async endSession(
    @CurrentOperator() me: OperatorPrincipal,
    @Param('id') id: string,
    @FromCall() from: CallOrigin,
  ) {
    const uuid = requireUuid('ops', id, 'OPERATOR_SESSION_NOT_FOUND');
    await this.ownAccount.endSession(me, uuid, from);
    return envelope(null);
  }
}
