import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { HeapGuard } from './heap-guard.js';

const MEGABYTE = 1_048_576;

describe('HeapGuard', () => {
  it('has what came together collected, also what was alive for long', () => {
    // Garbage of before, given back meanwhile, would hide what comes together now: it is a fraction of it.
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
    const bound = new HeapGuard();
    const waste: object[] = Array.from({ length: 4_000_000 }, (_, i) => ({ i }));
    const full = process.memoryUsage().heapUsed;
    waste.length = 0;
    bound.check();
    expect(full - process.memoryUsage().heapUsed).toBeGreaterThan(32 * MEGABYTE);
  });

  it('keeps few of many large buffers at a time, each used once', async () => {
    const bound = new HeapGuard('young');
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    for (let i = 0; i < 60; i += 1) {
      Buffer.alloc(MEGABYTE);
      bound.check();
      // Their memory is given back by another thread.
      await pause(2);
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }
    expect(most).toBeLessThan(24 * MEGABYTE);
  });
});
