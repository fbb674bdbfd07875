import { Injectable } from '@nestjs/common';
import { Settings } from '../config/index.js';
import { isDatabaseAway, system, UnitOfWork } from '../database/index.js';
import { ClientGate, type ClientPrincipal, type Scope } from '../http/index.js';
import { hashClientSecret, matchesAny } from './domain/client-secret.js';
import { ClientAppEntity } from './store/client-app.entity.js';
import { ClientSecretEntity } from './store/client-secret.entity.js';

/** A client application as requests need it. */
export interface KnownClient {
  readonly principal: ClientPrincipal;
  readonly enabled: boolean;
  readonly ipAllowList: readonly string[];
  readonly secretHashes: readonly Buffer[];
  readonly publicView: {
    readonly name: string;
    readonly publicName: string;
    readonly branding: { readonly logoUrl: string | null; readonly primaryColor: string | null };
    readonly clientId: string;
  };
}

interface Entry {
  readonly client: KnownClient | null;
  readonly loadedAt: number;
}

const CLIENT_ID = /^[A-Za-z0-9._-]{1,128}$/;
// Longer ones are never valid; hashing them at full length would be work for an attacker.
const MAX_SECRET_LENGTH = 256;
// An unknown id does the same work as a wrong secret: same body, same time.
const NOBODY: readonly Buffer[] = [Buffer.alloc(32, 0xff)];
// A disabled application, a revoked secret or a new limit takes effect in every process within a second.
const FRESH_MS = 900;
// Ids of unknown applications come from anybody, so their number has to be bounded.
const MAX_ENTRIES = 10_000;

/** Finds client applications by id, from memory as long as what it knows is less than a second old. */
@Injectable()
export class ClientDirectory extends ClientGate {
  private readonly entries = new Map<string, Entry>();
  private readonly loading = new Map<string, Promise<KnownClient | null>>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly settings: Settings,
  ) {
    super();
  }

  /** The application, null when there is none in this environment, undefined when it has to be looked up. */
  known(clientId: string): KnownClient | null | undefined {
    const entry = this.entries.get(clientId);
    return entry && performance.now() - entry.loadedAt < FRESH_MS ? entry.client : undefined;
  }

  /** Looks the application up; concurrent callers share one query. */
  find(clientId: string): Promise<KnownClient | null> {
    // The id comes from a path or a header, and what no id can look like is nothing to ask the database about.
    if (!CLIENT_ID.test(clientId)) return Promise.resolve(null);
    const known = this.known(clientId);
    if (known !== undefined) return Promise.resolve(known);
    let load = this.loading.get(clientId);
    if (!load) {
      load = this.load(clientId).finally(() => this.loading.delete(clientId));
      this.loading.set(clientId, load);
    }
    return load;
  }

  /** Returns the application when the secret is one of its live ones; the same work for an unknown id. */
  async verify(clientId: string, secret: string): Promise<KnownClient | null> {
    // In memory: no await, which a thousand requests a second notice.
    const known = this.known(clientId);
    const client = known === undefined ? await this.find(clientId) : known;
    const proven = matchesAny(this.hash(secret), client?.secretHashes ?? NOBODY);
    return client && proven ? client : null;
  }

  recognise(clientId: string, secret: string, scope: Scope): ClientPrincipal | null {
    const client = this.known(clientId);
    // First, and for unknown ids too: how long a refusal takes must not say which ids exist.
    const proven = matchesAny(this.hash(secret), client?.secretHashes ?? NOBODY);
    if (!proven || !client?.enabled || client.ipAllowList.length > 0) return null;
    return client.principal.scopes.has(scope) ? client.principal : null;
  }

  private hash(secret: string): Buffer {
    return hashClientSecret(secret.slice(0, MAX_SECRET_LENGTH), this.settings.clientSecretPepper);
  }

  private async load(clientId: string): Promise<KnownClient | null> {
    try {
      const { environment } = this.settings;
      const client = await this.uow.read(system('auth.directory'), async (db) => {
        const app = await db.findOneBy(ClientAppEntity, { clientId, environment });
        return app ? toKnown(app, await db.findBy(ClientSecretEntity, { clientAppId: app.id })) : null;
      });
      this.remember(clientId, client);
      return client;
    } catch (error) {
      // With the database away nothing can be accepted; who is calling is still better answered than not.
      const stale = this.entries.get(clientId);
      if (stale?.client && isDatabaseAway(error)) return stale.client;
      throw error;
    }
  }

  private remember(clientId: string, client: KnownClient | null): void {
    if (this.entries.size >= MAX_ENTRIES && !this.entries.has(clientId)) {
      for (const [id, entry] of this.entries) if (!entry.client) this.entries.delete(id);
    }
    this.entries.set(clientId, { client, loadedAt: performance.now() });
  }
}

function toKnown(app: ClientAppEntity, secrets: readonly ClientSecretEntity[]): KnownClient {
  const now = Date.now();
  const live = secrets.filter(
    (secret) => secret.revokedAt === null && (secret.expiresAt === null || secret.expiresAt.getTime() > now),
  );
  return {
    principal: {
      id: app.id,
      clientId: app.clientId,
      organisationId: app.organisationId,
      scopes: new Set(app.scopes as Scope[]),
      rateLimit: { perSecond: app.rateLimitPerSecond, burst: app.rateLimitBurst },
    },
    enabled: app.status === 'ENABLED',
    ipAllowList: app.ipAllowList,
    secretHashes: live.map((secret) => secret.hash),
    publicView: {
      name: app.name,
      publicName: app.publicName,
      branding: { logoUrl: app.logoUrl, primaryColor: app.primaryColor },
      clientId: app.clientId,
    },
  };
}
