import { Injectable } from '@nestjs/common';
import { ArrayOverlap, IsNull, MoreThan, Not } from 'typeorm';
import { AuditTrail, type Actor } from '../../audit/index.js';
import { UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { Clock, conflict, DomainError, invalid, newUuid, orThrow } from '../../../platform/kernel/index.js';
import { targetProblems, TargetRefusedError } from '../../../platform/outbound/index.js';
import { encryptionContextOf, Vault } from '../../../platform/privacy/index.js';
import { Quotas, QuotaUse, type QuotaLimits } from '../../../platform/quotas/index.js';
import { newWebhookSecret } from '../domain/signature.js';
import { normaliseEventTypes } from '../domain/subscription.js';
import { eventTypes, type EventType } from '../events.dto.js';
import { endpointEntry, type RequestedChange } from './endpoint-audit.js';
import type { EndpointScope } from '../domain/endpoint-scope.js';
import {
  changeEndpoint,
  ownEndpoints,
  wakeEndpoint,
  type WebhookEndpoint,
} from '../store/endpoint.statements.js';
import { WebhookEndpointEntity, type EndpointOrdering, type EndpointStatus } from '../store/entities.js';
import { WebhookTargets } from '../delivery/webhook-targets.js';

export interface EndpointChange {
  readonly url?: string | undefined;
  readonly eventTypes?: readonly string[] | undefined;
  readonly ordering?: EndpointOrdering | undefined;
  readonly description?: string | null | undefined;
}

/** The values of a new endpoint. An endpoint without event types receives all events. */
export interface NewWebhookEndpoint extends RequestedChange, EndpointChange {
  readonly organisationId: string;
  readonly clientAppId: string;
  readonly url: string;
}

interface EndpointFilter {
  readonly status?: EndpointStatus | undefined;
  readonly clientAppId?: string | undefined;
}

export type { WebhookEndpoint };

@Injectable()
export class WebhookEndpointsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly vault: Vault,
    private readonly audit: AuditTrail,
    private readonly targets: WebhookTargets,
    private readonly clock: Clock,
    private readonly quotas: Quotas,
  ) {}

  /**
   * Creates an endpoint and returns its signing secret. Throws APP_NOT_FOUND, or STATE_CONFLICT when
   * another endpoint of the application already receives one of these events at this URL.
   */
  async create(endpoint: NewWebhookEndpoint): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
    const subscribed = normaliseEventTypes(endpoint.eventTypes ?? eventTypes);
    const url = await this.requireReachable(endpoint.url);
    const { organisationId, clientAppId, ordering = 'none', description = null } = endpoint;
    const id = newUuid();
    const secret = newWebhookSecret();
    const sealedSecret = await this.seal(organisationId, id, secret);
    // Records only the host, because the path of a URL may contain a token.
    const content = { host: url.host, eventTypes: subscribed, ordering };
    const row = {
      id,
      organisationId,
      clientAppId,
      url: url.href,
      eventTypes: subscribed,
      ordering,
      description,
    };
    const limits = await this.quotas.limitsOf(organisationId);
    const created = await this.uow.run(organisationId, async (tx) => {
      await this.requireRoom(tx, { organisationId, clientAppId }, limits);
      await requireNewAddress(tx, row);
      await tx.insert(WebhookEndpointEntity, { ...row, sealedSecret }).catch(throwAppNotFound);
      await this.audit.record(
        tx,
        endpointEntry(organisationId, id, 'webhook_endpoint.created', endpoint, this.now(), content),
      );
      return tx.findOneByOrFail(WebhookEndpointEntity, { id });
    });
    return { endpoint: created, secret };
  }

  /** Checks the limits. Locks the organisation, then the application, so that concurrent calls cannot deadlock. */
  private async requireRoom(
    tx: Tx,
    { organisationId, clientAppId }: Pick<NewWebhookEndpoint, 'organisationId' | 'clientAppId'>,
    limits: QuotaLimits,
  ): Promise<void> {
    const kept = { organisationId, deletedAt: IsNull() };
    await this.quotas.requireRoomIn(tx, organisationId, 'endpoints', limits.endpoints, () =>
      tx.countBy(WebhookEndpointEntity, kept),
    );
    await this.quotas.requireRoomIn(tx, organisationId, 'endpointsPerApp', limits.endpointsPerApp, () =>
      tx.countBy(WebhookEndpointEntity, { ...kept, clientAppId }),
    );
  }

  @QuotaUse('endpoints')
  async countUsed(organisationId: string): Promise<number> {
    return this.uow.read(organisationId, (db) =>
      db.countBy(WebhookEndpointEntity, { organisationId, deletedAt: IsNull() }),
    );
  }

  private seal(organisationId: string, id: string, secret: string): Promise<Buffer> {
    const subject = this.vault.organisationSubject(organisationId);
    return this.vault.sealOne(secret, subject, encryptionContextOf('webhook_endpoints', id, organisationId));
  }

  async list(organisationId: string, clientAppId: string): Promise<WebhookEndpoint[]> {
    return this.page({ organisationId, clientAppId }, {}, null, 10_000);
  }

  /** Up to `limit` endpoints, the oldest first, created after the endpoint `after`. */
  async page(
    scope: EndpointScope,
    { status, clientAppId }: EndpointFilter,
    after: string | null,
    limit: number,
  ): Promise<WebhookEndpoint[]> {
    const where = {
      ...(status === undefined ? {} : { status }),
      ...(clientAppId === undefined ? {} : { clientAppId }),
      // The scope is last and overrides the filter, so that no filter reaches endpoints of another application.
      ...ownEndpoints(scope),
      ...(after === null ? {} : { id: MoreThan(after) }),
    };
    return this.uow.read(scope.organisationId, (db) =>
      db.find(WebhookEndpointEntity, { where, order: { id: 'ASC' }, take: limit }),
    );
  }

  async get(scope: EndpointScope, id: string): Promise<WebhookEndpoint> {
    return orThrow(
      await this.uow.read(scope.organisationId, (db) =>
        db.findOneBy(WebhookEndpointEntity, { ...ownEndpoints(scope), id }),
      ),
      'ENDPOINT_NOT_FOUND',
    );
  }

  /**
   * Changes the fields that `change` contains. Pending deliveries use the new URL; types apply to later events. A new
   * URL gets a new secret, which somebody with access to secrets must rotate to see: a caller who redirects an endpoint
   * must not receive anything signed with the old secret.
   */
  async change(
    scope: EndpointScope,
    id: string,
    change: EndpointChange,
    by: RequestedChange,
  ): Promise<WebhookEndpoint> {
    const { organisationId } = scope;
    const before = await this.get(scope, id);
    const url = change.url === undefined ? undefined : await this.requireReachable(change.url);
    const moves = url !== undefined && url.href !== before.url;
    const sealedSecret = moves ? await this.seal(organisationId, id, newWebhookSecret()) : null;
    const subscribed = change.eventTypes && normaliseEventTypes(change.eventTypes);
    const words = {
      ...(url ? { url: url.href } : {}),
      ...(sealedSecret ? { sealedSecret, olderSealedSecrets: [], olderSecretsExpireAt: [] } : {}),
      ...(subscribed ? { eventTypes: subscribed } : {}),
      ...(change.ordering === undefined ? {} : { ordering: change.ordering }),
      ...(change.description === undefined ? {} : { description: change.description }),
    };
    if (Object.keys(words).length === 0) return this.get(scope, id);
    const content = {
      changed: Object.keys(words).filter((name) => !name.toLowerCase().includes('secret')),
      ...(moves ? { secretReplaced: true } : {}),
      ...(url ? { host: url.host } : {}),
      ...(subscribed ? { eventTypes: subscribed } : {}),
      ...(change.ordering === undefined ? {} : { ordering: change.ordering }),
    };
    return this.uow.run(scope.organisationId, async (tx) => {
      const changedEndpoint = orThrow(await changeEndpoint(tx, scope, id, words), 'ENDPOINT_NOT_FOUND');
      if (url ?? subscribed) await requireNewAddress(tx, changedEndpoint);
      await this.audit.record(
        tx,
        endpointEntry(scope.organisationId, id, 'webhook_endpoint.changed', by, this.now(), content),
      );
      return changedEndpoint;
    });
  }

  /** Disables an endpoint; its pending deliveries are cancelled when they are due. False if it was disabled already. */
  async disable(tx: Tx, id: string, reason: string, actor: Actor): Promise<boolean> {
    const organisationId = await setStatus(tx, id, { status: 'DISABLED', statusReason: reason });
    if (organisationId === null) return false;
    await this.audit.record(
      tx,
      endpointEntry(organisationId, id, 'webhook_endpoint.disabled', { actor }, this.now(), { reason }),
    );
    return true;
  }

  /**
   * Reactivates an endpoint. It gets the events that were published while it was paused, not those while it was
   * disabled. False if it was active already.
   */
  async activate(tx: Tx, id: string, actor: Actor): Promise<boolean> {
    const organisationId = await setStatus(tx, id, {
      status: 'ACTIVE',
      statusReason: null,
      failingSince: null,
    });
    if (organisationId === null) return false;
    await this.audit.record(
      tx,
      endpointEntry(organisationId, id, 'webhook_endpoint.activated', { actor }, this.now()),
    );
    await wakeEndpoint(tx, id);
    return true;
  }

  /** Validates the URL. Runs before the database transaction, because it queries DNS. */
  private async requireReachable(url: string): Promise<URL> {
    try {
      return await this.targets.checkReachable(url);
    } catch (error) {
      if (!(error instanceof TargetRefusedError)) throw error;
      throw new DomainError('VALIDATION_FAILED', {
        details: [{ path: 'url', code: error.code, message: targetProblems[error.code] }],
        cause: error,
      });
    }
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}

/** Sets a status without a request. Returns the organisation; null if the endpoint already had the status. */
async function setStatus(
  tx: Tx,
  id: string,
  change: Partial<WebhookEndpointEntity> & { readonly status: EndpointStatus },
): Promise<string | null> {
  const updated = await tx
    .createQueryBuilder()
    .update(WebhookEndpointEntity)
    .set({ ...change, heldUntil: null, updatedAt: () => 'now()' })
    .where({ id, status: Not(change.status), deletedAt: IsNull() })
    .returning('organisation_id')
    .execute();
  return (updated.raw as { organisation_id: string }[])[0]?.organisation_id ?? null;
}

/** Throws STATE_CONFLICT if the application already sends one of these events to this URL: it would arrive twice. */
async function requireNewAddress(
  tx: Tx,
  {
    id,
    organisationId,
    clientAppId,
    url,
    eventTypes: subscribed,
  }: Pick<WebhookEndpoint, 'id' | 'organisationId' | 'clientAppId' | 'url' | 'eventTypes'>,
): Promise<void> {
  const other = {
    organisationId,
    clientAppId,
    url,
    id: Not(id),
    status: Not('DISABLED' as const),
    deletedAt: IsNull(),
  };
  if (!(await tx.existsBy(WebhookEndpointEntity, { ...other, eventTypes: ArrayOverlap([...subscribed]) }))) {
    return;
  }
  throw conflict(
    'url',
    'ADDRESS_TAKEN',
    'Another endpoint of this application sends some of these events to this address already.',
  );
}

function throwAppNotFound(error: unknown): never {
  if (error instanceof Error && 'constraint' in error && error.constraint === 'webhook_endpoints_own_app') {
    throw new DomainError('APP_NOT_FOUND', { cause: error });
  }
  throw error;
}

/** The event types of a recovery, all of the endpoint by default. Throws VALIDATION_FAILED for other types. */
export function recoveryEventTypes(
  endpoint: WebhookEndpoint,
  asked: readonly string[] | undefined,
): EventType[] {
  const endpointTypes = normaliseEventTypes(endpoint.eventTypes);
  const types = asked === undefined ? endpointTypes : normaliseEventTypes(asked, 'types');
  const foreign = types.find((type) => !endpointTypes.includes(type));
  if (foreign !== undefined) {
    throw invalid('types', 'NOT_SUBSCRIBED', `the endpoint does not receive ${foreign}`);
  }
  return types;
}
