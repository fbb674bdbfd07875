import { ApiProperty } from '@nestjs/swagger';
import { scopes } from '../../http/index.js';
import { publicId } from '../../kernel/index.js';
import type { ShownApp } from '../store/client-app.queries.js';
import { BrandingView } from './client-app.view.dto.js';

export class RateLimitView {
  @ApiProperty({ type: 'integer', example: 200 })
  perSecond: number;

  @ApiProperty({ type: 'integer', example: 400 })
  burst: number;
}

export class ClientSecretView {
  @ApiProperty({ example: 'sec_019364d0c0de7000a000000000000001' })
  id: string;

  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Set while it is being replaced.',
  })
  expiresAt: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'To about a minute.' })
  lastUsedAt: string | null;
}

export class ClientAppView {
  @ApiProperty({ example: 'app_019364d0c0de7000a000000000000001' })
  id: string;

  @ApiProperty({
    example: 'app-5f0c2a4e2f0b4d7e9a55',
    description: 'What the application sends as x-client-id.',
  })
  clientId: string;

  @ApiProperty({ enum: ['sandbox', 'staging', 'production'], example: 'sandbox' })
  environment: string;

  @ApiProperty({ example: 'loja-checkout' })
  name: string;

  @ApiProperty({ example: 'Loja Exemplo' })
  publicName: string;

  @ApiProperty({ type: BrandingView })
  branding: BrandingView;

  @ApiProperty({ enum: ['ENABLED', 'DISABLED', 'REVOKED'], example: 'ENABLED' })
  status: string;

  @ApiProperty({ isArray: true, enum: scopes, example: ['kyt:ingest', 'transactions:write'] })
  scopes: readonly string[];

  @ApiProperty({ type: RateLimitView })
  rateLimit: RateLimitView;

  @ApiProperty({ type: [String], example: ['203.0.113.0/24'] })
  ipAllowList: readonly string[];

  @ApiProperty({ type: [String], example: ['https://loja.example'] })
  corsOrigins: readonly string[];

  @ApiProperty({ example: '2026-11-01' })
  apiVersion: string;

  @ApiProperty({ type: [ClientSecretView], description: 'Those that are valid now, the newest first.' })
  secrets: ClientSecretView[];

  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  @ApiProperty({ format: 'date-time' })
  updatedAt: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'To about a minute.' })
  lastUsedAt: string | null;

  static of(app: ShownApp): ClientAppView {
    const { id, logoUrl, primaryColor, perSecond, burst, secrets, ...rest } = app;
    return {
      ...rest,
      id: publicId('app', id),
      branding: { logoUrl, primaryColor },
      rateLimit: { perSecond, burst },
      secrets: secrets.map((secret) => ({
        id: publicId('sec', secret.id),
        createdAt: new Date(secret.createdAt).toISOString(),
        expiresAt: instant(secret.expiresAt),
        lastUsedAt: instant(secret.lastUsedAt),
      })),
      createdAt: app.createdAt.toISOString(),
      updatedAt: app.updatedAt.toISOString(),
      lastUsedAt: instant(app.lastUsedAt),
    };
  }
}

export class NewClientAppView extends ClientAppView {
  @ApiProperty({
    example: 'vsk_EXAMPLE',
    description:
      'What the application sends as x-client-secret. Shown this once; it can be read nowhere again.',
  })
  clientSecret: string;
}

export class NewSecretView extends ClientAppView {
  @ApiProperty({ example: 'sec_019364d0c0de7000a000000000000002' })
  secretId: string;

  @ApiProperty({ example: 'vsk_EXAMPLE', description: 'Shown this once; it can be read nowhere again.' })
  clientSecret: string;
}

const instant = (value: string | Date | null): string | null =>
  value === null ? null : new Date(value).toISOString();
