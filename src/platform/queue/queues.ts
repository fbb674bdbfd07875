/**
 * All queues. Their jobs carry ids of rows, never personal data. A job is a hint that work may be due; the rows in
 * PostgreSQL decide.
 */
export const queues = {
  'kyt.pipeline': { batchSize: 250 },
  'webhooks.delivery': { batchSize: 50 },
  'webhooks.recovery': { batchSize: 1 },
  'screening.rounds': { batchSize: 1 },
  'reviews.hits': { batchSize: 50 },
  'kyt.review-decided': { batchSize: 10 },
  'rules.backtest': { batchSize: 1 },
  'audit.exports': { batchSize: 1 },
  'dossiers.coaf': { batchSize: 250 },
  'sessions.checks': { batchSize: 20 },
  'sessions.review-decided': { batchSize: 10 },
  'kyt.step-up-finished': { batchSize: 1 },
  'kyt.late-effects': { batchSize: 50 },
  'kyt.hit-uses': { batchSize: 50 },
  'kyt.facts-confirmed': { batchSize: 10 },
  'kyt.look-backs': { batchSize: 1 },
  'kyt.custom-field-backfill': { batchSize: 1 },
} as const satisfies Record<string, { readonly batchSize: number }>;

/** The roles of workers that serve only some queues. */
export type QueueRole = 'evaluator' | 'deliverer' | 'background';

/** Queues without an entry belong to the role `background`. */
const ROLE_OF_QUEUE: Partial<Record<keyof typeof queues, QueueRole>> = {
  'kyt.pipeline': 'evaluator',
  'webhooks.delivery': 'deliverer',
};

/** True if a process of this role takes jobs of the queue. */
export function processesQueue(role: string, queue: keyof typeof queues): boolean {
  return role === 'all' || role === 'worker' || role === (ROLE_OF_QUEUE[queue] ?? 'background');
}

export type QueueName = keyof typeof queues;
export const queueNames = Object.keys(queues) as QueueName[];

/** The payload of every job: ids of the rows to look at. */
export interface JobPayload {
  readonly refs: readonly string[];
}
