import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mergeIntoJobs } from './outbox-relay.js';
import { queueNames, queues, type QueueName } from './queues.js';

const ref = fc.uuid();
const row = fc.record({
  id: fc.uuid(),
  queue: fc.constantFrom(...queueNames),
  payload: fc.record({ refs: fc.array(ref, { minLength: 1, maxLength: 600 }) }),
});
const rows = fc.array(row, { maxLength: 12 });

const refsOf = (
  entries: readonly { queue: QueueName; payload: { refs: readonly string[] } }[],
  queue: QueueName,
): string[] => entries.filter((entry) => entry.queue === queue).flatMap((entry) => entry.payload.refs);

describe('batch', () => {
  it('hands over every reference once, to its own queue, in the order of the outbox', () => {
    fc.assert(
      fc.property(rows, (outbox) => {
        const jobs = mergeIntoJobs(outbox);
        for (const queue of queueNames) expect(refsOf(jobs, queue)).toEqual(refsOf(outbox, queue));
      }),
      { numRuns: 50 },
    );
  });

  it('makes as few jobs as the batch size of the queue allows, none of them empty or too large', () => {
    fc.assert(
      fc.property(rows, (outbox) => {
        const jobs = mergeIntoJobs(outbox);
        for (const queue of queueNames) {
          const own = jobs.filter((job) => job.queue === queue);
          const { batchSize } = queues[queue];
          expect(own.length).toBe(Math.ceil(refsOf(outbox, queue).length / batchSize));
          for (const { payload } of own) {
            expect(payload.refs.length).toBeGreaterThan(0);
            expect(payload.refs.length).toBeLessThanOrEqual(batchSize);
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  it('never uses a job id twice, also for the same rows: the queue would take it for a repetition', () => {
    fc.assert(
      fc.property(rows, (outbox) => {
        const ids = [...mergeIntoJobs(outbox), ...mergeIntoJobs(outbox)].map((job) => job.jobId);
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 20 },
    );
  });
});
