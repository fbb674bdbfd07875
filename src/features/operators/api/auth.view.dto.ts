import { View } from '../../../platform/http/index.js';
import { publicId } from '../../../platform/kernel/index.js';
import type { LoginGrant } from '../sessions/login-token-issuer.js';

/** The response to a login. In cookie mode refresh token and device token are sent as cookies and are null here. */
export class GrantView {
  @View.text('Send it as `Authorization: Bearer …`.') accessToken: string;
  @View.enum(['Bearer'], 'The kind of token, as in the header `Authorization`.', { example: 'Bearer' })
  tokenType: string;
  @View.integer('Seconds that the access token lives.', { example: 600 }) expiresIn: number;
  @View.textOrNull('Good once. Null in cookie mode and for machines.') refreshToken: string | null;
  @View.textOrNull('Keep it and send it with later logins from this device.') deviceToken: string | null;
  @View.textOrNull('Cookie mode: send it as X-CSRF-Token when refreshing.') csrfToken: string | null;
  @View.id('opr', 'The id of the operator.') operatorId: string;
  @View.id('ops', 'The id of the session.') sessionId: string;

  static of(grant: LoginGrant, cookieMode: boolean): GrantView {
    return {
      accessToken: grant.accessToken,
      tokenType: 'Bearer',
      expiresIn: grant.expiresIn,
      refreshToken: cookieMode ? null : grant.refreshToken,
      deviceToken: cookieMode ? null : grant.deviceToken,
      csrfToken: cookieMode ? grant.csrfToken : null,
      operatorId: publicId('opr', grant.operator.id),
      sessionId: publicId('ops', grant.sessionId),
    };
  }
}

export class TotpSeedView {
  @View.text('Base32; for typing it into the app.', { example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' })
  secret: string;

  @View.text('As a QR code for the app.', { example: 'otpauth://totp/Vigia:ana%40example.com' }) uri: string;
}

export class RecoveryCodesView {
  @View.texts('Each is good once, instead of a code of the app. Shown this once.', {
    example: ['7K2QD-9XWMT-4HBVR-1PZ6N'],
  })
  recoveryCodes: string[];
}
