import { systemActor } from '../../src/features/audit/index.js';
import { ProvidersService, type ProviderDraft } from '../../src/features/providers/index.js';
import type { TestApp } from './app.js';

/** Gives an organisation a provider, as whoever runs the installation does; returns the secret that signs its requests. */
export async function withProvider(
  { app }: Pick<TestApp, 'app'>,
  organisationId: string,
  wanted: ProviderDraft,
): Promise<string> {
  const ctx = systemActor(organisationId, 'test');
  const providers = app.get(ProvidersService, { strict: false });
  await providers.install(ctx, wanted);
  return providers.revealSecret(ctx, wanted.name);
}

/** Three providers of one address, as most institutions have them. */
export async function withThreeProviders(
  t: Pick<TestApp, 'app'>,
  organisationId: string,
  url: string,
  timeoutMs = 2_000,
): Promise<ReadonlyMap<string, string>> {
  const secrets = new Map<string, string>();
  for (const [name, check, path] of [
    ['acme-document', 'DOCUMENT', '/document'],
    ['acme-face', 'FACE_MATCH', '/face'],
    ['acme-live', 'LIVENESS', '/liveness'],
  ] as const) {
    const wanted = { name, checks: [check], url: `${url}${path}`, timeoutMs };
    secrets.set(path, await withProvider(t, organisationId, wanted));
  }
  return secrets;
}
