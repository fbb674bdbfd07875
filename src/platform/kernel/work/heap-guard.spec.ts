import { constants, PerformanceObserver, type NodeGCPerformanceDetail } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HeapGuard } from './heap-guard.js';

const MEGABYTE = 1_048_576;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const { NODE_PERFORMANCE_GC_MAJOR: MAJOR, NODE_PERFORMANCE_GC_FLAGS_FORCED: FORCED } = constants;

describe('HeapGuard', () => {
  // Only what somebody asks for is forced: the engine's own collections, whenever they come, are not counted.
  let kinds: number[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as unknown as { detail: Required<NodeGCPerformanceDetail> }[]) {
      const { kind, flags } = entry.detail;
      if ((flags & FORCED) !== 0) kinds.push(kind);
    }
  });
  observer.observe({ entryTypes: ['gc'] });

  /** Returns the kinds of the collections since the last call; the engine reports them a turn or two later. */
  async function forced(): Promise<readonly number[]> {
    for (let i = 0; i < 5; i += 1) await turn();
    const found = kinds;
    kinds = [];
    return found;
  }

  beforeEach(forced);

  afterAll(() => {
    observer.disconnect();
  });

  it.each(['all', 'old'] as const)(
    'collects what came together since the last time, also what was alive for long: %s',
    async (what) => {
      // Garbage of before, given back meanwhile, would hide what comes together now.
      collect();
      const guard = new HeapGuard(what);
      const held: { waste?: number[] } = { waste: new Array<number>(8 * MEGABYTE).fill(0) };
      const waste = new WeakRef(held.waste ?? []);
      // A collection makes old what it leaves alone; a weak reference lets go when its turn is over.
      collect();
      await forced();
      delete held.waste;
      guard.check();
      expect(waste.deref()).toBeUndefined();
      expect(await forced()).toEqual([MAJOR]);
    },
  );

  it('looks once at what stays alive', async () => {
    collect();
    const guard = new HeapGuard();
    const alive = new Array<number>(8 * MEGABYTE).fill(0);
    await forced();
    for (let i = 0; i < 3; i += 1) guard.check();
    expect(await forced()).toEqual([MAJOR]);
    expect(alive).toHaveLength(8 * MEGABYTE);
  });

  it.each(['all', 'old', 'young'] as const)('leaves a little alone: %s', async (what) => {
    const guard = new HeapGuard(what);
    for (let i = 0; i < 10; i += 1) guard.check();
    expect(await forced()).toEqual([]);
  });

  it('looks at young objects alone, after a few of many large buffers, each used once', async () => {
    const guard = new HeapGuard('young');
    let [since, most] = [0, 0];
    for (let i = 0; i < 60; i += 1) {
      Buffer.alloc(MEGABYTE);
      since += 1;
      guard.check();
      const found = await forced();
      expect(found).not.toContain(MAJOR);
      if (found.length > 0) since = 0;
      most = Math.max(most, since);
    }
    // Another thread takes them out of the account of the engine: it may be some of them behind.
    expect(most).toBeLessThan(16);
  });
});
