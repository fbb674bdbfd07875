// Owns transactions from submission to evaluation. Promises: what was acknowledged is evaluated once, with its trail.
export { KytModule } from './kyt.module.js';
export { EvaluationModule } from './evaluation.module.js';
export {
  ReEvaluationService,
  type ReEvaluationResult,
  type ReEvaluationCause,
} from './pipeline/re-evaluation.service.js';
export { ReceiptExportService } from './replay/receipt-export.service.js';
export { verifyBundle, type ReceiptBundle, type ReplayReport } from './domain/replay.js';
export {
  Simulation,
  type EvaluatedEvent,
  type SimulationContext,
  type SimulationReport,
} from './replay/simulation.js';
export { KytJobsModule } from './kyt-jobs.module.js';
export { DeadLettersService } from './operations/dead-letters.service.js';
export { TransactionQueries } from './store/reading/transaction.queries.js';
export { IngestLane } from './api/ingest/ingest.lane.js';
export {
  TransactionArchiveService,
  type ArchivedEvaluation,
  type ArchivedTransaction,
  type ArchivePage,
} from './operations/transaction-archive.service.js';
export type { ArchiveCursor } from './store/archive.queries.js';
export { scenarioNames, scenarioOf } from './domain/sandbox/scenarios.js';
export { peopleRoles } from './domain/submission/people.js';
export type { Participant, Submission } from './domain/submission/submission.js';
export { maskedBody } from './domain/submission/masked-body.js';
export { KytTransactionEntity } from './store/entities/kyt-transaction.entity.js';
