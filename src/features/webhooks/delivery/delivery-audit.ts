import { Injectable } from '@nestjs/common';
import {
  HandedOut,
  auditDraftOf,
  LogCheck,
  TrailContract,
  type AuditDraft,
  type AuditSubject,
  type LogCheckFault,
  type TrailExpectation,
  expectationOf,
} from '../../audit/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { publicId } from '../../../platform/kernel/index.js';
import type { CancelledDelivery, AttemptConclusion } from '../store/deliveries.repository.js';
import { findNewestDelivered, readEndedDeliveries } from '../store/event-count.statements.js';
import { WebhookDeliveryEntity } from '../store/entities.js';

// Deliveries per check; they take a few milliseconds.
const PAGE_SIZE = 500;
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

export const DELIVERY_ACTOR = { type: 'system', id: 'webhooks.delivery' } as const;

/** The audit entry of a delivery that has ended; empty if another attempt follows. */
export function deliveryEndedEntry(
  { delivery, verdict, attempt, correlationId }: AttemptConclusion,
  occurredAt: Date,
): AuditDraft[] {
  if (verdict.status === 'PENDING') return [];
  const actions = {
    DELIVERED: 'delivery.delivered',
    EXHAUSTED: 'delivery.exhausted',
    CANCELLED: 'delivery.cancelled',
  } as const;
  return [
    {
      subject: { organisationId: delivery.organisationId, type: 'delivery', id: delivery.id },
      action: actions[verdict.status],
      actor: DELIVERY_ACTOR,
      requestId: null,
      correlationId,
      occurredAt,
      content: {
        event: publicId('evt', delivery.eventId),
        eventType: delivery.eventType,
        endpoint: publicId('whe', delivery.endpointId),
        attempts: attempt?.number ?? delivery.attempts,
        statusCode: attempt?.statusCode ?? null,
        error: verdict.error,
      },
    },
  ];
}

/** The audit entry of a delivery that was cancelled before an attempt. */
export const deliveryCancelledEntry = (
  { organisationId, id, eventId, endpointId, attempts }: CancelledDelivery,
  reason: string,
  occurredAt: Date,
): AuditDraft => {
  const ctx = { organisationId, actor: DELIVERY_ACTOR, requestId: null, correlationId: null };
  return auditDraftOf(ctx, 'delivery', id, 'delivery.cancelled', occurredAt, {
    event: publicId('evt', eventId),
    endpoint: publicId('whe', endpointId),
    attempts,
    statusCode: null,
    error: reason,
  });
};

/** The audit trail of a delivery has one end entry per retry schedule. Only a retry or a recovery may follow it. */
@Injectable()
export class DeliveryAudit {
  /** The last delivery that was checked, by organisation. */
  private readonly lastChecked = new Map<string, string>();

  constructor(private readonly uow: UnitOfWork) {}

  /**
   * Checks that each delivery that ended has an audit entry: of the next page of deliveries, or of those in `places`.
   * The rows of deliveries are not bound to their entries, which would halve the throughput, so a delivery that
   * somebody marked as delivered is found only here.
   */
  @LogCheck('deliveries')
  async checkEnds(
    organisationId: string,
    places: readonly string[] | null,
  ): Promise<readonly LogCheckFault[]> {
    const after = this.lastChecked.get(organisationId) ?? NIL_UUID;
    const selection = places ? { ids: places } : { after, limit: PAGE_SIZE };
    const endedDeliveries = await this.uow.read(organisationId, (db) =>
      readEndedDeliveries(db, organisationId, selection),
    );
    if (!places) {
      this.lastChecked.set(
        organisationId,
        endedDeliveries.length < PAGE_SIZE ? NIL_UUID : (endedDeliveries.at(-1)?.id ?? ''),
      );
    }
    return endedDeliveries
      .filter(({ unrecorded }) => unrecorded)
      .map(({ id }) => ({
        ...{ place: id, kind: 'MISSING_EVENTS' },
        detail: `the delivery ${id} has ended, and no entry tells of an attempt`,
      }));
  }

  /** The creation time of the newest delivered event: its webhook carried a checkpoint of the audit log. */
  @HandedOut()
  async newestCheckpointSentAt(organisationId: string): Promise<Date | null> {
    return this.uow.read(organisationId, (db) => findNewestDelivered(db, organisationId));
  }

  @TrailContract('delivery')
  async expectation({ organisationId, id }: AuditSubject): Promise<TrailExpectation | null> {
    const row = await this.uow.read(organisationId, (db) =>
      db.findOne(WebhookDeliveryEntity, { select: { status: true }, where: { id, organisationId } }),
    );
    return row && expectationOf('delivery', row);
  }
}
