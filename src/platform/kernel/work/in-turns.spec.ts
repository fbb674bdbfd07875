import { describe, expect, it } from '@jest/globals';
import { mapWithYields } from './in-turns.js';

const work = (ms: number): void => {
  for (const until = performance.now() + ms; performance.now() < until;);
};

describe('mapWithYields', () => {
  it('maps in order', async () => {
    expect(await mapWithYields([3, 1, 2], (n) => n * 2)).toEqual([6, 2, 4]);
    expect(await mapWithYields([], String)).toEqual([]);
  });

  it('lets others have their turn meanwhile', async () => {
    let turns = 0;
    let running = true;
    const count = (): void => {
      turns += 1;
      if (running) setImmediate(count);
    };
    setImmediate(count);
    await mapWithYields(Array.from({ length: 30 }), () => {
      work(4);
    });
    running = false;
    // 120 ms of work in turns of 10 to 14.
    expect(turns).toBeGreaterThanOrEqual(8);
  });

  it('fails as what it does fails', async () => {
    const failing = mapWithYields([1], () => {
      throw new Error('this one');
    });
    await expect(failing).rejects.toThrow('this one');
  });
});
