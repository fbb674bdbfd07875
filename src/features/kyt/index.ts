// Owns transactions from submission to evaluation. Promises: what was acknowledged is evaluated once, with its trail.
export { KytModule } from './kyt.module.js';
export { EvaluationModule } from './evaluation.module.js';
export { ReceiptExportService } from './replay/receipt-export.service.js';
export { verifyBundle } from './domain/replay.js';
export { InputCoverageService } from './inputs/input-coverage.service.js';
export { Simulation, type EvaluatedEvent, type SimulationReport } from './replay/simulation.js';
export { ExternalFactProvider } from './facts/external.fact-provider.js';
export { WarmUpService } from './warm-up/warm-up.service.js';
export { KytJobsModule } from './kyt-jobs.module.js';
export { DeadLettersService } from './operations/dead-letters.service.js';
export { TransactionQueries } from './store/reading/transaction.queries.js';
export { IngestLane } from './api/ingest/ingest.lane.js';
export {
  TransactionArchiveService,
  type ArchivedEvaluation,
  type ArchivedTransaction,
} from './operations/transaction-archive.service.js';
export type { ArchiveCursor } from './store/archive.queries.js';
export { scenarioNames, scenarioOf } from './domain/sandbox/scenarios.js';
export { peopleRoles } from './domain/submission/people.js';
export type { Participant } from './domain/submission/submission.js';
export { KytTransactionEntity } from './store/entities.js';
