import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Settings } from '../../../platform/config/index.js';
import { EventLoopUtilisation } from '../../../platform/kernel/index.js';
import type { SearchIndexService } from '../../screening/index.js';
import type { DecryptedTransaction } from '../domain/claimed.js';
import type { PendingDecisions } from '../ingest/pending-decisions.js';
import type { PipelineService } from './pipeline.service.js';
import { ImmediateEvaluation } from './immediate-evaluation.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const promptOf = (pipeline: unknown, isLoaded = true): ImmediateEvaluation =>
  new ImmediateEvaluation(
    pipeline as PipelineService,
    { evaluateOnArrival: true } as Settings,
    { isLoaded } as SearchIndexService,
    { useEvaluator: () => undefined } as unknown as PendingDecisions,
  );

describe('an evaluation in the process that accepted', () => {
  const lease = { owner: 'this process', ms: 8_000 };

  it.each<[taken: boolean, isWaitedFor: boolean, underWay: number, fromQueue: number, isLoaded: boolean]>([
    [true, false, 0, 0, true],
    [true, false, 7, 0, true],
    [false, false, 8, 0, true],
    [true, false, 4, 3, true],
    [false, false, 4, 4, true],
    [false, false, 0, 0, false],
    [true, true, 749, 250, true],
    [false, true, 750, 0, true],
    [false, true, 0, 0, false],
  ])(
    'is %s: waited for %s, %i under way, %i of jobs, lists %s',
    (taken, isWaitedFor, underWay, fromQueue, isLoaded) => {
      jest.spyOn(EventLoopUtilisation.prototype, 'now', 'get').mockReturnValue(0);
      const prompt = promptOf({ lease, fromQueue }, isLoaded);
      expect(prompt.leaseFor(isWaitedFor, underWay)).toBe(taken ? lease : null);
      jest.restoreAllMocks();
    },
  );

  it.each([
    [0.79, false, lease],
    [0.81, false, null],
    [0.81, true, lease],
  ])('busy for %d of the time, waited for %s', (share, isWaitedFor, expected) => {
    jest.spyOn(EventLoopUtilisation.prototype, 'now', 'get').mockReturnValue(share);
    const prompt = promptOf({ lease, fromQueue: 0 });
    expect(prompt.leaseFor(isWaitedFor, 0)).toBe(expected);
    jest.restoreAllMocks();
  });

  it('that takes longer than anybody waits is said, and ends nothing else', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const prompt = promptOf({ processHeld: () => new Promise<never>(() => undefined) });
    const taken = prompt.start({ id: 'one' } as DecryptedTransaction);
    await jest.advanceTimersByTimeAsync(61_000);
    // It would reject, and with nobody to hear it the process would end.
    await expect(taken).resolves.toBeUndefined();
    await expect(prompt.beforeApplicationShutdown()).resolves.toBeUndefined();
    expect(warn.mock.calls).toEqual([
      ['an evaluation is not over in time: the work of a batch takes too long'],
    ]);
    warn.mockRestore();
  });
});
