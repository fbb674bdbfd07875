import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { HeapGuard, inBoundedMemory } from './heap-guard.js';

const MEGABYTE = 1_048_576;

describe('HeapGuard', () => {
  it('has what came together collected, also what was alive for long', () => {
    const bound = new HeapGuard();
    const waste: object[] = Array.from({ length: 2_000_000 }, (_, i) => ({ i }));
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

describe('inBoundedMemory', () => {
  it('gives the pages on as they are, and lets few of those that became old pile up', async () => {
    const numbers = Array.from({ length: 60 }, (_, i) => i);
    // Two megabytes a page, too large an array to begin young.
    async function* pages(): AsyncGenerator<number[]> {
      for (const number of numbers) {
        await pause(0);
        yield new Array<number>(262_144).fill(number);
      }
    }
    const before = process.memoryUsage().heapUsed;
    const seen: (number | undefined)[] = [];
    let most = 0;
    for await (const page of inBoundedMemory(pages())) {
      seen.push(page.at(-1));
      most = Math.max(most, process.memoryUsage().heapUsed - before);
    }
    expect(seen).toEqual(numbers);
    expect(most).toBeLessThan(64 * MEGABYTE);
  });
});
