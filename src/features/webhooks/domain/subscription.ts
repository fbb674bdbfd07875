import { DomainError } from '../../../platform/kernel/index.js';
import { eventTypes, type EventType } from '../events.dto.js';

/** The requested event types, each once and in the canonical order. Throws VALIDATION_FAILED on an unknown one or none. */
export function subscriptionTo(asked: readonly string[], path = 'eventTypes'): EventType[] {
  const known: readonly string[] = eventTypes;
  const unknown = asked.findIndex((type) => !known.includes(type));
  if (asked.length === 0 || unknown !== -1) {
    throw new DomainError('VALIDATION_FAILED', {
      details: [
        {
          path: unknown === -1 ? path : `${path}[${unknown}]`,
          code: 'EVENT_TYPE_UNKNOWN',
          message: `must be of: ${eventTypes.join(', ')}`,
        },
      ],
    });
  }
  return eventTypes.filter((type) => asked.includes(type));
}
