import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { WorkLoop } from './work-loop.js';

describe('WorkLoop', () => {
  it('runs one round after the other, never two at a time, with the pause that the last one asked for', async () => {
    let running = 0;
    let most = 0;
    let done = 0;
    const loop = new WorkLoop(async () => {
      most = Math.max(most, ++running);
      await pause(5);
      running -= 1;
      return ++done < 3 ? 0 : 60_000;
    });
    loop.start();
    while (done < 3) await pause(5);
    await loop.stop();
    expect([done, most]).toEqual([3, 1]);
  });

  it('ends after the round that runs; none begins afterwards', async () => {
    let begun = 0;
    let ended = 0;
    let finish = (): void => undefined;
    const loop = new WorkLoop(async () => {
      begun += 1;
      await new Promise<void>((resolve) => (finish = resolve));
      ended += 1;
      return 0;
    });
    loop.start();
    while (begun === 0) await pause(5);
    const stopped = loop.stop();
    finish();
    await stopped;
    expect([begun, ended]).toEqual([1, 1]);
    loop.start();
    await pause(20);
    expect(begun).toBe(1);
  });
});
