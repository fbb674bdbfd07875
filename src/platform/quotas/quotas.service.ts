import { Injectable } from '@nestjs/common';
import { waitForLock, UnitOfWork, type Tx } from '../database/index.js';
import { errorAt, type DomainError } from '../kernel/index.js';
import { Registry } from '../registry/index.js';
import { quotaNames, quotas, type QuotaName } from './domain/quota-names.js';
import { QuotaUse } from './quota-use.js';
import { OrganisationQuotaEntity } from './store/entities.js';

export type QuotaLimits = Readonly<Record<QuotaName, number>>;

interface CachedLimits {
  readonly limits: QuotaLimits;
  readonly readAt: number;
}

interface CachedUse {
  used: number;
  readonly at: number;
}

// How long limits are cached: a new limit takes effect in every process within this time.
const FRESH_MS = 2_000;
// Counting all files or sessions is slow, so counts are cached; additions of this process raise the cached count.
const COUNTED_MS = 5_000;

const FALLBACKS = Object.fromEntries(quotaNames.map((name) => [name, quotas[name].fallback])) as QuotaLimits;

/** Reads the limits of organisations and enforces them. */
@Injectable()
export class Quotas {
  private readonly cachedByOrganisation = new Map<string, CachedLimits>();
  private readonly pendingReads = new Map<string, Promise<QuotaLimits>>();
  private readonly countedUses = new Map<string, CachedUse>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly registry: Registry,
  ) {}

  limitsOf(organisationId: string): Promise<QuotaLimits> {
    const cachedLimits = this.cachedByOrganisation.get(organisationId);
    if (cachedLimits && performance.now() - cachedLimits.readAt < FRESH_MS) {
      return Promise.resolve(cachedLimits.limits);
    }
    let reading = this.pendingReads.get(organisationId);
    if (!reading) {
      reading = this.readLimits(organisationId).finally(() => this.pendingReads.delete(organisationId));
      this.pendingReads.set(organisationId, reading);
    }
    return reading;
  }

  /** Returns the cached limits, or the defaults, without waiting. Refreshes the cache in the background. */
  cachedLimits(organisationId: string): QuotaLimits {
    // If the database is unavailable, the last known limits stay in force.
    this.limitsOf(organisationId).catch(() => undefined);
    return this.cachedByOrganisation.get(organisationId)?.limits ?? FALLBACKS;
  }

  /** Returns the use of each quota; null for a limit on concurrent work, which is not counted. */
  async readUses(organisationId: string): Promise<Readonly<Record<QuotaName, number | null>>> {
    const providers = this.registry.methodsOf(QuotaUse);
    const uses = quotaNames.map(async (name) => {
      const usedCount = await providers.get(name)?.call(organisationId);
      return [name, usedCount ?? null] as const;
    });
    return Object.fromEntries(await Promise.all(uses)) as Record<QuotaName, number | null>;
  }

  /**
   * Throws QUOTA_EXCEEDED if `adding` would exceed the quota. The count may be 5 s old, so processes that add at the same
   * time can together exceed the quota a little.
   */
  async requireRoom(organisationId: string, name: QuotaName, adding = 1): Promise<void> {
    const limits = await this.limitsOf(organisationId);
    const cachedUse = await this.countUse(organisationId, name);
    if (cachedUse.used + adding > limits[name]) throw quotaExceeded(name, limits[name]);
    cachedUse.used += adding;
  }

  /**
   * Throws QUOTA_EXCEEDED like `requireRoom`, but counts exactly: a lock serialises callers, and `used` counts in the same
   * transaction. Read `limit` before it: a waiting caller holds a connection and must not need a second connection.
   */
  async requireRoomIn(
    tx: Tx,
    organisationId: string,
    name: QuotaName,
    limit: number,
    used: () => Promise<number>,
  ): Promise<void> {
    await waitForLock(tx, `quota ${name} ${organisationId}`);
    if ((await used()) + 1 > limit) throw quotaExceeded(name, limit);
  }

  private async countUse(organisationId: string, name: QuotaName): Promise<CachedUse> {
    const key = `${name} ${organisationId}`;
    const cachedUse = this.countedUses.get(key);
    if (cachedUse && performance.now() - cachedUse.at < COUNTED_MS) return cachedUse;
    const use = this.registry.methodsOf(QuotaUse).get(name);
    if (!use) throw new Error(`nobody counts the quota ${name}`);
    const fresh = { used: await use.call(organisationId), at: performance.now() };
    this.countedUses.set(key, fresh);
    return fresh;
  }

  private async readLimits(organisationId: string): Promise<QuotaLimits> {
    const readAt = performance.now();
    const rows = await this.uow.read(organisationId, (db) =>
      db.findBy(OrganisationQuotaEntity, { organisationId }),
    );
    const limits = {
      ...FALLBACKS,
      ...Object.fromEntries(rows.map(({ name, value }) => [name, Number(value)])),
    };
    this.cachedByOrganisation.set(organisationId, { limits, readAt });
    return limits;
  }
}

export const quotaExceeded = (name: QuotaName, limit: number): DomainError =>
  errorAt('QUOTA_EXCEEDED', name, 'QUOTA', `The organisation may have ${limit} of these.`);
