// Owns transactions from submission to evaluation. Promises: what was acknowledged is evaluated once, with its trail.
export { KytModule } from './kyt.module.js';
export { KytJobsModule } from './kyt-jobs.module.js';
export { DeadLettersService } from './dead-letters.service.js';
export { TransactionQueries } from './store/transaction.queries.js';
export { IngestLane } from './api/ingest.lane.js';
