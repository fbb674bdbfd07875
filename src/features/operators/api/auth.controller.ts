import { Body, Controller, HttpStatus, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import {
  CurrentOperator,
  envelope,
  Field,
  forEverybody,
  forOperator,
  Route,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { DomainError } from '../../../platform/kernel/index.js';
import { FromCall, type CallOrigin } from '../call-origin.js';
import { InvitationsService } from '../accounts/invitations.service.js';
import { LoginService } from '../login/login.service.js';
import { isCookieModeState, OidcLoginService } from '../login/oidc-login.service.js';
import { OwnAccountService } from '../accounts/own-account.service.js';
import { TokenExchangeService } from '../login/token-exchange.service.js';
import {
  AcceptInvitationBody,
  LoginBody,
  ORGANISATION_KEY,
  RefreshBody,
  SecretExchangeBody,
  SetupBody,
} from './auth.dto.js';
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

export class OidcStartQuery {
  @Field.text('Key of the organisation, where one person belongs to several.', ORGANISATION_KEY)
  organisation?: string;

  @Field.text('The token of an invitation, which this login accepts.', { optional: true, maxLength: 64 })
  invitation?: string;

  @Field.enum(['true', 'false'], 'End the login with cookies instead of tokens.', { optional: true })
  cookie?: string;
}

@ApiTags('Login')
@Controller('operator/auth')
export class AuthController {
  constructor(
    private readonly logins: LoginService,
    private readonly tokens: TokenExchangeService,
    private readonly invitations: InvitationsService,
    private readonly oidc: OidcLoginService,
    private readonly ownAccount: OwnAccountService,
  ) {}

  @Route.post('login', forEverybody, {
    summary: 'Log in with e-mail, password and second factor',
    description:
      'Whoever belongs to several organisations names one by `organisation`; without it the password is that of the ' +
      'account which is the oldest. TOTP_REQUIRED asks for the second factor: a code, or a ' +
      'passkey (`POST /operator/auth/passkeys/options`). After several failures from one address or for one account the ' +
      'answer is RATE_LIMITED for a while.',
    data: [GrantView, 'The tokens of the session.'],
    errors: ['OVERLOADED', 'CREDENTIALS_INVALID', 'TOTP_REQUIRED', 'OPERATOR_DISABLED'],
  })
  async login(
    @Body() body: LoginBody,
    @FromCall() from: CallOrigin,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const cookieMode = body.cookie === true;
    const deviceToken = body.deviceToken ?? (cookieMode ? deviceCookie(request) : undefined);
    const { email, password, organisation, totp, recoveryCode, passkey } = body;
    const grant = await this.logins.logIn(
      { email, password, organisation, totp, recoveryCode, passkey, deviceToken },
      from,
    );
    if (cookieMode) setGrantCookies(request, response, grant);
    return envelope(GrantView.of(grant, cookieMode));
  }

  @Route.post('refresh', forEverybody, {
    summary: 'Exchange the refresh token for new tokens',
    description: 'A refresh token is good once. When one comes a second time the session ends.',
    data: [GrantView, 'The tokens of the session.'],
    errors: ['OVERLOADED', 'CREDENTIALS_MISSING', 'CREDENTIALS_INVALID', 'CSRF_TOKEN_INVALID'],
  })
  @ApiHeader({ name: CSRF_HEADER, required: false, description: 'In cookie mode: the value of `csrfToken`.' })
  async refresh(
    @Body() body: RefreshBody,
    @FromCall() from: CallOrigin,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const inCookie = body.refreshToken === undefined ? refreshCookie(request) : undefined;
    const token = body.refreshToken ?? inCookie?.token;
    if (token === undefined) throw new DomainError('CREDENTIALS_MISSING');
    const grant = await this.tokens.refresh(token, inCookie?.csrf ?? null, from);
    if (inCookie) setGrantCookies(request, response, grant);
    return envelope(GrantView.of(grant, inCookie !== undefined));
  }

  @Route.post('logout', forOperator(), {
    summary: 'End this session',
    description: 'The tokens of this session are refused from then on.',
    data: [null, 'The session has ended.'],
  })
  async logout(
    @CurrentOperator() me: OperatorPrincipal,
    @FromCall() from: CallOrigin,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    await this.ownAccount.logOut(me, from);
    clearGrantCookies(request, response);
    return envelope(null);
  }

  @Route.post('logout-everywhere', forOperator(), {
    summary: 'End all sessions and forget all devices',
    description: 'Also this one. A device has to show the second factor again.',
    data: [null, 'All sessions have ended.'],
  })
  async logoutEverywhere(
    @CurrentOperator() me: OperatorPrincipal,
    @FromCall() from: CallOrigin,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    await this.ownAccount.logOutEverywhere(me, from);
    clearGrantCookies(request, response);
    return envelope(null);
  }

  @Route.post('token', forEverybody, {
    summary: 'Log in as a machine operator, with its secret',
    description:
      'There is no refresh token: a machine comes back with its secret when the access token has expired.',
    data: [GrantView, 'The tokens of the session.'],
    errors: ['OVERLOADED', 'CREDENTIALS_INVALID', 'OPERATOR_DISABLED'],
  })
  async exchangeSecret(@Body() body: SecretExchangeBody, @FromCall() from: CallOrigin) {
    const grant = await this.tokens.exchangeSecret(body.operatorId, body.secret, from);
    return envelope(GrantView.of(grant, false));
  }

  @Route.post('setup', forEverybody, {
    summary: 'Make the first administrator, with the set-up token',
    description:
      'Works once, in an organisation without operators. `vigia operators setup-token` prints the token.',
    data: [OperatorView, 'The new administrator.'],
    status: 201,
    errors: ['OVERLOADED', 'INVITATION_INVALID', 'STATE_CONFLICT'],
  })
  async setUpFirstOperator(@Body() body: SetupBody, @FromCall() from: CallOrigin) {
    return envelope(OperatorView.of(await this.invitations.accept(body, from)));
  }

  @Route.post('invitations/accept', forEverybody, {
    summary: 'Accept an invitation by choosing a password',
    description: 'The invitation is used up. The new operator logs in next and sets up a second factor.',
    data: [OperatorView, 'The new operator.'],
    status: 201,
    errors: ['OVERLOADED', 'INVITATION_INVALID', 'STATE_CONFLICT'],
  })
  async acceptInvitation(@Body() body: AcceptInvitationBody, @FromCall() from: CallOrigin) {
    return envelope(OperatorView.of(await this.invitations.accept(body, from)));
  }

  @Route.get('oidc/login', forEverybody, {
    summary: 'Log in with the identity provider',
    description: 'For browsers.',
    errors: ['IDENTITY_PROVIDER_NOT_CONFIGURED', 'INVITATION_INVALID'],
  })
  @ApiResponse({ status: HttpStatus.FOUND, description: 'To the identity provider.' })
  async startOidcLogin(@Query() query: OidcStartQuery, @Req() request: Request, @Res() response: Response) {
    const { url, browserToken } = await this.oidc.start({
      cookieMode: query.cookie === 'true',
      organisation: query.organisation,
      invitation: query.invitation,
    });
    setOidcCookie(request, response, browserToken);
    response.redirect(HttpStatus.FOUND, url);
  }

  @Route.get('oidc/callback', forEverybody, {
    summary: 'Where the identity provider sends the browser back to',
    description:
      'For browsers. The answer of the provider is checked against the login that this browser began. A login that ' +
      'began in cookie mode ends at the console, also when it is refused: `refused` of the address is the code of the ' +
      'error then, `request` the id of the request.',
    data: [GrantView, 'The tokens of the session.'],
    errors: [
      'CREDENTIALS_INVALID',
      'INVITATION_INVALID',
      'OPERATOR_DISABLED',
      'IDENTITY_PROVIDER_NOT_CONFIGURED',
      'STATE_CONFLICT',
    ],
  })
  @ApiResponse({ status: HttpStatus.SEE_OTHER, description: 'In cookie mode: to the console.' })
  async finishOidcLogin(
    // Accepts any query parameters: some providers send more than code, state and iss.
    @Query() parameters: Record<string, string>,
    @FromCall() from: CallOrigin,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const sent = new URLSearchParams(parameters);
    const cookieMode = isCookieModeState(sent.get('state'));
    const finished = await this.oidc.finish(sent, oidcCookie(request), from).catch((error: unknown) => {
      if (cookieMode && error instanceof DomainError) return error;
      throw error;
    });
    if (finished instanceof DomainError) {
      // Redirects to the console, which explains the code: a person sees this answer.
      const why = new URLSearchParams({ refused: finished.code });
      if (from.requestId !== null) why.set('request', from.requestId);
      response.redirect(HttpStatus.SEE_OTHER, `/console?${why.toString()}`);
      return undefined;
    }
    clearOidcCookie(request, response);
    if (!finished.cookieMode) return envelope(GrantView.of(finished.grant, false));
    setGrantCookies(request, response, finished.grant);
    response.redirect(HttpStatus.SEE_OTHER, '/console');
    return undefined;
  }
}
