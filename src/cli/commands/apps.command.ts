import {
  AT_THE_CONSOLE,
  ClientAppQueries,
  ClientAppsService,
  ClientSecretsService,
  DEFAULT_RATE_LIMIT,
  DEFAULT_SCOPES,
} from '../../features/auth/index.js';
import type { ApiScope } from '../../platform/http/index.js';
import { withServices } from '../context.js';
import { findClientApp, findOrganisation } from '../named.js';

export interface NewAppOptions {
  readonly organisation: string;
  readonly name: string;
  readonly publicName?: string;
  readonly scopes?: readonly string[];
  readonly perSecond?: number;
  readonly burst?: number;
}

/** Creates an application and prints its credentials, which are shown only this once. */
export async function createApp(options: NewAppOptions): Promise<void> {
  await withServices(async (services) => {
    const apps = services.get(ClientAppsService);
    const created = await apps.create({
      organisationId: await apps.ensureOrganisation(options.organisation, options.organisation),
      name: options.name,
      publicName: options.publicName ?? options.name,
      branding: { logoUrl: null, primaryColor: null },
      scopes: (options.scopes ?? DEFAULT_SCOPES) as readonly ApiScope[],
      rateLimit: {
        perSecond: options.perSecond ?? DEFAULT_RATE_LIMIT.perSecond,
        burst: options.burst ?? DEFAULT_RATE_LIMIT.burst,
      },
    });
    if (!created) throw new Error('The client id that was made up is taken. Try again.');
    print(`x-client-id: ${created.clientId}`);
    print(`x-client-secret (shown once): ${created.secret}`);
  });
}

/** Rotates the secret and prints the new secret, only this once. The old secret stays valid for the overlap. */
export async function rotateSecret(clientId: string, overlapSeconds: number): Promise<void> {
  await withServices(async (services) => {
    const { id, organisationId } = await findClientApp(services, clientId);
    const { secret } = await services
      .get(ClientSecretsService)
      .rotate(organisationId, id, overlapSeconds, AT_THE_CONSOLE);
    print(`x-client-secret (shown once): ${secret}`);
    print(
      overlapSeconds === 0 ? 'Every other secret has ended.' : `The one before ends in ${overlapSeconds} s.`,
    );
  });
}

export async function setAppEnabled(clientId: string, enabled: boolean): Promise<void> {
  await withServices(async (services) => {
    const { id, organisationId } = await findClientApp(services, clientId);
    const apps = services.get(ClientAppsService);
    if (enabled) await apps.enable(organisationId, id, AT_THE_CONSOLE);
    else await apps.disable(organisationId, id, AT_THE_CONSOLE);
    print(`${clientId} is ${enabled ? 'enabled' : 'disabled'} in every process within a second`);
  });
}

export async function listApps(organisation: string): Promise<void> {
  await withServices(async (services) => {
    const organisationId = await findOrganisation(services, organisation);
    const queries = services.get(ClientAppQueries);
    for (let after: string | null = null; ;) {
      const some = await queries.list(organisationId, { after, limit: 200 });
      for (const app of some) {
        const lastUse = app.lastUsedAt === null ? 'never used' : `last used ${app.lastUsedAt.toISOString()}`;
        const secrets = `${app.secrets.length} secret${app.secrets.length === 1 ? '' : 's'}`;
        print(`${app.clientId}  ${app.status}  ${app.name}  ${secrets}  ${lastUse}  ${app.scopes.join(',')}`);
      }
      if (some.length < 200) break;
      after = some.at(-1)?.id ?? null;
    }
  });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
