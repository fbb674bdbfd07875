import { scopes, View, viewOf } from '../../../platform/http/index.js';
import { publicId } from '../../../platform/kernel/index.js';
import type { ClientAppWithSecrets } from '../store/client-app.queries.js';
import { BrandingView } from './client-app.view.dto.js';

export class RateLimitView {
  @View.integer({ example: 200 }) perSecond: number;
  @View.integer({ example: 400 }) burst: number;
}

export class ClientSecretView {
  @View.id('sec') id: string;
  @View.instant() createdAt: string;
  @View.instantOrNull('Set while it is being replaced.') expiresAt: string | null;
  @View.instantOrNull('To about a minute.') lastUsedAt: string | null;
}

export class ClientAppView {
  @View.id('app') id: string;

  @View.text('What the application sends as x-client-id.', { example: 'app-5f0c2a4e2f0b4d7e9a55' })
  clientId: string;

  @View.enum(['sandbox', 'staging', 'production'], { example: 'sandbox' }) environment: string;
  @View.text({ example: 'loja-checkout' }) name: string;
  @View.text({ example: 'Loja Exemplo' }) publicName: string;
  @View.object(BrandingView) branding: BrandingView;
  @View.enum(['ENABLED', 'DISABLED', 'REVOKED'], { example: 'ENABLED' }) status: string;
  @View.enums(scopes, { example: ['kyt:ingest', 'transactions:write'] }) scopes: readonly string[];
  @View.object(RateLimitView) rateLimit: RateLimitView;
  @View.texts({ example: ['203.0.113.0/24'] }) ipAllowList: readonly string[];
  @View.texts({ example: ['https://loja.example'] }) corsOrigins: readonly string[];
  @View.texts('Where the page of a session may lead people.', { example: ['https://loja.example/cadastro'] })
  redirectUrls: readonly string[];

  @View.flag('Whether a logo was uploaded; it is shown instead of `logoUrl`.', { example: false })
  hasLogo: boolean;

  @View.text({ example: '2026-11-01' }) apiVersion: string;
  @View.list(ClientSecretView, 'Those that are valid now, the newest first.') secrets: ClientSecretView[];
  @View.instant() createdAt: string;
  @View.instant() updatedAt: string;
  @View.instantOrNull('To about a minute.') lastUsedAt: string | null;

  static of(app: ClientAppWithSecrets): ClientAppView {
    return viewOf(ClientAppView, app, {
      branding: { logoUrl: app.logoUrl, primaryColor: app.primaryColor },
      rateLimit: { perSecond: app.rateLimitPerSecond, burst: app.rateLimitBurst },
      hasLogo: app.logoHash !== null,
      secrets: app.secrets.map((secret) => ({
        id: publicId('sec', secret.id),
        createdAt: secret.createdAt.toISOString(),
        expiresAt: secret.expiresAt?.toISOString() ?? null,
        lastUsedAt: secret.lastUsedAt?.toISOString() ?? null,
      })),
    });
  }
}

export class NewClientAppView extends ClientAppView {
  @View.text(
    'What the application sends as x-client-secret. Shown this once; it can be read nowhere again.',
    { example: 'vsk_EXAMPLE' },
  )
  clientSecret: string;
}

export class NewSecretView extends ClientAppView {
  @View.id('sec', { example: 'sec_019364d0c0de7000a000000000000002' }) secretId: string;

  @View.text('Shown this once; it can be read nowhere again.', { example: 'vsk_EXAMPLE' })
  clientSecret: string;
}
