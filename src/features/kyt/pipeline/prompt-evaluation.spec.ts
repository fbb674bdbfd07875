import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Settings } from '../../../platform/config/index.js';
import type { SearchIndexService } from '../../screening/index.js';
import type { OpenTransaction } from '../domain/claimed.js';
import type { PendingDecisions } from '../ingest/pending-decisions.js';
import type { PipelineService } from './pipeline.service.js';
import { PromptEvaluation } from './prompt-evaluation.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('an evaluation in the process that accepted', () => {
  it('that takes longer than anybody waits ends nothing else', async () => {
    const pipeline = { advanceHeld: () => new Promise<never>(() => undefined) } as unknown as PipelineService;
    const prompt = new PromptEvaluation(
      pipeline,
      { evaluateOnArrival: true } as Settings,
      { isLoaded: true } as SearchIndexService,
      { useEvaluator: () => undefined } as unknown as PendingDecisions,
    );
    const taken = prompt.start({ id: 'one' } as OpenTransaction);
    await jest.advanceTimersByTimeAsync(61_000);
    // It would reject, and with nobody to hear it the process would end.
    await expect(taken).resolves.toBeUndefined();
    await expect(prompt.beforeApplicationShutdown()).resolves.toBeUndefined();
  });
});
