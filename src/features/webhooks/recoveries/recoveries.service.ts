import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { AuditTrail } from '../../audit/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { Clock, conflict, DomainError, invalid, newUuid, publicId } from '../../../platform/kernel/index.js';
import { Outbox } from '../../../platform/queue/index.js';
import { endpointEntry, type RequestedChange } from '../endpoints/endpoint-audit.js';
import type { EndpointScope } from '../domain/endpoint-scope.js';
import { WebhookRecoveryEntity } from '../store/entities.js';
import { RecoveriesRepository } from '../store/recoveries.repository.js';
import { recoveryEventTypes, WebhookEndpointsService } from '../endpoints/webhook-endpoints.service.js';

export interface Recovery extends WebhookRecoveryEntity {
  /** True if the range begins before the endpoint was created, so that it gets events from before its subscription. */
  readonly beforeEndpoint: boolean;
}

const withBeforeEndpoint = (
  row: WebhookRecoveryEntity,
  { createdAt }: { readonly createdAt: Date },
): Recovery => Object.assign(row, { beforeEndpoint: row.since.getTime() < createdAt.getTime() });

export interface RecoveryRequest {
  readonly since: Date;
  /** Default: now. */
  readonly until?: Date | undefined;
  /** Default: all types of the endpoint. */
  readonly types?: readonly string[] | undefined;
  readonly dryRun: boolean;
}

/** Sends an endpoint the events of a time range that it has never received. */
@Injectable()
export class RecoveriesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly recoveries: RecoveriesRepository,
    private readonly endpoints: WebhookEndpointsService,
    private readonly audit: AuditTrail,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /**
   * Queues a recovery; another worker continues it if its worker dies. Skips events that were delivered or are pending,
   * so a second recovery sends nothing twice. A dry run only counts.
   */
  async start(
    scope: EndpointScope,
    endpointId: string,
    request: RecoveryRequest,
    by: RequestedChange,
  ): Promise<Recovery> {
    const endpoint = await this.endpoints.get(scope, endpointId);
    if (endpoint.status === 'DISABLED') {
      throw conflict('status', 'DISABLED', 'Resume the endpoint first.');
    }
    const now = this.clock.now();
    const { since, until = new Date(now), types, dryRun } = request;
    if (since.getTime() >= until.getTime()) {
      throw invalid('since', 'RANGE_EMPTY', 'Must be before until, which is now if left out.');
    }
    const { organisationId } = scope;
    const id = newUuid();
    const eventTypes = recoveryEventTypes(endpoint, types);
    return this.uow.run(organisationId, async (tx) => {
      const requestedBy = `${by.actor.type}:${by.actor.id}`;
      const insertedRow = { id, organisationId, endpointId, since, until, eventTypes, dryRun, requestedBy };
      const recovery = await this.recoveries.insert(tx, insertedRow);
      const content = {
        recovery: publicId('whr', id),
        since: since.toISOString(),
        until: until.toISOString(),
        types: eventTypes,
        dryRun,
      };
      const action = 'webhook_endpoint.recovery_requested';
      await this.audit.record(
        tx,
        endpointEntry(organisationId, endpointId, action, by, new Date(now), content),
      );
      this.outbox.append(tx, 'webhooks.recovery', [id]);
      return withBeforeEndpoint(recovery, endpoint);
    });
  }

  /** Up to `limit` recoveries of an endpoint older than `before`, the newest first. */
  async page(
    scope: EndpointScope,
    endpointId: string,
    before: string | null,
    limit: number,
  ): Promise<Recovery[]> {
    const endpoint = await this.endpoints.get(scope, endpointId);
    const { organisationId } = scope;
    const where = { organisationId, endpointId, ...(before === null ? {} : { id: LessThan(before) }) };
    const rows = await this.uow.read(organisationId, (db) =>
      db.find(WebhookRecoveryEntity, { where, order: { id: 'DESC' }, take: limit }),
    );
    return rows.map((row) => withBeforeEndpoint(row, endpoint));
  }

  async get(scope: EndpointScope, endpointId: string, id: string): Promise<Recovery> {
    const endpoint = await this.endpoints.get(scope, endpointId);
    const { organisationId } = scope;
    const recovery = await this.uow.read(organisationId, (db) =>
      db.findOneBy(WebhookRecoveryEntity, { organisationId, endpointId, id }),
    );
    if (!recovery) throw new DomainError('RECOVERY_NOT_FOUND');
    return withBeforeEndpoint(recovery, endpoint);
  }
}
