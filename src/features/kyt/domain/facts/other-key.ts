import type { OpenTransaction } from '../claimed.js';
import type { IdentifiedParties } from './evidence.js';

/**
 * Returns the customer's second key, under which earlier transactions may be stored: of the institution's id, for those
 * sent without the document; or of the document in the customer's record, if this transaction has only the id.
 */
export function secondCustomerKeyOf(
  { customerKey, externalKey }: Pick<OpenTransaction, 'customerKey' | 'externalKey'>,
  { subjectIndex }: Pick<IdentifiedParties, 'subjectIndex'>,
): Buffer | null {
  if (!customerKey || !externalKey) return null;
  if (!externalKey.equals(customerKey)) return externalKey;
  return subjectIndex?.equals(customerKey) === false ? subjectIndex : null;
}
