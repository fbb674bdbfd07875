// Owns transactions from submission to evaluation. Promises: what was acknowledged is evaluated once, with its trail.
export { KytModule } from './kyt.module.js';
export { EvaluationModule } from './evaluation.module.js';
export { ReEvaluation, type ReEvaluated, type ReEvaluationCause } from './re-evaluation.service.js';
export { ReceiptExport } from './receipt-export.service.js';
export { verifyBundle, type ReceiptBundle, type ReplayReport } from './domain/replay.js';
export { Simulation, type SimulationReport } from './simulation.js';
export { KytJobsModule } from './kyt-jobs.module.js';
export { DeadLettersService } from './dead-letters.service.js';
export { TransactionQueries } from './store/transaction.queries.js';
export { IngestLane } from './api/ingest.lane.js';
export {
  TransactionArchive,
  type ArchivedEvaluation,
  type ArchivedTransaction,
  type ArchivePage,
} from './transaction-archive.js';
export type { ArchivePlace } from './store/archive.queries.js';
export type { Participant, Submission } from './domain/submission.js';
export { maskedBody } from './domain/masked-body.js';
