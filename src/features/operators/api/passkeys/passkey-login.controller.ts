import { Body, Controller, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { envelope, Field, forEverybody, Route } from '../../../../platform/http/index.js';
import { FromCall, type CallOrigin } from '../../call-origin.js';
import { PasskeyLoginService } from '../../passkeys/passkey-login.service.js';
import { GrantView } from '../auth.view.dto.js';
import { AssertionBody } from './credential.dto.js';
import { setGrantCookies } from '../operator-cookies.js';
import { PasskeyOptionsBody, RequestOptionsView } from './passkeys.dto.js';

export class PasskeyLoginBody {
  @Field.object(() => AssertionBody, 'What the browser hands over of the passkey.') credential: AssertionBody;

  @Field.flag('Keep the refresh token in an httpOnly cookie instead of giving it; for browsers.', {
    optional: true,
    default: false,
  })
  cookie?: boolean;
}

@ApiTags('Login')
@Controller('operator/auth/passkeys')
export class PasskeyLoginController {
  constructor(private readonly logins: PasskeyLoginService) {}

  @Route.post('options', forEverybody, {
    summary: 'Options for logging in with a passkey, or for one beside a password',
    description:
      'They name no account. Send what the browser signs to `POST /operator/auth/passkeys/verify`, or as `passkey` ' +
      'with the password to `POST /operator/auth/login`.',
    data: [RequestOptionsView, 'Options for `navigator.credentials.get`.'],
    status: 201,
    errors: ['PASSKEYS_NOT_CONFIGURED'],
  })
  async passkeyOptions(@Body() { userVerification }: PasskeyOptionsBody) {
    return envelope({ publicKey: await this.logins.start(userVerification) });
  }

  @Route.post('verify', forEverybody, {
    summary: 'Log in with a passkey alone',
    description:
      'The authenticator has to have verified its owner (PIN, finger or face); the login then counts as one with a ' +
      'second factor. Not for accounts of the identity provider.',
    data: [GrantView, 'The tokens of the session.'],
    errors: ['CREDENTIALS_INVALID', 'OPERATOR_DISABLED', 'PASSKEYS_NOT_CONFIGURED'],
  })
  async passkeyLogin(
    @Body() { credential, cookie }: PasskeyLoginBody,
    @FromCall() from: CallOrigin,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const grant = await this.logins.logIn(credential, from);
    if (cookie === true) setGrantCookies(request, response, grant);
    return envelope(GrantView.of(grant, cookie === true));
  }
}
