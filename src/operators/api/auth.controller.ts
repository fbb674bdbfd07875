import { Body, Controller, Get, HttpCode, HttpStatus, Post, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiPropertyOptional, ApiResponse, ApiTags } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import type { Request, Response } from 'express';
import {
  ApiData,
  ApiErrors,
  CurrentOperator,
  envelope,
  ForOperator,
  Public,
  type OperatorPrincipal,
  type Success,
} from '../../http/index.js';
import { DomainError } from '../../kernel/index.js';
import { FromCall, type CallOrigin } from '../call-origin.js';
import { Invitations } from '../invitations.service.js';
import { LoginService } from '../login.service.js';
import { OidcLogin } from '../oidc-login.service.js';
import { OwnAccount } from '../own-account.service.js';
import { TokenExchange } from '../token-exchange.service.js';
import { AcceptInvitationBody, LoginBody, RefreshBody, SecretExchangeBody, SetupBody } from './auth.dto.js';
import { GrantView } from './auth.view.dto.js';
import {
  clearGrantCookies,
  clearOidcCookie,
  CSRF_HEADER,
  deviceCookie,
  oidcCookie,
  refreshCookie,
  setGrantCookies,
  setOidcCookie,
} from './operator-cookies.js';
import { OperatorView } from './operator.view.dto.js';

/** The errors that every public route with a body has. */

export class OidcStartQuery {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: 'End the login with cookies instead of tokens.',
  })
  @IsOptional()
  @IsIn(['true', 'false'])
  cookie?: string;
}

@ApiTags('Login')
@Controller('operator/auth')
export class AuthController {
  constructor(
    private readonly logins: LoginService,
    private readonly tokens: TokenExchange,
    private readonly invitations: Invitations,
    private readonly oidc: OidcLogin,
    private readonly own: OwnAccount,
  ) {}

  @Post('login')
  @Public()
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'login',
    summary: 'Log in with e-mail, password and second factor',
    description:
      'TOTP_REQUIRED asks for the second factor. After several failures from one address or for one account the ' +
      'answer is RATE_LIMITED for a while.',
  })
  @ApiData(GrantView)
  @ApiErrors('OVERLOADED', 'CREDENTIALS_INVALID', 'TOTP_REQUIRED', 'OPERATOR_DISABLED')
  async login(
    @Body() body: LoginBody,
    @FromCall() from: CallOrigin,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Success<GrantView>> {
    const cookieMode = body.cookie === true;
    const deviceToken = body.deviceToken ?? (cookieMode ? deviceCookie(request) : undefined);
    const { email, password, totp, recoveryCode } = body;
    const grant = await this.logins.logIn({ email, password, totp, recoveryCode, deviceToken }, from);
    if (cookieMode) setGrantCookies(request, response, grant);
    return envelope(GrantView.of(grant, cookieMode));
  }

  @Post('refresh')
  @Public()
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'refresh',
    summary: 'Exchange the refresh token for new tokens',
    description: 'A refresh token is good once. When one comes a second time the session ends.',
  })
  @ApiHeader({ name: CSRF_HEADER, required: false, description: 'In cookie mode: the value of `csrfToken`.' })
  @ApiData(GrantView)
  @ApiErrors('OVERLOADED', 'CREDENTIALS_MISSING', 'CREDENTIALS_INVALID', 'CSRF_TOKEN_INVALID')
  async refresh(
    @Body() body: RefreshBody,
    @FromCall() from: CallOrigin,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Success<GrantView>> {
    const inCookie = body.refreshToken === undefined ? refreshCookie(request) : undefined;
    const token = body.refreshToken ?? inCookie?.token;
    if (token === undefined) throw new DomainError('CREDENTIALS_MISSING');
    const grant = await this.tokens.refresh(token, inCookie?.csrf ?? null, from);
    if (inCookie) setGrantCookies(request, response, grant);
    return envelope(GrantView.of(grant, inCookie !== undefined));
  }

  @Post('logout')
  @ForOperator()
  @HttpCode(HttpStatus.OK)
  @ApiOperation({ operationId: 'logout', summary: 'End this session' })
  @ApiData(null)
  async logout(
    @CurrentOperator() me: OperatorPrincipal,
    @FromCall() from: CallOrigin,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Success<null>> {
    await this.own.logOut(me, from);
    clearGrantCookies(request, response);
    return envelope(null);
  }

  @Post('logout-everywhere')
  @ForOperator()
  @HttpCode(HttpStatus.OK)
  @ApiOperation({ operationId: 'logoutEverywhere', summary: 'End all sessions and forget all devices' })
  @ApiData(null)
  async logoutEverywhere(
    @CurrentOperator() me: OperatorPrincipal,
    @FromCall() from: CallOrigin,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Success<null>> {
    await this.own.logOutEverywhere(me, from);
    clearGrantCookies(request, response);
    return envelope(null);
  }

  @Post('token')
  @Public()
  @HttpCode(HttpStatus.OK)
  @ApiOperation({ operationId: 'exchangeSecret', summary: 'Log in as a machine operator, with its secret' })
  @ApiData(GrantView)
  @ApiErrors('OVERLOADED', 'CREDENTIALS_INVALID', 'OPERATOR_DISABLED')
  async exchangeSecret(
    @Body() body: SecretExchangeBody,
    @FromCall() from: CallOrigin,
  ): Promise<Success<GrantView>> {
    const grant = await this.tokens.exchangeSecret(body.operatorId, body.secret, from);
    return envelope(GrantView.of(grant, false));
  }

  @Post('setup')
  @Public()
  @ApiOperation({
    operationId: 'setUpFirstOperator',
    summary: 'Make the first administrator, with the set-up token',
  })
  @ApiData(OperatorView, { status: HttpStatus.CREATED })
  @ApiErrors('OVERLOADED', 'INVITATION_INVALID', 'STATE_CONFLICT')
  async setup(@Body() body: SetupBody, @FromCall() from: CallOrigin): Promise<Success<OperatorView>> {
    return envelope(OperatorView.of(await this.invitations.accept(body, from)));
  }

  @Post('invitations/accept')
  @Public()
  @ApiOperation({ operationId: 'acceptInvitation', summary: 'Accept an invitation by choosing a password' })
  @ApiData(OperatorView, { status: HttpStatus.CREATED })
  @ApiErrors('OVERLOADED', 'INVITATION_INVALID', 'STATE_CONFLICT')
  async accept(
    @Body() body: AcceptInvitationBody,
    @FromCall() from: CallOrigin,
  ): Promise<Success<OperatorView>> {
    return envelope(OperatorView.of(await this.invitations.accept(body, from)));
  }

  @Get('oidc/login')
  @Public()
  @ApiOperation({
    operationId: 'startOidcLogin',
    summary: 'Log in with the identity provider',
    description: 'For browsers.',
  })
  @ApiResponse({ status: HttpStatus.FOUND, description: 'To the identity provider.' })
  @ApiErrors('IDENTITY_PROVIDER_NOT_CONFIGURED')
  async startOidc(
    @Query() query: OidcStartQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { url, browserToken } = await this.oidc.start(query.cookie === 'true');
    setOidcCookie(request, response, browserToken);
    response.redirect(HttpStatus.FOUND, url);
  }

  @Get('oidc/callback')
  @Public()
  @ApiOperation({
    operationId: 'finishOidcLogin',
    summary: 'Where the identity provider sends the browser back to',
  })
  @ApiData(GrantView)
  @ApiResponse({ status: HttpStatus.SEE_OTHER, description: 'In cookie mode: to the API documentation.' })
  @ApiErrors('CREDENTIALS_INVALID', 'OPERATOR_DISABLED', 'IDENTITY_PROVIDER_NOT_CONFIGURED', 'STATE_CONFLICT')
  async finishOidc(
    // Whatever the provider sends: beside code, state and iss some of them send more.
    @Query() parameters: Record<string, string>,
    @FromCall() from: CallOrigin,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Success<GrantView> | undefined> {
    const sent = new URLSearchParams(parameters);
    const { grant, cookieMode } = await this.oidc.finish(sent, oidcCookie(request), from);
    clearOidcCookie(request, response);
    if (!cookieMode) return envelope(GrantView.of(grant, false));
    setGrantCookies(request, response, grant);
    response.redirect(HttpStatus.SEE_OTHER, '/operator/docs');
    return undefined;
  }
}
