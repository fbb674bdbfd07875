import { Injectable } from '@nestjs/common';
import { AuditTrail, type AuditContent } from '../../audit/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { Clock, conflict, DomainError } from '../../../platform/kernel/index.js';
import { encryptionContextOf, Vault } from '../../../platform/privacy/index.js';
import { newWebhookSecret } from '../domain/signature.js';
import { endpointEntry, type RequestedChange } from './endpoint-audit.js';
import type { EndpointScope } from '../domain/endpoint-scope.js';
import {
  changeEndpoint,
  ownEndpoints,
  wakeEndpoint,
  type WebhookEndpoint,
} from '../store/endpoint.statements.js';
import { WebhookEndpointEntity, type EndpointStatus } from '../store/entities.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

// Maximum number of earlier secrets: at most five secrets sign, including the current one.
const MAX_OLDER_SECRETS = 4;

type Move = 'pause' | 'resume' | 'disable';

// The states before and after each transition. A request for the state that the endpoint already has changes nothing.
const MOVES = {
  pause: { from: ['ACTIVE'], to: 'PAUSED', action: 'webhook_endpoint.paused' },
  resume: { from: ['PAUSED', 'DISABLED'], to: 'ACTIVE', action: 'webhook_endpoint.activated' },
  disable: { from: ['ACTIVE', 'PAUSED'], to: 'DISABLED', action: 'webhook_endpoint.disabled' },
} as const satisfies Record<Move, { from: EndpointStatus[]; to: EndpointStatus; action: string }>;

/** Pauses, resumes, disables or removes an endpoint, or rotates its secret, on request. */
@Injectable()
export class EndpointStatesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly endpoints: WebhookEndpointsService,
    private readonly vault: Vault,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** Stops sending to an endpoint until it is resumed. Events still create deliveries for it. */
  async pause(
    scope: EndpointScope,
    id: string,
    by: RequestedChange,
    reason?: string,
  ): Promise<WebhookEndpoint> {
    return this.move('pause', scope, id, by, reason ?? null);
  }

  /** Reactivates an endpoint and sends the deliveries that were created while it was paused. */
  async resume(scope: EndpointScope, id: string, by: RequestedChange): Promise<WebhookEndpoint> {
    return this.move('resume', scope, id, by, null);
  }

  /** Disables an endpoint: it gets no new deliveries, and pending deliveries are cancelled when they are due. */
  async disable(
    scope: EndpointScope,
    id: string,
    by: RequestedChange,
    reason: string,
  ): Promise<WebhookEndpoint> {
    return this.move('disable', scope, id, by, reason);
  }

  /** Soft-deletes an endpoint. Its deliveries can still be read by their ids. */
  async remove(scope: EndpointScope, id: string, by: RequestedChange): Promise<void> {
    await this.uow.run(scope.organisationId, async (tx) => {
      const { affected } = await tx.update(
        WebhookEndpointEntity,
        { ...ownEndpoints(scope), id },
        {
          status: 'DISABLED',
          statusReason: 'REMOVED',
          deletedAt: () => 'now()',
          updatedAt: () => 'now()',
        },
      );
      if (affected !== 1) throw new DomainError('ENDPOINT_NOT_FOUND');
      await this.audit.record(
        tx,
        endpointEntry(scope.organisationId, id, 'webhook_endpoint.removed', by, this.now()),
      );
    });
  }

  /**
   * Creates a new signing secret and returns it, which no later call does. The previous secret also signs for
   * `overlapSeconds`, so that receivers can change over without losing an event. Earlier secrets keep their expiry; at
   * most five secrets sign. Without an overlap all old secrets expire immediately.
   */
  async rotate(
    scope: EndpointScope,
    id: string,
    overlapSeconds: number,
    by: RequestedChange,
  ): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
    const { organisationId } = scope;
    const secret = newWebhookSecret();
    const sealedSecret = await this.vault.sealOne(
      secret,
      this.vault.organisationSubject(organisationId),
      encryptionContextOf('webhook_endpoints', id, organisationId),
    );
    const now = this.now();
    const endpoint = await this.uow.run(organisationId, async (tx) => {
      const before = await tx.findOne(WebhookEndpointEntity, {
        where: { ...ownEndpoints(scope), id },
        select: { id: true, sealedSecret: true, olderSealedSecrets: true, olderSecretsExpireAt: true },
        lock: { mode: 'pessimistic_write' },
      });
      if (!before) throw new DomainError('ENDPOINT_NOT_FOUND');
      const until = new Date(now.getTime() + 1_000 * overlapSeconds);
      const older = overlapSeconds > 0 ? olderSecrets(before, until, now) : [];
      const rotated = await changeEndpoint(tx, scope, id, {
        olderSealedSecrets: older.map(({ sealed }) => sealed),
        olderSecretsExpireAt: older.map(({ expiresAt }) => expiresAt),
        sealedSecret,
      });
      if (!rotated) throw new DomainError('ENDPOINT_NOT_FOUND');
      const content = { overlapSeconds };
      await this.audit.record(
        tx,
        endpointEntry(organisationId, id, 'webhook_endpoint.secret_rotated', by, now, content),
      );
      return rotated;
    });
    return { endpoint, secret };
  }

  private async move(
    name: Move,
    scope: EndpointScope,
    id: string,
    by: RequestedChange,
    reason: string | null,
  ): Promise<WebhookEndpoint> {
    const { from, to, action } = MOVES[name];
    const content: AuditContent = reason === null ? {} : { reason };
    const moved = await this.uow.run(scope.organisationId, async (tx) => {
      const change = { status: to, statusReason: reason, failingSince: null, heldUntil: null };
      const row = await changeEndpoint(tx, scope, id, change, from);
      if (row) {
        const entry = endpointEntry(scope.organisationId, id, action, by, this.now(), content);
        await this.audit.record(tx, entry);
        if (to === 'ACTIVE') await wakeEndpoint(tx, id);
      }
      return row;
    });
    if (moved) return moved;
    const present = await this.endpoints.get(scope, id);
    if (present.status === to) return present;
    throw conflict('status', present.status, `a ${present.status} endpoint cannot ${name}`);
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}

/** The secrets that sign beside a new secret: the current secret until `until`, older secrets until they expire. */
function olderSecrets(
  { sealedSecret, olderSealedSecrets, olderSecretsExpireAt }: WebhookEndpointEntity,
  until: Date,
  now: Date,
): { readonly sealed: Buffer; readonly expiresAt: Date }[] {
  const before = olderSealedSecrets.flatMap((sealed, i) => {
    const expiresAt = olderSecretsExpireAt[i];
    return expiresAt && expiresAt > now ? [{ sealed, expiresAt }] : [];
  });
  return [{ sealed: sealedSecret, expiresAt: until }, ...before].slice(0, MAX_OLDER_SECRETS);
}
