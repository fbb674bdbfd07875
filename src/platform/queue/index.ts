// Owns the path from a commit to a processor. Promises at-least-once delivery of jobs, even if Redis or a process fails.
export { QueueModule } from './queue.module.js';
export { Outbox } from './outbox.js';
export { messageClause, messageClauseAmong, outboxState } from './store/outbox.statements.js';
export { QueueTransport } from './transports/transport.js';
export type { DurableProcessor, UnfinishedScope } from './processors.js';
export { Reconciler } from './reconciler.js';
export { queues, queueNames, type JobPayload, type QueueName } from './queues.js';
