import type { OperatorPrincipal } from '../../../platform/http/index.js';
import { requireUuid } from '../../../platform/kernel/index.js';

export const REVIEW_ID = {
  name: 'id',
  description: 'The id of the case.',
  example: 'rev_019364d0c0de7000a000000000000001',
} as const;

export const reviewUuid = (id: string): string => requireUuid('rev', id, 'REVIEW_NOT_FOUND');

export const transactionUuid = (id: string): string => requireUuid('txn', id, 'TRANSACTION_NOT_FOUND');

/** Resolves `me` or the public id of an operator. */
export function operatorUuid(operator: OperatorPrincipal, id: string): string {
  return id === 'me' ? operator.id : requireUuid('opr', id, 'OPERATOR_NOT_FOUND');
}
