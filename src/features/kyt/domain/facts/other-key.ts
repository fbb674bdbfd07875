import type { DecryptedTransaction } from '../claimed.js';
import type { IdentifiedParties } from './evidence.js';

/**
 * Returns the customer's second key, under which earlier transactions may be stored. It is the index of the external
 * id, because earlier transactions may lack the document; or, if this transaction has only the external id, the index
 * of the document in the customer's record.
 */
export function secondCustomerKeyOf(
  { customerKey, externalKey }: Pick<DecryptedTransaction, 'customerKey' | 'externalKey'>,
  { subjectIndex }: Pick<IdentifiedParties, 'subjectIndex'>,
): Buffer | null {
  if (!customerKey || !externalKey) return null;
  if (!externalKey.equals(customerKey)) return externalKey;
  return subjectIndex?.equals(customerKey) === false ? subjectIndex : null;
}
