import { DomainError } from '../../kernel/index.js';
import type { OperatorPrincipal } from './access.js';

/** Refuses the second step of a four-eyes action to whoever did the first, and to a machine. */
export function requireSecondPerson(makerId: string, operator: OperatorPrincipal): void {
  if (operator.kind !== 'PERSON' || operator.id === makerId) throw new DomainError('FOUR_EYES_REQUIRED');
}
