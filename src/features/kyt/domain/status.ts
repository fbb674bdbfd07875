import { machine } from '../../../platform/kernel/machine.js';

export type TransactionStatus = 'QUEUED' | 'PROCESSING' | 'COMPLETED' | 'DEAD_LETTERED';

/** The life of a transaction. COMPLETED never changes: a re-evaluation adds a version. */
export const transactionFlow = machine<TransactionStatus>({
  QUEUED: ['PROCESSING'],
  PROCESSING: ['COMPLETED', 'QUEUED', 'DEAD_LETTERED'],
  COMPLETED: [],
  DEAD_LETTERED: ['QUEUED'],
});
