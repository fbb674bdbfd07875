import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { IsNull, QueryFailedError } from 'typeorm';
import { CURRENT_API_VERSION, Settings } from '../../platform/config/index.js';
import { lockRow, system, UnitOfWork, type Tx } from '../../platform/database/index.js';
import type { AuditContent } from '../audit/index.js';
import { DomainError, errorAt, newUuid, orThrow, pick } from '../../platform/kernel/index.js';
import { ClientAppAudit, type AppChangeActor } from './client-app-audit.js';
import {
  holdsGrants,
  leavesMoreOut,
  letsMoreIn,
  requiredGrants,
  validateProfile,
  normaliseProfile,
  type AppProfile,
} from './domain/app-profile.js';
import { hashClientSecret, newClientSecret } from './domain/client-secret.js';
import { SecretNotices } from './secret-notices.js';
import { ClientAppEntity, ClientSecretEntity, OrganisationEntity } from './store/entities.js';

/** The organisation and application that the demo seed creates first. */
export const DEMO = { organisation: 'demo', clientId: 'demo-app' } as const;
// PostgreSQL error: undefined table.
const UNDEFINED_TABLE = '42P01';

type Optional = 'ipAllowList' | 'corsOrigins' | 'apiVersion' | 'redirectUrls' | 'withoutInputs';

export type NewClientApp = Omit<AppProfile, Optional> &
  Partial<Pick<AppProfile, Optional>> & {
    readonly organisationId: string;
    /** Default: random. */
    readonly clientId?: string;
  };

export type ClientAppChange = { readonly [K in keyof AppProfile]?: AppProfile[K] | undefined };

/** The author of changes made from the command line. */
export const AT_THE_CONSOLE: AppChangeActor = {
  actor: { type: 'system', id: 'cli' },
  ip: null,
  requestId: null,
  correlationId: null,
};

/** Creates organisations and client applications, and changes applications. Changes apply everywhere within 1 s. */
@Injectable()
export class ClientAppsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: ClientAppAudit,
    private readonly settings: Settings,
    private readonly notices: SecretNotices,
  ) {}

  /** Returns the id of the organisation with this key; creates the organisation if it does not exist. */
  async ensureOrganisation(key: string, name: string): Promise<string> {
    return this.uow.run(system('auth.organisation-by-key'), async (tx) => {
      await tx
        .createQueryBuilder()
        .insert()
        .into(OrganisationEntity)
        .values({ id: newUuid(), key, name })
        .orIgnore()
        .execute();
      return (await tx.findOneByOrFail(OrganisationEntity, { key })).id;
    });
  }

  /** True if the demo data exists here. Its credentials are in a file that anybody may have read. */
  async hasDemoData(): Promise<boolean> {
    try {
      return await this.uow.read(system('auth.organisation-by-key'), async (db) => {
        const organisation = await db.findOneBy(OrganisationEntity, { key: DEMO.organisation });
        if (!organisation) return false;
        return db.existsBy(ClientAppEntity, { organisationId: organisation.id, clientId: DEMO.clientId });
      });
    } catch (error) {
      // Before the first migration the table does not exist, so there is no demo data.
      if (
        error instanceof QueryFailedError &&
        (error.driverError as { code?: string }).code === UNDEFINED_TABLE
      ) {
        return false;
      }
      throw error;
    }
  }

  /**
   * Returns the organisation's id for the command line, where no organisation is known yet; null if the key is unknown.
   */
  async findOrganisationId(key: string): Promise<string | null> {
    const organisation = await this.uow.read(system('auth.organisation-by-key'), (db) =>
      db.findOneBy(OrganisationEntity, { key }),
    );
    return organisation?.id ?? null;
  }

  /**
   * Creates an application and returns its secret, which no later call does. Null if the client id is taken. Throws
   * FOUR_EYES_REQUIRED to an operator for a scope that two people grant.
   */
  async create(
    app: NewClientApp,
    author: AppChangeActor = AT_THE_CONSOLE,
  ): Promise<{ id: string; clientId: string; secret: string } | null> {
    const profile = this.checkAndNormalise({
      ipAllowList: [],
      corsOrigins: [],
      redirectUrls: [],
      withoutInputs: [],
      apiVersion: CURRENT_API_VERSION,
      ...app,
    });
    refuseGrants(author, { scopes: [], ipAllowList: [], withoutInputs: [] }, profile);
    const { organisationId } = app;
    const clientId = app.clientId ?? `app-${randomBytes(10).toString('hex')}`;
    const secret = newClientSecret();
    const hash = hashClientSecret(secret, this.settings.clientSecretPepper);
    return this.uow.run(organisationId, async (tx) => {
      const id = await this.insert(tx, organisationId, clientId, profile);
      if (id === null) return null;
      await tx.insert(ClientSecretEntity, {
        id: newUuid(),
        organisationId,
        clientAppId: id,
        hash,
      });
      await this.audit.record(tx, { id, organisationId }, 'client_app.created', author, {
        clientId,
        environment: this.settings.environment,
        ...recordedSettings(profile),
      });
      const publicNames = { name: profile.name, clientId };
      await this.notices.tell(tx, { organisationId, app: publicNames, what: 'NEW_SECRET', by: author.actor });
      return { id, clientId, secret };
    });
  }

  /** Changes the fields in `change`. Throws like `create`, and STATE_CONFLICT if the application is revoked. */
  async change(
    organisationId: string,
    id: string,
    change: ClientAppChange,
    author: AppChangeActor,
  ): Promise<void> {
    await this.uow.run(organisationId, async (tx) => {
      const app = await this.lockApp(tx, organisationId, id);
      if (app.status === 'REVOKED') throw new DomainError('STATE_CONFLICT');
      const before = profileOf(app);
      const changedValues = Object.fromEntries(
        Object.entries(change).filter(([, value]) => value !== undefined),
      );
      const after = this.checkAndNormalise({ ...before, ...changedValues });
      refuseGrants(author, before, after);
      const fields = (Object.keys(before) as (keyof AppProfile)[]).filter(
        (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
      );
      if (fields.length === 0) return;
      await tx.update(
        ClientAppEntity,
        { id, organisationId },
        { ...columnsOf(after), updatedAt: () => 'now()' },
      );
      await this.audit.record(tx, app, 'client_app.changed', author, { fields, ...recordedSettings(after) });
    });
  }

  /** Sets the uploaded logo by its hash; null removes it. */
  async setLogo(
    organisationId: string,
    id: string,
    hash: string | null,
    author: AppChangeActor,
  ): Promise<void> {
    await this.uow.run(organisationId, async (tx) => {
      const app = await this.lockApp(tx, organisationId, id);
      if (app.status === 'REVOKED') throw new DomainError('STATE_CONFLICT');
      if (app.logoHash === hash) return;
      await tx.update(ClientAppEntity, { id, organisationId }, { logoHash: hash, updatedAt: () => 'now()' });
      await this.audit.record(tx, app, 'client_app.changed', author, {
        fields: ['logo'],
        logo: hash,
      });
    });
  }

  /** Disables an application: its calls get 403 until it is enabled. */
  async disable(organisationId: string, id: string, author: AppChangeActor): Promise<void> {
    await this.setStatus(organisationId, id, 'DISABLED', 'client_app.disabled', author);
  }

  /**
   * Enables an application. Throws FOUR_EYES_REQUIRED to an operator if the application has a scope that two people
   * grant.
   */
  async enable(organisationId: string, id: string, author: AppChangeActor): Promise<void> {
    await this.setStatus(organisationId, id, 'ENABLED', 'client_app.enabled', author);
  }

  /** Permanently revokes an application and all its secrets. Its transactions stay. */
  async revoke(organisationId: string, id: string, author: AppChangeActor): Promise<void> {
    await this.setStatus(organisationId, id, 'REVOKED', 'client_app.revoked', author);
  }

  /** Locks an application until the transaction ends. Throws APP_NOT_FOUND. */
  async lockApp(tx: Tx, organisationId: string, id: string): Promise<ClientAppEntity> {
    return orThrow(
      await lockRow(
        tx,
        ClientAppEntity,
        { id, organisationId, environment: this.settings.environment },
        'pessimistic_write',
      ),
      'APP_NOT_FOUND',
    );
  }

  private async setStatus(
    organisationId: string,
    id: string,
    status: ClientAppEntity['status'],
    action: 'client_app.disabled' | 'client_app.enabled' | 'client_app.revoked',
    author: AppChangeActor,
  ): Promise<void> {
    await this.uow.run(organisationId, async (tx) => {
      const app = await this.lockApp(tx, organisationId, id);
      if (app.status === status) return;
      if (app.status === 'REVOKED') throw new DomainError('STATE_CONFLICT');
      if (status === 'ENABLED' && author.actor.type === 'operator' && holdsGrants(app.scopes)) {
        const message = 'Ask for it; a second person lets the application write again.';
        throw errorAt('FOUR_EYES_REQUIRED', '', 'ENABLED_BY_TWO', message);
      }
      await tx.update(ClientAppEntity, { id, organisationId }, { status, updatedAt: () => 'now()' });
      if (status === 'REVOKED') {
        await tx.update(
          ClientSecretEntity,
          { clientAppId: id, revokedAt: IsNull() },
          { revokedAt: () => 'now()' },
        );
      }
      await this.audit.record(tx, app, action, author, {});
    });
  }

  private checkAndNormalise(profile: AppProfile): AppProfile {
    const details = validateProfile(profile, { allowLoopback: this.settings.nodeEnv !== 'production' });
    if (details.length > 0) throw new DomainError('VALIDATION_FAILED', { details });
    return normaliseProfile(profile);
  }

  private async insert(
    tx: Tx,
    organisationId: string,
    clientId: string,
    profile: AppProfile,
  ): Promise<string | null> {
    const id = newUuid();
    const { environment } = this.settings;
    const insertion = await tx
      .createQueryBuilder()
      .insert()
      .into(ClientAppEntity)
      .values({ id, organisationId, clientId, environment, status: 'ENABLED', ...columnsOf(profile) })
      .orIgnore()
      .returning('id')
      .execute();
    return (insertion.raw as unknown[]).length === 1 ? id : null;
  }
}

/**
 * Throws FOUR_EYES_REQUIRED if an operator makes a change that needs two people. The command line may grant every
 * scope.
 */
function refuseGrants(
  { actor }: AppChangeActor,
  before: Pick<AppProfile, 'scopes' | 'ipAllowList' | 'withoutInputs'>,
  { scopes, ipAllowList, withoutInputs }: AppProfile,
): void {
  if (actor.type !== 'operator') return;
  if (requiredGrants(before.scopes, scopes).length > 0) {
    const message = 'Ask for this scope at the application, once it is there; a second person approves it.';
    throw errorAt('FOUR_EYES_REQUIRED', 'scopes', 'SCOPE_GRANTED_BY_TWO', message);
  }
  if (holdsGrants(before.scopes) && letsMoreIn(before.ipAllowList, ipAllowList)) {
    const message = 'Ask for further addresses with the scopes; a second person approves them.';
    throw errorAt('FOUR_EYES_REQUIRED', 'ipAllowList', 'ADDRESSES_BY_TWO', message);
  }
  if (leavesMoreOut(before.withoutInputs, withoutInputs)) {
    const message = 'Ask for it at the application; a second person approves what it may leave out.';
    throw errorAt('FOUR_EYES_REQUIRED', 'withoutInputs', 'INPUTS_BY_TWO', message);
  }
}

const profileOf = (app: ClientAppEntity): AppProfile => ({
  name: app.name,
  publicName: app.publicName,
  branding: { logoUrl: app.logoUrl, primaryColor: app.primaryColor },
  scopes: app.scopes as AppProfile['scopes'],
  rateLimit: { perSecond: app.rateLimitPerSecond, burst: app.rateLimitBurst },
  ...pick(app, 'ipAllowList', 'corsOrigins', 'apiVersion', 'redirectUrls', 'withoutInputs'),
});

const columnsOf = (profile: AppProfile): Partial<ClientAppEntity> => ({
  name: profile.name,
  publicName: profile.publicName,
  logoUrl: profile.branding.logoUrl,
  primaryColor: profile.branding.primaryColor,
  scopes: [...profile.scopes],
  rateLimitPerSecond: profile.rateLimit.perSecond,
  rateLimitBurst: profile.rateLimit.burst,
  ipAllowList: [...profile.ipAllowList],
  corsOrigins: [...profile.corsOrigins],
  redirectUrls: [...profile.redirectUrls],
  apiVersion: profile.apiVersion,
  withoutInputs: [...profile.withoutInputs],
});

/** Settings that affect access: the audit trail records their values. Of other settings it records only the names. */
const recordedSettings = (profile: AppProfile): AuditContent => ({
  scopes: profile.scopes,
  rateLimitPerSecond: profile.rateLimit.perSecond,
  rateLimitBurst: profile.rateLimit.burst,
  ...pick(profile, 'ipAllowList', 'corsOrigins', 'redirectUrls', 'apiVersion', 'withoutInputs'),
});
