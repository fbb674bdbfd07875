import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn, IsOptional, IsString, MaxLength, ValidateIf } from 'class-validator';
import { API_VERSIONS, CURRENT_API_VERSION } from '../../../platform/config/index.js';
import { Field, PageQuery, scopes, type ApiScope } from '../../../platform/http/index.js';
import { inputNames, type InputName } from '../../../platform/kernel/reference/inputs.js';
import { DEFAULT_SCOPES, profileLimits } from '../domain/app-profile.js';
import { DEFAULT_OVERLAP_SECONDS, MAX_OVERLAP_SECONDS } from '../client-secrets.service.js';

export class BrandingBody {
  @Field.string('https only, at a public host, without credentials.', {
    optional: true,
    nullable: true,
    format: 'uri',
    maxLength: profileLimits.logoUrl,
    example: 'https://cdn.loja.example/logo.svg',
  })
  logoUrl?: string | null;

  @ApiPropertyOptional({
    description: 'The main colour, as `#rrggbb`.',
    type: String,
    nullable: true,
    pattern: '^#[0-9a-fA-F]{6}$',
    example: '#0B5FFF',
  })
  @IsOptional()
  @IsString()
  @MaxLength(7)
  primaryColor?: string | null;
}

export class RateLimitBody {
  @Field.integer('How many calls a second are granted in the long run.', {
    min: 1,
    max: profileLimits.perSecond,
    example: 200,
  })
  perSecond: number;

  @Field.integer('Requests that may come at once.', { min: 1, max: profileLimits.burst, example: 400 })
  burst: number;
}

const list = (example: string[], description: string): object => ({
  type: [String],
  maxItems: profileLimits.listItems,
  example,
  description,
});

export class ClientAppSettingsBody {
  @Field.object(() => BrandingBody, 'How the institution shows itself: name, logo and colour.', {
    optional: 'not null',
  })
  branding?: BrandingBody;

  @ApiPropertyOptional({
    isArray: true,
    enum: scopes,
    example: DEFAULT_SCOPES,
    description: 'Replaces all of them. `customers:write` is asked for at the application.',
  })
  @ValidateIf(isGiven)
  @IsArray()
  @ArrayMaxSize(scopes.length)
  @IsIn(scopes, { each: true })
  scopes?: ApiScope[];

  @Field.object(() => RateLimitBody, 'How many calls are granted.', { optional: 'not null' })
  rateLimit?: RateLimitBody;

  @ApiPropertyOptional(
    list(
      ['203.0.113.0/24'],
      'Addresses and CIDR blocks that may use the application; empty allows all. Further ones of an application with `customers:write` are asked for with its scopes.',
    ),
  )
  @ValidateIf(isGiven)
  @IsArray()
  @ArrayMaxSize(profileLimits.listItems)
  @IsString({ each: true })
  @MaxLength(64, { each: true })
  ipAllowList?: string[];

  @ApiPropertyOptional(
    list(
      ['https://loja.example'],
      'Origins of pages that may call the public endpoints of this application.',
    ),
  )
  @ValidateIf(isGiven)
  @IsArray()
  @ArrayMaxSize(profileLimits.listItems)
  @IsString({ each: true })
  @MaxLength(300, { each: true })
  corsOrigins?: string[];

  @ApiPropertyOptional(
    list(
      ['https://loja.example/cadastro'],
      'Where the page of a session may lead people when it is sent: these addresses, and what lies below them.',
    ),
  )
  @ValidateIf(isGiven)
  @IsArray()
  @ArrayMaxSize(profileLimits.listItems)
  @IsString({ each: true })
  @MaxLength(500, { each: true })
  redirectUrls?: string[];

  @ApiPropertyOptional({
    isArray: true,
    enum: inputNames,
    example: [],
    description:
      'What it does not send; replaces all of them. One person only takes inputs out: more are asked for with `inputs`.',
  })
  @ValidateIf(isGiven)
  @IsArray()
  @ArrayMaxSize(inputNames.length)
  @IsIn(inputNames, { each: true })
  withoutInputs?: InputName[];

  @Field.enum(API_VERSIONS, 'The version of the interface in which it is written.', {
    optional: 'not null',
    example: CURRENT_API_VERSION,
  })
  apiVersion?: string;
}

/** The changes to an application. Omitted fields keep their values. */
export class ChangeClientAppBody extends ClientAppSettingsBody {
  @Field.text('For operators.', {
    optional: 'not null',
    maxLength: profileLimits.name,
    example: 'loja-checkout',
  })
  name?: string;

  @Field.text('For end users.', {
    optional: 'not null',
    maxLength: profileLimits.name,
    example: 'Loja Exemplo',
  })
  publicName?: string;
}

export class NewClientAppBody extends ClientAppSettingsBody {
  @Field.text('For operators.', { defined: true, maxLength: profileLimits.name, example: 'loja-checkout' })
  name: string;

  @Field.text('For end users.', { defined: true, maxLength: profileLimits.name, example: 'Loja Exemplo' })
  publicName: string;
}

export class GrantScopesBody {
  @ApiProperty({
    isArray: true,
    enum: scopes,
    example: [...DEFAULT_SCOPES, 'customers:write'],
    description: 'Replaces all of them.',
  })
  @IsArray()
  @ArrayMaxSize(scopes.length)
  @IsIn(scopes, { each: true })
  scopes: ApiScope[];

  @ApiPropertyOptional(
    list(['203.0.113.0/24'], 'Replaces the addresses and CIDR blocks that may use it; left out, they stay.'),
  )
  @ValidateIf(isGiven)
  @IsArray()
  @ArrayMaxSize(profileLimits.listItems)
  @IsString({ each: true })
  @MaxLength(64, { each: true })
  ipAllowList?: string[];

  @Field.string('Why the application needs them.', {
    minLength: 10,
    maxLength: 2000,
    example: 'The core banking system sends what customers declare.',
  })
  reason: string;
}

export class RotateClientSecretBody {
  @Field.integer('How long the secret before this one stays valid; 0 ends it at once.', {
    min: 0,
    max: MAX_OVERLAP_SECONDS,
    optional: 'not null',
    default: DEFAULT_OVERLAP_SECONDS,
  })
  overlapSeconds?: number;
}

export class AskForSecretBody extends RotateClientSecretBody {
  @Field.string('Why the application needs another secret.', {
    minLength: 10,
    maxLength: 2000,
    example: 'The servers of the core banking system are replaced.',
  })
  reason: string;
}

export class AskToEnableBody {
  @Field.string('Why the application may call again.', {
    minLength: 10,
    maxLength: 2000,
    example: 'The integrator has found and closed the leak.',
  })
  reason: string;
}

export class ClientAppsQuery extends PageQuery {
  @Field.enum(['ENABLED', 'DISABLED', 'REVOKED'], 'Only those with this status.', { optional: true })
  status?: 'ENABLED' | 'DISABLED' | 'REVOKED';
}

/** True unless the field is omitted. Null is therefore validated, and refused, because it would delete the setting. */
function isGiven(_body: unknown, value: unknown): boolean {
  return value !== undefined;
}
