// Owns the way from a commit to a processor. Promises at-least-once hand-over whatever happens to Redis or a process.
export { QueueModule } from './queue.module.js';
export { Outbox } from './outbox.js';
export { QueueTransport } from './transport.js';
export { Reconciler, type WorkSource } from './reconciler.js';
export { queues, queueNames, type JobPayload, type QueueName } from './queues.js';
