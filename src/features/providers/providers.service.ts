import { Injectable } from '@nestjs/common';
import {
  ApplyAct,
  type Approval,
  ApprovalsService,
  CurrentValues,
  type ChangedValues,
} from '../approvals/index.js';
import { AuditTrail, formatActor, auditDraftOf, type ActorContext } from '../audit/index.js';
import { UnitOfWork, type Tx } from '../../platform/database/index.js';
import { Clock, conflict, newUuid, orThrow, sha256 } from '../../platform/kernel/index.js';
import { canonicalJson } from '../../platform/kernel/values/canonical-json.js';
import { localDayIn, BRAZIL_TIME_ZONE } from '../../platform/kernel/values/local-day.js';
import type { ProviderKind, ProviderConfiguration } from './domain/provider.js';
import { ProviderClient } from './provider-client.js';
import { ProviderTargets } from './provider-targets.js';
import { CheckProviderEntity, ProviderUsageEntity } from './store/entities.js';
import { ProviderUsageRepository } from './store/provider-usage.repository.js';

export type Provider = Readonly<CheckProviderEntity>;
export type ProviderUsage = Readonly<ProviderUsageEntity>;

/** The requested configuration. Missing fields are copied from the previous version, or have defaults. */
export type ProviderDraft = Pick<ProviderConfiguration, 'name' | 'checks' | 'url'> &
  Partial<Pick<ProviderConfiguration, 'timeoutMs' | 'costMicros' | 'rank'>> & {
    readonly newSecret?: boolean;
  };

const DEFAULTS = { timeoutMs: 10_000, costMicros: 0, rank: 100 } as const;
const MAX_PROVIDERS = 50;
const dayOf = localDayIn(BRAZIL_TIME_ZONE);
const MONTH_MS = 30 * 86_400_000;

/**
 * Manages the providers of an organisation. Versions are immutable; a name refers to its newest version. A provider
 * that answers PASS verifies people, so a new address needs two people, but one person can disable a provider.
 */
@Injectable()
export class ProvidersService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly approvals: ApprovalsService,
    private readonly targets: ProviderTargets,
    private readonly client: ProviderClient,
    private readonly usage: ProviderUsageRepository,
  ) {}

  /** Returns the newest version of each provider, sorted by name. */
  async list(organisationId: string): Promise<Provider[]> {
    return this.uow.read(organisationId, (db) =>
      db
        .createQueryBuilder(CheckProviderEntity, 'p')
        .distinctOn(['p.name'])
        .where({ organisationId })
        .orderBy('p.name')
        .addOrderBy('p.version', 'DESC')
        .getMany(),
    );
  }

  /** Returns the enabled providers for a check: those in `named`, in that order, else all by rank. */
  async listForCheck(
    organisationId: string,
    kind: ProviderKind,
    named: readonly string[] | undefined,
  ): Promise<Provider[]> {
    const all = await this.list(organisationId);
    const matching = all.filter(({ enabled, checks }) => enabled && checks.includes(kind));
    if (named) return named.flatMap((name) => matching.find((one) => one.name === name) ?? []);
    return matching.sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1));
  }

  /** Returns calls and cost of the last 30 days, the newest day first. */
  async readUsage(organisationId: string): Promise<ProviderUsage[]> {
    return this.usage.listSince(organisationId, dayOf(this.clock.now() - MONTH_MS));
  }

  /** Requests approval for a new provider or a new version. */
  async request(ctx: ActorContext, wanted: ProviderDraft, reason: string): Promise<Approval> {
    await this.targets.require(wanted.url);
    const all = await this.list(ctx.organisationId);
    const newest = all.find(({ name }) => name === wanted.name) ?? null;
    if (!newest && all.length >= MAX_PROVIDERS) {
      throw conflict('name', 'TOO_MANY', `At most ${MAX_PROVIDERS} providers.`);
    }
    const terms: ProviderConfiguration = {
      ...{ name: wanted.name, checks: [...wanted.checks].sort(), url: wanted.url },
      timeoutMs: wanted.timeoutMs ?? newest?.timeoutMs ?? DEFAULTS.timeoutMs,
      costMicros: wanted.costMicros ?? newest?.costMicros ?? DEFAULTS.costMicros,
      rank: wanted.rank ?? newest?.rank ?? DEFAULTS.rank,
      enabled: true,
      secretGeneration: (newest?.secretGeneration ?? 0) + (wanted.newSecret === true ? 1 : 0),
    };
    if (newest?.contentHash.equals(hashOf(terms))) throw conflict('', 'UNCHANGED', 'It says this already.');
    return this.uow.run(ctx.organisationId, (tx) =>
      this.approvals.request(tx, ctx, {
        act: 'provider.publish',
        subjectId: newUuid(),
        before: valuesOf(newest),
        after: {
          ...terms,
          version: (newest?.version ?? 0) + 1,
          contentHash: hashOf(terms).toString('hex'),
        },
        reason,
      }),
    );
  }

  /** Returns the newest version at the approval, which may be newer than the newest version at the request. */
  @CurrentValues('provider.publish')
  async currentValues(_tx: Tx, { organisationId, change }: Approval): Promise<ChangedValues> {
    return valuesOf(await this.findNewest(organisationId, change.after['name'] as string));
  }

  @ApplyAct('provider.publish')
  async publish(tx: Tx, ctx: ActorContext, approval: Approval): Promise<void> {
    const { subjectId, change, requestedBy, singleControl } = approval;
    const after = change.after as unknown as ProviderConfiguration & { readonly version: number };
    const { version } = after;
    // DNS is not needed in this transaction: the address was checked at the request and is checked again at each call.
    const terms = termsOf(after);
    const made = { id: subjectId, version, terms, createdBy: `operator:${requestedBy}`, singleControl };
    if (!(await this.insert(tx, ctx, made))) {
      throw conflict('change', 'CHANGED', 'Another version came first; ask again.');
    }
  }

  /** Disables a provider without approval. */
  async disable(ctx: ActorContext, name: string): Promise<Provider> {
    const newest = await this.get(ctx.organisationId, name);
    if (!newest.enabled) return newest;
    const terms: ProviderConfiguration = { ...termsOf(newest), enabled: false };
    const next = { id: newUuid(), version: newest.version + 1, terms, createdBy: formatActor(ctx) };
    const published = await this.uow.run(ctx.organisationId, (tx) =>
      this.insert(tx, ctx, { ...next, singleControl: false }),
    );
    if (!published) throw conflict('name', 'CHANGED', 'Another version came first; try again.');
    return published;
  }

  /** Adds a version without approval. For the people who run the installation. */
  async install(ctx: ActorContext, wanted: ProviderDraft): Promise<Provider> {
    const newest = await this.findNewest(ctx.organisationId, wanted.name);
    const {
      name,
      checks,
      url,
      timeoutMs = DEFAULTS.timeoutMs,
      costMicros = 0,
      rank = DEFAULTS.rank,
    } = wanted;
    const terms = { name, checks, url, timeoutMs, costMicros, rank, enabled: true, secretGeneration: 0 };
    const next = { id: newUuid(), version: (newest?.version ?? 0) + 1, terms, createdBy: formatActor(ctx) };
    const installed = await this.uow.run(ctx.organisationId, (tx) =>
      this.insert(tx, ctx, { ...next, singleControl: false }),
    );
    return installed ?? this.get(ctx.organisationId, name);
  }

  /** Returns the signing secret of a provider; the access is audited. */
  async revealSecret(ctx: ActorContext, name: string): Promise<string> {
    const provider = await this.get(ctx.organisationId, name);
    const now = new Date(this.clock.now());
    await this.uow.run(ctx.organisationId, (tx) =>
      this.audit.record(
        tx,
        auditDraftOf(ctx, 'provider', provider.id, 'provider.secret_shown', now, { name }),
      ),
    );
    return this.client.deriveSecret(provider);
  }

  async get(organisationId: string, name: string): Promise<Provider> {
    return orThrow(await this.findNewest(organisationId, name), 'PROVIDER_NOT_FOUND');
  }

  private async findNewest(organisationId: string, name: string): Promise<Provider | null> {
    if (name.includes('\0')) return null;
    return this.uow.read(organisationId, (db) =>
      db.findOne(CheckProviderEntity, { where: { organisationId, name }, order: { version: 'DESC' } }),
    );
  }

  /** Returns null if this version exists already. */
  private async insert(
    tx: Tx,
    ctx: ActorContext,
    made: {
      readonly id: string;
      readonly version: number;
      readonly terms: ProviderConfiguration;
      readonly createdBy: string;
      readonly singleControl: boolean;
    },
  ): Promise<Provider | null> {
    const createdAt = new Date(this.clock.now());
    const { organisationId } = ctx;
    const { id, version, terms, createdBy, singleControl } = made;
    const contentHash = hashOf(terms);
    const row = { ...terms, checks: [...terms.checks], id, organisationId, version, contentHash };
    const storedProvider = { ...row, createdBy, createdAt, singleControl };
    const insertion = await tx
      .createQueryBuilder()
      .insert()
      .into(CheckProviderEntity)
      .values(storedProvider)
      .orIgnore()
      .returning('id')
      .execute();
    if ((insertion.raw as unknown[]).length === 0) return null;
    const action = terms.enabled ? 'provider.published' : 'provider.disabled';
    await this.audit.record(
      tx,
      auditDraftOf(ctx, 'provider', id, action, createdAt, {
        ...{ name: terms.name, version, contentHash: contentHash.toString('hex') },
        ...(singleControl && { singleControl }),
      }),
    );
    return storedProvider;
  }
}

const termsOf = (row: ProviderConfiguration): ProviderConfiguration => ({
  ...{ name: row.name, checks: row.checks, url: row.url, timeoutMs: row.timeoutMs },
  ...{ costMicros: row.costMicros, rank: row.rank, enabled: row.enabled },
  secretGeneration: row.secretGeneration,
});

const valuesOf = (newest: Provider | null): ChangedValues =>
  newest === null ? { version: null } : { version: newest.version, ...termsOf(newest) };

const hashOf = (terms: ProviderConfiguration): Buffer => sha256(canonicalJson({ ...terms }));
