import { Body, Controller, Delete, Get, HttpCode, HttpStatus, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import {
  ApiData,
  ApiErrors,
  ApiOnePage,
  CurrentOperator,
  envelope,
  ForOperator,
  MAX_PAGE_SIZE,
  page,
  type OperatorPrincipal,
  type Page,
  type Success,
} from '../../http/index.js';
import { DomainError, uuidIn } from '../../kernel/index.js';
import { FromCall, type CallOrigin } from '../call-origin.js';
import { OperatorSessions } from '../operator-sessions.js';
import { OwnAccount } from '../own-account.service.js';
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
    private readonly own: OwnAccount,
    private readonly sessions: OperatorSessions,
  ) {}

  @Get()
  @ForOperator()
  @ApiOperation({ operationId: 'me', summary: 'Who is logged in, and what this session may do' })
  @ApiData(MeView)
  @ApiErrors('OPERATOR_NOT_FOUND')
  async me(@CurrentOperator() me: OperatorPrincipal): Promise<Success<MeView>> {
    const account = await this.queries.own(me.organisationId, me.id);
    if (!account) throw new DomainError('OPERATOR_NOT_FOUND');
    return envelope(MeView.of(me, account));
  }

  @Post('password')
  @ForOperator()
  @HttpCode(HttpStatus.OK)
  @ApiOperation({ operationId: 'changePassword', summary: 'Change the password; all other sessions end' })
  @ApiData(null)
  @ApiErrors(...AGAIN_ERRORS)
  async changePassword(
    @CurrentOperator() me: OperatorPrincipal,
    @Body() body: ChangePasswordBody,
    @FromCall() from: CallOrigin,
  ): Promise<Success<null>> {
    await this.own.changePassword(me, body, body.newPassword, from);
    return envelope(null);
  }

  @Post('totp')
  @ForOperator()
  @ApiOperation({
    operationId: 'beginTotp',
    summary: 'Begin to set up a second factor (or another one)',
    description: 'Confirm it within ten minutes with a first code: `POST /operator/me/totp/confirm`.',
  })
  @ApiData(TotpSeedView, { status: HttpStatus.CREATED })
  @ApiErrors(...AGAIN_ERRORS)
  async beginTotp(
    @CurrentOperator() me: OperatorPrincipal,
    @Body() body: ReauthenticationBody,
    @FromCall() from: CallOrigin,
  ): Promise<Success<TotpSeedView>> {
    return envelope(await this.own.beginTotp(me, body, from));
  }

  @Post('totp/confirm')
  @ForOperator()
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'confirmTotp',
    summary: 'Take the second factor into use; all other sessions end and this one is strong',
  })
  @ApiData(RecoveryCodesView)
  @ApiErrors(...AGAIN_ERRORS)
  async confirmTotp(
    @CurrentOperator() me: OperatorPrincipal,
    @Body() body: TotpCodeBody,
    @FromCall() from: CallOrigin,
  ): Promise<Success<RecoveryCodesView>> {
    return envelope({ recoveryCodes: await this.own.confirmTotp(me, body.code, from) });
  }

  @Post('step-up')
  @ForOperator()
  @HttpCode(HttpStatus.OK)
  @ApiOperation({ operationId: 'stepUp', summary: 'Show the second factor now, for a login without' })
  @ApiData(null)
  @ApiErrors(...AGAIN_ERRORS)
  async stepUp(
    @CurrentOperator() me: OperatorPrincipal,
    @Body() body: SecondFactorFields,
    @FromCall() from: CallOrigin,
  ): Promise<Success<null>> {
    await this.own.stepUp(me, body, from);
    return envelope(null);
  }

  @Post('recovery-codes')
  @ForOperator()
  @ApiOperation({
    operationId: 'renewRecoveryCodes',
    summary: 'Make new recovery codes in place of the old ones',
  })
  @ApiData(RecoveryCodesView, { status: HttpStatus.CREATED })
  @ApiErrors(...AGAIN_ERRORS)
  async renewRecoveryCodes(
    @CurrentOperator() me: OperatorPrincipal,
    @Body() body: ReauthenticationBody,
    @FromCall() from: CallOrigin,
  ): Promise<Success<RecoveryCodesView>> {
    return envelope({ recoveryCodes: await this.own.renewRecoveryCodes(me, body, from) });
  }

  @Get('sessions')
  @ForOperator()
  @ApiOperation({ operationId: 'listSessions', summary: 'The own sessions, newest first' })
  @ApiOnePage(OperatorSessionView)
  async listSessions(@CurrentOperator() me: OperatorPrincipal): Promise<Page<OperatorSessionView>> {
    const sessions = await this.sessions.list(me);
    return page(
      sessions,
      MAX_PAGE_SIZE,
      ({ id }) => [id],
      (session) => OperatorSessionView.of(session, me.sessionId),
    );
  }

  @Delete('sessions/:id')
  @ForOperator()
  @ApiOperation({ operationId: 'endSession', summary: 'End one of the own sessions' })
  @ApiParam({ name: 'id', example: 'ops_019364d0c0de7000a000000000000001' })
  @ApiData(null)
  @ApiErrors('OPERATOR_SESSION_NOT_FOUND')
  async endSession(
    @CurrentOperator() me: OperatorPrincipal,
    @Param('id') id: string,
    @FromCall() from: CallOrigin,
  ): Promise<Success<null>> {
    const uuid = uuidIn('ops', id, 'OPERATOR_SESSION_NOT_FOUND');
    await this.own.endSession(me, uuid, from);
    return envelope(null);
  }
}
