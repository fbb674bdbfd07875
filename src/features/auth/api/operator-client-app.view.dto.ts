import { ApprovalView } from '../../approvals/index.js';
import { scopes, View, viewOf } from '../../../platform/http/index.js';
import { inputNames } from '../../../platform/kernel/reference/inputs.js';
import { publicId } from '../../../platform/kernel/index.js';
import type { ClientAppWithSecrets } from '../store/client-app.queries.js';
import { BrandingView } from './client-app.view.dto.js';

export class RateLimitView {
  @View.integer('How many calls a second are granted in the long run.', { example: 200 }) perSecond: number;
  @View.integer('How many calls may come at once.', { example: 400 }) burst: number;
}

export class ClientSecretView {
  @View.id('sec', 'The id of the secret.') id: string;
  @View.instant('When the secret was created.') createdAt: string;
  @View.instantOrNull('Set while it is being replaced.') expiresAt: string | null;
  @View.instantOrNull('To about a minute.') lastUsedAt: string | null;
}

export class ClientAppView {
  @View.id('app', 'The id of the client application.') id: string;

  @View.text('What the application sends as x-client-id.', { example: 'app-5f0c2a4e2f0b4d7e9a55' })
  clientId: string;

  @View.enum(['sandbox', 'staging', 'production'], 'The environment: sandbox, staging or production.', {
    example: 'sandbox',
  })
  environment: string;
  @View.text('The name of the client application.', { example: 'loja-checkout' }) name: string;
  @View.text('The name that end users see.', { example: 'Loja Exemplo' }) publicName: string;
  @View.object(BrandingView, 'How the institution shows itself: name, logo and colour.')
  branding: BrandingView;
  @View.enum(['ENABLED', 'DISABLED', 'REVOKED'], 'The status of the client application.', {
    example: 'ENABLED',
  })
  status: string;
  @View.enums(scopes, 'What the application may do.', { example: ['kyt:ingest', 'transactions:write'] })
  scopes: readonly string[];
  @View.object(RateLimitView, 'How many calls are granted.') rateLimit: RateLimitView;
  @View.texts('The networks from which the application may call; empty for all.', {
    example: ['203.0.113.0/24'],
  })
  ipAllowList: readonly string[];
  @View.texts('The origins whose pages may call with this application.', {
    example: ['https://loja.example'],
  })
  corsOrigins: readonly string[];
  @View.texts('Where the page of a session may lead people.', { example: ['https://loja.example/cadastro'] })
  redirectUrls: readonly string[];

  @View.enums(inputNames, 'What it has said not to send; its transactions are judged without.', {
    example: [],
  })
  withoutInputs: readonly string[];

  @View.flag('Whether a logo was uploaded; it is shown instead of `logoUrl`.', { example: false })
  hasLogo: boolean;

  @View.text('The version of the interface in which it is written.', { example: '2026-11-01' })
  apiVersion: string;
  @View.list(ClientSecretView, 'Those that are valid now, the newest first.') secrets: ClientSecretView[];
  @View.instant('When the client application was created.') createdAt: string;
  @View.instant('When the client application was last changed.') updatedAt: string;
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
  @View.id('sec', 'The id of the secret.') secretId: string;

  @View.text('Shown this once; it can be read nowhere again.', { example: 'vsk_EXAMPLE' })
  clientSecret: string;
}

export class SecretApprovalView extends ApprovalView {
  @View.id('sec', 'The id of the secret.') secretId: string;

  @View.text(
    'Good when the request is approved, and nothing before. Shown this once; it can be read nowhere again.',
    { example: 'vsk_EXAMPLE' },
  )
  clientSecret: string;
}
