import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { EventLoopUtilisation } from './event-loop-share.js';

function work(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;);
}

describe('the share of time that a process is busy', () => {
  it('is small while it waits, and large while it works', async () => {
    const busy = new EventLoopUtilisation();
    await sleep(300);
    const idle = busy.now;
    // In turns, and without a pause: a timer that comes late on a busy machine would count as waiting.
    for (let i = 0; i < 10; i += 1) {
      work(60);
      await new Promise(setImmediate);
    }
    expect(busy.now).toBeGreaterThan(idle);
    expect(busy.now).toBeLessThanOrEqual(1);
    expect(busy.now).toBeGreaterThan(0.5);
  });
});
