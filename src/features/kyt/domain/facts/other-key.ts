import type { OpenTransaction } from '../claimed.js';
import type { IdentifiedParties } from './evidence.js';

/**
 * Returns the other key under which transactions of the customer may stand: of the institution's id, for transactions
 * that came without the document; or of the document in the customer's record, if this one came by the id alone.
 */
export function otherKeyOf(
  { customerKey, externalKey }: Pick<OpenTransaction, 'customerKey' | 'externalKey'>,
  { subjectIndex }: Pick<IdentifiedParties, 'subjectIndex'>,
): Buffer | null {
  if (!customerKey || !externalKey) return null;
  if (!externalKey.equals(customerKey)) return externalKey;
  return subjectIndex?.equals(customerKey) === false ? subjectIndex : null;
}
