import { publicId } from '../../../platform/kernel/index.js';
import type { SubjectRef } from '../../../platform/privacy/index.js';
import type { EventPublisher } from '../../webhooks/index.js';
import { personTypeOf, type KeyedObservation } from '../domain/observation.js';

export const identifiedEvent = (
  key: KeyedObservation,
  { id, clientAppId, subject }: { id: string; clientAppId: string; subject: SubjectRef },
  sequence: number,
  occurredAt: Date,
): Parameters<EventPublisher['compose']>[0] => ({
  organisationId: key.organisationId,
  clientAppId,
  type: 'customer.identified',
  resource: { type: 'customer', id },
  sequence,
  correlationId: key.correlationId,
  traceparent: key.traceparent,
  occurredAt,
  subject,
  data: {
    customerId: publicId('cus', id),
    externalCustomerId: key.externalCustomerId,
    documentMasked: key.taxId?.maskedText ?? null,
    personType: personTypeOf(key),
    assurance: key.document ? 'DOCUMENT' : 'DECLARED',
    identifiedBy: key.by,
  },
});
