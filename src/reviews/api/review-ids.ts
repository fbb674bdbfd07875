import type { OperatorPrincipal } from '../../http/index.js';
import { DomainError, uuidOf } from '../../kernel/index.js';

export const REVIEW_ID = { name: 'id', example: 'rev_019364d0c0de7000a000000000000001' } as const;

export function reviewUuid(id: string): string {
  const uuid = uuidOf('rev', id);
  if (uuid === null) throw new DomainError('REVIEW_NOT_FOUND');
  return uuid;
}

/** The operator that is meant: `me`, or the one of this id. */
export function operatorUuid(operator: OperatorPrincipal, id: string): string {
  const uuid = id === 'me' ? operator.id : uuidOf('opr', id);
  if (uuid === null) throw new DomainError('OPERATOR_NOT_FOUND');
  return uuid;
}
