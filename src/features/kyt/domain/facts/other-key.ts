import type { OpenTransaction } from '../claimed.js';
import type { FoundParties } from './evidence.js';

/**
 * The other key under which transactions of the customer may stand: beside the document that of the institution's id, for
 * those that came without the document; beside the id that of the document which the customer's record has.
 */
export function otherKeyOf(
  { customerKey, externalKey }: Pick<OpenTransaction, 'customerKey' | 'externalKey'>,
  { subjectIndex }: Pick<FoundParties, 'subjectIndex'>,
): Buffer | null {
  if (!customerKey || !externalKey) return null;
  if (!externalKey.equals(customerKey)) return externalKey;
  return subjectIndex?.equals(customerKey) === false ? subjectIndex : null;
}
