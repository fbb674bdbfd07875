import { Injectable } from '@nestjs/common';
import {
  expectationOf,
  TrailContract,
  TrailContractForMany,
  type AuditSubject,
  type TrailExpectation,
  type TrailGap,
} from '../../audit/index.js';
import { sqlArray, UnitOfWork, type Rows } from '../../../platform/database/index.js';
import { receivedEventContent } from '../domain/events/prepared-event.js';
import { TRAIL_EVENTS } from '../store/events/customer-event.statements.js';

const KEY_GONE: TrailGap = { kind: 'MISSING', seq: null, detail: 'the key of its body is not there' };

/** Describes the audit trail that a stored event must have. */
@Injectable()
export class EventContract {
  constructor(private readonly uow: UnitOfWork) {}

  @TrailContract('customer_event')
  async expectation({ organisationId, id }: AuditSubject): Promise<TrailExpectation | null> {
    return (await this.expectations(organisationId, [id])).get(id) ?? null;
  }

  @TrailContractForMany('customer_event')
  async expectations(organisationId: string, ids: readonly string[]): Promise<Map<string, TrailExpectation>> {
    const rows = await this.uow.rows(organisationId, TRAIL_EVENTS, [sqlArray.plain(ids), organisationId]);
    return new Map(rows.map((row) => [row.id, eventExpectation(row)]));
  }
}

const eventExpectation = (row: Rows<typeof TRAIL_EVENTS>): TrailExpectation => ({
  found: row.has_key ? [] : [KEY_GONE],
  grammar: expectationOf('customer_event', {}).grammar,
  bound: ['customer_event.received'],
  anchors: [
    {
      action: 'customer_event.received',
      hash: row.trail_hash,
      says: receivedEventContent(
        {
          eventId: row.event_id,
          fingerprint: row.fingerprint,
          type: row.type,
          occurredAt: row.occurred_at,
          warnings: row.warnings ?? [],
        },
        {
          organisationId: row.organisation_id,
          clientAppId: row.client_app_id,
          channel: row.channel,
          receivedAt: row.received_at,
          documentKey: row.document_key,
          customerKey: row.customer_key,
          externalKey: row.external_key,
          accountKey: row.account_key,
          deviceKey: row.device_key,
          ipKey: row.ip_key,
          sealedBody: row.body_digest,
          requestId: row.request_id,
          correlationId: row.correlation_id,
        },
      ),
    },
  ],
});
