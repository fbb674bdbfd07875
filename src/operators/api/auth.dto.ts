import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsEmail, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { IsText } from '../../http/index.js';
import { PASSWORD_LENGTH } from '../passwords.js';

// Longer than any password may be, so that a login says nothing about the rule; short enough to hash.
const MAX_GIVEN_PASSWORD = 512;
const EMAIL = { maxLength: 254, format: 'email', example: 'ana@example.com' } as const;

export class SecondFactorFields {
  @ApiPropertyOptional({
    pattern: '^\\d{6}$',
    example: '123456',
    description: 'Code of the authenticator app.',
  })
  @IsOptional()
  @Matches(/^\d{6}$/)
  totp?: string;

  @ApiPropertyOptional({
    maxLength: 64,
    description: 'Instead of `totp`, one of the codes kept for emergencies.',
  })
  @IsOptional()
  @IsText({ max: 64 })
  recoveryCode?: string;
}

export class LoginBody extends SecondFactorFields {
  @ApiProperty(EMAIL)
  @IsText({ max: 254 })
  email: string;

  @ApiProperty({ maxLength: MAX_GIVEN_PASSWORD, format: 'password' })
  @IsText({ max: MAX_GIVEN_PASSWORD })
  password: string;

  @ApiPropertyOptional({
    default: false,
    description: 'Keep the refresh token in an httpOnly cookie instead of giving it; for browsers.',
  })
  @IsOptional()
  @IsBoolean()
  cookie?: boolean;

  @ApiPropertyOptional({ maxLength: 64, description: '`deviceToken` of an earlier login from this device.' })
  @IsOptional()
  @IsText({ max: 64 })
  deviceToken?: string;
}

export class RefreshBody {
  @ApiPropertyOptional({
    maxLength: 64,
    description: 'Leave it out in cookie mode, and send the header X-CSRF-Token.',
  })
  @IsOptional()
  @IsText({ max: 64 })
  refreshToken?: string;
}

export class SecretExchangeBody {
  @ApiProperty({ maxLength: 64, example: 'opr_019364d0c0de7000a000000000000001' })
  @IsText({ max: 64 })
  operatorId: string;

  @ApiProperty({ maxLength: 256, format: 'password' })
  @IsText({ max: 256 })
  secret: string;
}

export class AcceptInvitationBody {
  @ApiProperty({ maxLength: 64, description: 'The token of the invitation.' })
  @IsText({ max: 64 })
  token: string;

  @ApiProperty({
    minLength: PASSWORD_LENGTH.min,
    maxLength: PASSWORD_LENGTH.max,
    format: 'password',
    description: 'Any characters; common and guessable passwords are refused.',
  })
  @IsString()
  @MaxLength(MAX_GIVEN_PASSWORD)
  password: string;

  @ApiPropertyOptional({
    maxLength: 120,
    example: 'Ana Exemplo',
    description: 'Instead of the name in the invitation.',
  })
  @IsOptional()
  @IsText({ max: 120 })
  name?: string;
}

export class SetupBody {
  @ApiProperty({ maxLength: 64, description: 'The token that `vigia operators setup-token` printed.' })
  @IsText({ max: 64 })
  token: string;

  @ApiProperty(EMAIL)
  @IsEmail()
  @MaxLength(254)
  email: string;

  @ApiProperty({ maxLength: 120, example: 'Ana Exemplo' })
  @IsText({ max: 120 })
  name: string;

  @ApiProperty({ minLength: PASSWORD_LENGTH.min, maxLength: PASSWORD_LENGTH.max, format: 'password' })
  @IsString()
  @MaxLength(MAX_GIVEN_PASSWORD)
  password: string;
}

export class ReauthenticationBody extends SecondFactorFields {
  @ApiPropertyOptional({
    maxLength: MAX_GIVEN_PASSWORD,
    format: 'password',
    description: 'The present password; not for operators who log in with the identity provider.',
  })
  @IsOptional()
  @IsText({ max: MAX_GIVEN_PASSWORD })
  password?: string;
}

export class ChangePasswordBody extends ReauthenticationBody {
  @ApiProperty({ minLength: PASSWORD_LENGTH.min, maxLength: PASSWORD_LENGTH.max, format: 'password' })
  @IsString()
  @MaxLength(MAX_GIVEN_PASSWORD)
  newPassword: string;
}

export class TotpCodeBody {
  @ApiProperty({ pattern: '^\\d{6}$', example: '123456', description: 'The code that the app shows now.' })
  @Matches(/^\d{6}$/)
  code: string;
}
