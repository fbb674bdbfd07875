// What the domain reads of other modules: shapes only.
export type { ArchivedTransaction, Participant } from '../../kyt/index.js';
export type { CustomerFile } from '../../customers/index.js';
