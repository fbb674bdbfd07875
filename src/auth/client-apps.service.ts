import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/index.js';
import { Settings } from '../config/index.js';
import { system, UnitOfWork, type Tx } from '../database/index.js';
import type { RateLimit, Scope } from '../http/index.js';
import { Clock, newUuid } from '../kernel/index.js';
import { ClientAppEntity } from './store/client-app.entity.js';
import { ClientSecretEntity } from './store/client-secret.entity.js';
import { OrganisationEntity } from './store/organisation.entity.js';
import { hashClientSecret, newClientSecret } from './domain/client-secret.js';

export interface NewClientApp {
  readonly organisationId: string;
  readonly clientId: string;
  readonly name: string;
  readonly publicName: string;
  readonly branding: { readonly logoUrl: string | null; readonly primaryColor: string | null };
  readonly scopes: readonly Scope[];
  readonly rateLimit: RateLimit;
}

/** Creates organisations and client applications. */
@Injectable()
export class ClientAppsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Returns the organisation with this key, created on the first call. */
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

  /** Creates an application and returns its secret, which is shown this once. Null when the client id is taken. */
  async create(app: NewClientApp): Promise<{ id: string; secret: string } | null> {
    const secret = newClientSecret();
    const hash = hashClientSecret(secret, this.settings.clientSecretPepper);
    return this.uow.run(app.organisationId, async (tx) => {
      const id = await this.insert(tx, app);
      if (id === null) return null;
      await tx.insert(ClientSecretEntity, {
        id: newUuid(),
        clientAppId: id,
        hash,
        expiresAt: null,
        revokedAt: null,
      });
      await this.audit.record(tx, [
        {
          subject: { organisationId: app.organisationId, type: 'client_app', id },
          action: 'client_app.created',
          actor: { type: 'system', id: 'cli' },
          requestId: null,
          correlationId: null,
          occurredAt: new Date(this.clock.now()),
          content: { clientId: app.clientId, scopes: app.scopes, environment: this.settings.environment },
        },
      ]);
      return { id, secret };
    });
  }

  /** Replaces every secret of an application by a new one, for a demo whose credentials file was lost. */
  async resetSecret(organisationId: string, clientAppId: string): Promise<string> {
    const secret = newClientSecret();
    const hash = hashClientSecret(secret, this.settings.clientSecretPepper);
    await this.uow.run(organisationId, async (tx) => {
      await tx.update(ClientSecretEntity, { clientAppId }, { revokedAt: new Date(this.clock.now()) });
      await tx.insert(ClientSecretEntity, {
        id: newUuid(),
        clientAppId,
        hash,
        expiresAt: null,
        revokedAt: null,
      });
    });
    return secret;
  }

  private async insert(tx: Tx, app: NewClientApp): Promise<string | null> {
    const id = newUuid();
    const inserted = await tx
      .createQueryBuilder()
      .insert()
      .into(ClientAppEntity)
      .values({
        id,
        organisationId: app.organisationId,
        clientId: app.clientId,
        environment: this.settings.environment,
        name: app.name,
        publicName: app.publicName,
        logoUrl: app.branding.logoUrl,
        primaryColor: app.branding.primaryColor,
        status: 'ENABLED',
        scopes: [...app.scopes],
        ipAllowList: [],
        rateLimitPerSecond: app.rateLimit.perSecond,
        rateLimitBurst: app.rateLimit.burst,
      })
      .orIgnore()
      .returning('id')
      .execute();
    return (inserted.raw as unknown[]).length === 1 ? id : null;
  }
}
