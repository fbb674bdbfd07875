import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/index.js';
import { isDatabaseUnavailable, system, UnitOfWork } from '../../platform/database/index.js';
import { ClientGate, type ClientPrincipal, type ApiScope } from '../../platform/http/index.js';
import { quotas } from '../../platform/quotas/index.js';
import { ClientUsageService } from './client-usage.service.js';
import { AllowList } from './domain/allow-list.js';
import { logoUrlOf } from './domain/logo-url.js';
import { hashClientSecret, findMatchingSecret } from './domain/client-secret.js';
import { ClientAppEntity } from './store/entities.js';
import { readClient, type StoredClient, type UsedSecret } from './store/client.statements.js';
import { pick } from '../../platform/kernel/index.js';

/** A client application as requests need it. */
export interface CachedClient {
  readonly principal: ClientPrincipal;
  readonly enabled: boolean;
  /** Null allows every address. */
  readonly addresses: AllowList | null;
  readonly corsOrigins: readonly string[];
  /** The valid secrets; `secretHashes` has their hashes in the same order. */
  readonly secrets: readonly UsedSecret[];
  readonly secretHashes: readonly Buffer[];
  readonly publicView: {
    readonly name: string;
    readonly publicName: string;
    readonly branding: { readonly logoUrl: string | null; readonly primaryColor: string | null };
    readonly clientId: string;
  };
}

interface Entry {
  readonly client: CachedClient | null;
  readonly loadedAt: number;
}

const CLIENT_ID = /^[A-Za-z0-9._-]{1,128}$/;
// A longer secret is refused unhashed: an attacker could send long secrets to make hashing expensive.
const MAX_SECRET_LENGTH = 256;
// Compared if the id is unknown, so that the response and its time are the same as for a wrong secret.
const DUMMY_HASHES: readonly Buffer[] = [Buffer.alloc(32, 0xff)];
// Maximum age of a cached application: a revoked secret or a new limit takes effect everywhere within 1 s.
const FRESH_MS = 900;
// Age at which an application in use is reloaded in the background, so that no request waits.
const RELOAD_AFTER_MS = 600;
// Limits the cache, because anybody can send ids of unknown applications.
const MAX_ENTRIES = 10_000;

/** Looks up client applications by id, cached for less than 1 s. */
@Injectable()
export class ClientDirectoryService extends ClientGate {
  private readonly entries = new Map<string, Entry>();
  private readonly loading = new Map<string, Promise<CachedClient | null>>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly usage: ClientUsageService,
    private readonly settings: Settings,
  ) {
    super();
  }

  /** Returns the cached application; null if the environment does not have it, undefined if it is not cached. */
  lookup(clientId: string): CachedClient | null | undefined {
    const entry = this.entries.get(clientId);
    if (!entry) return undefined;
    const age = performance.now() - entry.loadedAt;
    if (age >= FRESH_MS) return undefined;
    // If the reload fails, the next call after FRESH_MS reads the database and gets the error.
    if (age >= RELOAD_AFTER_MS && entry.client) this.reload(clientId).catch(() => undefined);
    return entry.client;
  }

  /** Finds the application; concurrent callers share one query. */
  find(clientId: string): Promise<CachedClient | null> {
    // A malformed id from a path or header needs no query.
    if (!CLIENT_ID.test(clientId)) return Promise.resolve(null);
    const cachedClient = this.lookup(clientId);
    return cachedClient === undefined ? this.reload(clientId) : Promise.resolve(cachedClient);
  }

  async findLastUsed(): Promise<ClientPrincipal | null> {
    const { environment } = this.settings;
    const app = await this.uow.read(system('auth.directory'), (db) =>
      db.findOne(ClientAppEntity, {
        select: { id: true, organisationId: true, clientId: true },
        where: { environment, status: 'ENABLED' },
        order: { lastUsedAt: { direction: 'DESC', nulls: 'LAST' } },
      }),
    );
    return app ? ((await this.find(app.clientId))?.principal ?? null) : null;
  }

  private reload(clientId: string): Promise<CachedClient | null> {
    let load = this.loading.get(clientId);
    if (!load) {
      load = this.load(clientId).finally(() => this.loading.delete(clientId));
      this.loading.set(clientId, load);
    }
    return load;
  }

  /**
   * Returns the application if the secret is valid. Before a refusal every well-formed id is read from the database,
   * known or not: the response time reveals nothing, and a new secret is valid immediately.
   */
  async verify(clientId: string, secret: string): Promise<CachedClient | null> {
    // No await for a cached application: at 1,000 requests a second it would cost too much.
    const cachedClient = this.lookup(clientId);
    if (cachedClient && this.verifySecret(cachedClient, secret)) return cachedClient;
    const client = CLIENT_ID.test(clientId) ? await this.reload(clientId) : null;
    return this.verifySecret(client, secret) ? client : null;
  }

  authenticate(clientId: string, secret: string, scope: ApiScope): ClientPrincipal | null {
    const client = this.lookup(clientId);
    // Runs first, even for unknown ids: the time of a refusal must not reveal which ids exist.
    if (!this.verifySecret(client ?? null, secret)) return null;
    if (!client?.enabled || client.addresses !== null) return null;
    return client.principal.scopes.has(scope) ? client.principal : null;
  }

  refresh(clientId: string, secret: string): Promise<void> | null {
    const entry = this.entries.get(clientId);
    const place = findMatchingSecret(this.hash(secret), entry?.client?.secretHashes ?? DUMMY_HASHES);
    if (!entry?.client || place === -1 || performance.now() - entry.loadedAt < FRESH_MS) return null;
    // Without the database, the ordinary path gives the caller its error.
    return this.reload(clientId).then(
      () => undefined,
      () => undefined,
    );
  }

  /**
   * Returns true and records the use if the secret is valid for the application. Takes the same time for an unknown
   * application.
   */
  private verifySecret(client: CachedClient | null, secret: string): boolean {
    const place = findMatchingSecret(this.hash(secret), client?.secretHashes ?? DUMMY_HASHES);
    const usedSecret = client?.secrets[place];
    if (usedSecret) this.usage.recordUse(usedSecret);
    return usedSecret !== undefined;
  }

  private hash(secret: string): Buffer {
    return hashClientSecret(secret.slice(0, MAX_SECRET_LENGTH), this.settings.clientSecretPepper);
  }

  private async load(clientId: string): Promise<CachedClient | null> {
    // Read before the query, so that the rows are never older than `loadedAt` says.
    const loadedAt = performance.now();
    try {
      const { environment } = this.settings;
      const storedClient = await this.uow.read(system('auth.directory'), (db) =>
        readClient(db, clientId, environment),
      );
      const client = storedClient && toCachedClient(storedClient, this.settings);
      this.remember(clientId, { client, loadedAt });
      return client;
    } catch (error) {
      // Nothing can be accepted without the database, but a stale entry gives a known caller a better error than 401.
      const stale = this.entries.get(clientId);
      if (stale?.client && isDatabaseUnavailable(error)) return stale.client;
      throw error;
    }
  }

  private remember(clientId: string, entry: Entry): void {
    if (this.entries.size >= MAX_ENTRIES && !this.entries.has(clientId)) {
      for (const [id, { client }] of this.entries) if (!client) this.entries.delete(id);
    }
    this.entries.set(clientId, entry);
  }
}

function toCachedClient(app: StoredClient, settings: Settings): CachedClient {
  const ids = app.secretIds ?? [];
  return {
    principal: {
      ...pick(app, 'id', 'clientId', 'organisationId'),
      scopes: new Set(app.scopes),
      rateLimit: { perSecond: app.perSecond, burst: app.burst },
      organisationRate: organisationRate(app.organisationPerSecond ?? quotas.requestsPerSecond.fallback),
    },
    enabled: app.status === 'ENABLED',
    addresses: app.ipAllowList.length === 0 ? null : new AllowList(app.ipAllowList),
    corsOrigins: app.corsOrigins,
    secrets: ids.map((id) => ({ id, clientAppId: app.id, organisationId: app.organisationId })),
    secretHashes: app.secretHashes ?? [],
    publicView: {
      name: app.name,
      publicName: app.publicName,
      branding: { logoUrl: logoUrlOf(app, settings), primaryColor: app.primaryColor },
      clientId: app.clientId,
    },
  };
}

// Returns the limit of all applications of an organisation together: its burst is 3 s of the rate. Each application
// also has a limit and a smaller burst of its own.
export const organisationRate = (perSecond: number): ClientPrincipal['organisationRate'] => ({
  perSecond: Math.max(perSecond, 0.001),
  burst: Math.max(3 * perSecond, 1),
});
