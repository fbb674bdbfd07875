import { invalid } from '../../../platform/kernel/index.js';
import { eventTypes, type EventType } from '../events.dto.js';

/**
 * The event types, without duplicates, in canonical order. Throws VALIDATION_FAILED if one is unknown or none is given.
 */
export function normaliseEventTypes(asked: readonly string[], path = 'eventTypes'): EventType[] {
  const knownTypes: readonly string[] = eventTypes;
  const unknown = asked.findIndex((type) => !knownTypes.includes(type));
  if (asked.length === 0 || unknown !== -1) {
    throw invalid(
      unknown === -1 ? path : `${path}[${unknown}]`,
      'EVENT_TYPE_UNKNOWN',
      `must be of: ${eventTypes.join(', ')}`,
    );
  }
  return eventTypes.filter((type) => asked.includes(type));
}
