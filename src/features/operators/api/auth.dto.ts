import { ApiProperty } from '@nestjs/swagger';
import { IsEmail, MaxLength } from 'class-validator';
import { Field } from '../../../platform/http/index.js';
import { AssertionBody } from './passkeys/credential.dto.js';
import { PASSWORD_LENGTH } from '../login/passwords.js';

// Maximum length of a submitted password. Longer than the maximum of valid passwords, which a login must not reveal.
const MAX_GIVEN_PASSWORD = 512;
const PASSWORD = {
  max: MAX_GIVEN_PASSWORD,
  minLength: PASSWORD_LENGTH.min,
  maxLength: PASSWORD_LENGTH.max,
  format: 'password',
};
const EMAIL = { maxLength: 254, format: 'email', example: 'ana@example.com' } as const;

export const ORGANISATION_KEY = { optional: true, maxLength: 64, example: 'demo' } as const;

export class SecondFactorFields {
  @Field.matching(/^\d{6}$/, 'Code of the authenticator app.', { optional: true, example: '123456' })
  totp?: string;

  @Field.text('Instead of `totp`, one of the codes kept for emergencies.', { optional: true, maxLength: 64 })
  recoveryCode?: string;

  @Field.object(() => AssertionBody, 'Instead of `totp`: what a passkey signed for the options given.', {
    optional: true,
  })
  passkey?: AssertionBody;
}

export class LoginBody extends SecondFactorFields {
  @Field.text('The address for mail, with which the operator logs in.', {
    maxLength: 254,
    format: 'email',
    example: 'ana@example.com',
  })
  email: string;
  @Field.text('The password.', { maxLength: MAX_GIVEN_PASSWORD, format: 'password' }) password: string;

  @Field.text('Key of the organisation, where one address belongs to several.', ORGANISATION_KEY)
  organisation?: string;

  @Field.flag('Keep the refresh token in an httpOnly cookie instead of giving it; for browsers.', {
    optional: true,
    default: false,
  })
  cookie?: boolean;

  @Field.text('`deviceToken` of an earlier login from this device.', { optional: true, maxLength: 64 })
  deviceToken?: string;
}

export class RefreshBody {
  @Field.text('Leave it out in cookie mode, and send the header X-CSRF-Token.', {
    optional: true,
    maxLength: 64,
  })
  refreshToken?: string;
}

export class SecretExchangeBody {
  @Field.text('The id of the machine operator.', {
    maxLength: 64,
    example: 'opr_019364d0c0de7000a000000000000001',
  })
  operatorId: string;
  @Field.text('The secret of the machine operator.', { maxLength: 256, format: 'password' }) secret: string;
}

export class AcceptInvitationBody {
  @Field.text('The token of the invitation.', { maxLength: 64 }) token: string;
  @Field.string('Any characters; common and guessable passwords are refused.', PASSWORD) password: string;

  @Field.text('Instead of the name in the invitation.', {
    optional: true,
    maxLength: 120,
    example: 'Ana Exemplo',
  })
  name?: string;
}

export class SetupBody {
  @Field.text('The token that `vigia operators setup-token` printed.', { maxLength: 64 }) token: string;

  @ApiProperty({ description: 'The address for mail, with which the operator logs in.', ...EMAIL })
  @IsEmail()
  @MaxLength(254)
  email: string;

  @Field.text('The name of the operator.', { maxLength: 120, example: 'Ana Exemplo' }) name: string;
  @Field.string('The new password.', PASSWORD) password: string;
}

export class ReauthenticationBody extends SecondFactorFields {
  @Field.text('The present password; not for operators who log in with the identity provider.', {
    optional: true,
    maxLength: MAX_GIVEN_PASSWORD,
    format: 'password',
  })
  password?: string;
}

export class ChangePasswordBody extends ReauthenticationBody {
  @Field.string('The new password.', PASSWORD) newPassword: string;
}

export class TotpCodeBody {
  @Field.matching(/^\d{6}$/, 'The code that the app shows now.', { example: '123456' }) code: string;
}
