import { machine } from '../../../platform/kernel/machine.js';

export type TransactionStatus = 'QUEUED' | 'PROCESSING' | 'COMPLETED' | 'DEAD_LETTERED';

/** The state machine of a transaction. COMPLETED is final: a re-evaluation adds a version of the evaluation. */
export const transactionFlow = machine<TransactionStatus>({
  QUEUED: ['PROCESSING'],
  PROCESSING: ['COMPLETED', 'QUEUED', 'DEAD_LETTERED'],
  COMPLETED: [],
  DEAD_LETTERED: ['QUEUED'],
});
