import { Injectable } from '@nestjs/common';
import { type QueryDeepPartialEntity } from 'typeorm';
import { AuditTrail, type Actor, type AuditContent, type AuditDraft } from '../audit/index.js';
import { UnitOfWork, type Tx } from '../database/index.js';
import { Clock, DomainError, newUuid } from '../kernel/index.js';
import { sealContext, Vault } from '../privacy/index.js';
import { targetProblems } from '../outbound/index.js';
import { eventTypes, type EventType } from './domain/event.js';
import { newWebhookSecret } from './domain/signature.js';
import { WebhookEndpointEntity } from './store/webhook-endpoint.entity.js';
import { TargetRefused, WebhookTargets } from './webhook-targets.js';

export interface NewWebhookEndpoint {
  readonly organisationId: string;
  readonly clientAppId: string;
  readonly url: string;
  /** All six when left out. */
  readonly eventTypes?: readonly string[];
  readonly actor: Actor;
  readonly requestId?: string;
  readonly correlationId?: string;
}

/** An endpoint as it may be shown: without its secret. */
export interface WebhookEndpoint {
  readonly id: string;
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly status: 'ACTIVE' | 'PAUSED' | 'DISABLED';
  readonly statusReason: string | null;
  readonly createdAt: Date;
}

// Everything but the secrets.
const SHOWN = {
  id: true,
  url: true,
  eventTypes: true,
  status: true,
  statusReason: true,
  createdAt: true,
} as const;

/** Where the events of a client application are sent to. */
@Injectable()
export class WebhookEndpoints {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly vault: Vault,
    private readonly audit: AuditTrail,
    private readonly targets: WebhookTargets,
    private readonly clock: Clock,
  ) {}

  /** Creates an endpoint and returns its signing secret, which is shown this once. */
  async create(endpoint: NewWebhookEndpoint): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
    const subscribed = subscriptionTo(endpoint.eventTypes ?? eventTypes);
    const url = await this.reachable(endpoint.url);
    const { organisationId, clientAppId } = endpoint;
    const id = newUuid();
    const secret = newWebhookSecret();
    const owner = this.vault.organisationSubject(organisationId);
    const sealedSecret = await this.vault.sealOne(
      secret,
      owner,
      sealContext('webhook_endpoints', id, organisationId),
    );
    // The path of a URL may hold a token; the host is enough to know where events went.
    const content = { host: url.host, eventTypes: subscribed };
    const created = await this.uow.run(organisationId, async (tx) => {
      await tx.insert(WebhookEndpointEntity, {
        id,
        organisationId,
        clientAppId,
        url: url.href,
        eventTypes: subscribed,
        status: 'ACTIVE',
        sealedSecret,
      });
      await this.audit.record(tx, [
        this.entry(organisationId, id, 'webhook_endpoint.created', endpoint, content),
      ]);
      return tx.findOneOrFail(WebhookEndpointEntity, { select: SHOWN, where: { id } });
    });
    return { endpoint: created, secret };
  }

  async list(organisationId: string, clientAppId: string): Promise<WebhookEndpoint[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(WebhookEndpointEntity, {
        select: SHOWN,
        where: { organisationId, clientAppId },
        order: { id: 'ASC' },
      }),
    );
  }

  /** Ends an endpoint; its waiting deliveries are cancelled as they come due. False when it was disabled already. */
  async disable(tx: Tx, id: string, reason: string, actor: Actor): Promise<boolean> {
    const change = { status: 'DISABLED', statusReason: reason } as const;
    const organisationId = await changeStatus(tx, id, change);
    if (organisationId === null) return false;
    await this.audit.record(tx, [
      this.entry(organisationId, id, 'webhook_endpoint.disabled', { actor }, { reason }),
    ]);
    return true;
  }

  /**
   * Takes a disabled or paused endpoint into use again. What happened while it was paused is sent now, what happened
   * while it was disabled is not. False when it was active already.
   */
  async activate(tx: Tx, id: string, actor: Actor): Promise<boolean> {
    const organisationId = await changeStatus(tx, id, { status: 'ACTIVE', statusReason: null });
    if (organisationId === null) return false;
    await this.audit.record(tx, [
      this.entry(organisationId, id, 'webhook_endpoint.activated', { actor }, {}),
    ]);
    return true;
  }

  /** The guard asks DNS as well, so this comes before the transaction. */
  private async reachable(url: string): Promise<URL> {
    try {
      return await this.targets.checkReachable(url);
    } catch (error) {
      if (!(error instanceof TargetRefused)) throw error;
      throw new DomainError('VALIDATION_FAILED', {
        details: [{ path: 'url', code: error.code, message: targetProblems[error.code] }],
        cause: error,
      });
    }
  }

  private entry(
    organisationId: string,
    id: string,
    action: 'webhook_endpoint.created' | 'webhook_endpoint.disabled' | 'webhook_endpoint.activated',
    by: Pick<NewWebhookEndpoint, 'actor' | 'requestId' | 'correlationId'>,
    content: AuditContent,
  ): AuditDraft {
    return {
      subject: { organisationId, type: 'webhook_endpoint', id },
      action,
      actor: by.actor,
      requestId: by.requestId ?? null,
      correlationId: by.correlationId ?? null,
      occurredAt: new Date(this.clock.now()),
      content,
    };
  }
}

/** Returns the organisation of the endpoint, or null when it was in that state already. */
async function changeStatus(
  tx: Tx,
  id: string,
  change: QueryDeepPartialEntity<WebhookEndpointEntity> & Pick<WebhookEndpointEntity, 'status'>,
): Promise<string | null> {
  const updated = await tx
    .createQueryBuilder()
    .update(WebhookEndpointEntity)
    .set({ ...change, updatedAt: () => 'now()' })
    .where('id = :id AND status <> :status', { id, status: change.status })
    .returning('organisation_id')
    .execute();
  const [row] = updated.raw as { organisation_id: string }[];
  return row?.organisation_id ?? null;
}

/** The event types asked for, each once and in the canonical order. */
function subscriptionTo(asked: readonly string[]): EventType[] {
  const known: readonly string[] = eventTypes;
  const unknown = asked.findIndex((type) => !known.includes(type));
  if (asked.length === 0 || unknown !== -1) {
    const path = unknown === -1 ? 'eventTypes' : `eventTypes[${unknown}]`;
    throw new DomainError('VALIDATION_FAILED', {
      details: [{ path, code: 'EVENT_TYPE_UNKNOWN', message: `must be of: ${eventTypes.join(', ')}` }],
    });
  }
  return eventTypes.filter((type) => asked.includes(type));
}
