import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsDefined,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { API_VERSIONS, CURRENT_API_VERSION } from '../../config/index.js';
import { IsText, PageQuery, scopes, type Scope } from '../../http/index.js';
import { DEFAULT_SCOPES, profileLimits } from '../domain/app-profile.js';
import { DEFAULT_OVERLAP_SECONDS, MAX_OVERLAP_SECONDS } from '../client-secrets.service.js';

export class BrandingBody {
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    format: 'uri',
    maxLength: profileLimits.logoUrl,
    example: 'https://cdn.loja.example/logo.svg',
    description: 'https only, at a public host, without credentials.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(profileLimits.logoUrl)
  logoUrl?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, pattern: '^#[0-9a-fA-F]{6}$', example: '#0B5FFF' })
  @IsOptional()
  @IsString()
  @MaxLength(7)
  primaryColor?: string | null;
}

export class RateLimitBody {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: profileLimits.perSecond, example: 200 })
  @IsInt()
  @Min(1)
  @Max(profileLimits.perSecond)
  perSecond: number;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: profileLimits.burst,
    example: 400,
    description: 'Requests that may come at once.',
  })
  @IsInt()
  @Min(1)
  @Max(profileLimits.burst)
  burst: number;
}

const list = (example: string[], description: string): object => ({
  type: [String],
  maxItems: profileLimits.listItems,
  example,
  description,
});

/** What may be said about an application beside its names. */
export class ClientAppSettingsBody {
  @ApiPropertyOptional({ type: BrandingBody })
  @ValidateIf(isGiven)
  @IsObject()
  @ValidateNested()
  @Type(() => BrandingBody)
  branding?: BrandingBody;

  @ApiPropertyOptional({
    isArray: true,
    enum: scopes,
    example: DEFAULT_SCOPES,
    description: 'Replaces all of them.',
  })
  @ValidateIf(isGiven)
  @IsArray()
  @ArrayMaxSize(scopes.length)
  @IsIn(scopes, { each: true })
  scopes?: Scope[];

  @ApiPropertyOptional({ type: RateLimitBody })
  @ValidateIf(isGiven)
  @IsObject()
  @ValidateNested()
  @Type(() => RateLimitBody)
  rateLimit?: RateLimitBody;

  @ApiPropertyOptional(
    list(['203.0.113.0/24'], 'Addresses and CIDR blocks that may use the application; empty allows all.'),
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

  @ApiPropertyOptional({ enum: API_VERSIONS, example: CURRENT_API_VERSION })
  @ValidateIf(isGiven)
  @IsIn(API_VERSIONS)
  apiVersion?: string;
}

/** What may be changed of an application; what is left out stays. */
export class ChangeClientAppBody extends ClientAppSettingsBody {
  @ApiPropertyOptional({
    maxLength: profileLimits.name,
    example: 'loja-checkout',
    description: 'For operators.',
  })
  @ValidateIf(isGiven)
  @IsText({ max: profileLimits.name })
  name?: string;

  @ApiPropertyOptional({
    maxLength: profileLimits.name,
    example: 'Loja Exemplo',
    description: 'For end users.',
  })
  @ValidateIf(isGiven)
  @IsText({ max: profileLimits.name })
  publicName?: string;
}

export class NewClientAppBody extends ClientAppSettingsBody {
  @ApiProperty({ maxLength: profileLimits.name, example: 'loja-checkout', description: 'For operators.' })
  @IsDefined()
  @IsText({ max: profileLimits.name })
  name: string;

  @ApiProperty({ maxLength: profileLimits.name, example: 'Loja Exemplo', description: 'For end users.' })
  @IsDefined()
  @IsText({ max: profileLimits.name })
  publicName: string;
}

export class RotateSecretBody {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MAX_OVERLAP_SECONDS,
    default: DEFAULT_OVERLAP_SECONDS,
    description: 'How long the secret before this one stays valid; 0 ends it at once.',
  })
  @ValidateIf(isGiven)
  @IsInt()
  @Min(0)
  @Max(MAX_OVERLAP_SECONDS)
  overlapSeconds?: number;
}

export class ClientAppsQuery extends PageQuery {
  @ApiPropertyOptional({ enum: ['ENABLED', 'DISABLED', 'REVOKED'] })
  @IsOptional()
  @IsIn(['ENABLED', 'DISABLED', 'REVOKED'])
  status?: 'ENABLED' | 'DISABLED' | 'REVOKED';
}

/** Left out is fine, null is not: it would say that there is to be none. */
function isGiven(_body: unknown, value: unknown): boolean {
  return value !== undefined;
}
