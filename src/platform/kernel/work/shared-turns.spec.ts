import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { SharedTurns } from './shared-turns.js';

/** Work that ends when it is told to. */
function steps(): {
  readonly log: string[];
  readonly work: (name: string) => () => Promise<string>;
  readonly end: (name: string) => Promise<void>;
} {
  const log: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    log,
    work: (name) => async () => {
      log.push(`begin ${name}`);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      log.push(`end ${name}`);
      return name;
    },
    end: async (name) => {
      ends.get(name)?.();
      await sleep(5);
    },
  };
}

describe('shared turns', () => {
  it('run work at the same time, and let one begin alone when all other has ended', async () => {
    const { log, work, end } = steps();
    const turns = new SharedTurns(60_000);
    const others = [turns.runTogether(work('a')), turns.runTogether(work('b'))];
    const alone = turns.runAlone(work('c'));
    const later = turns.runTogether(work('d'));
    await sleep(5);
    expect(log).toEqual(['begin a', 'begin b']);
    await end('a');
    await end('b');
    expect(log.slice(2)).toEqual(['end a', 'end b', 'begin c']);
    await end('c');
    expect(log.slice(5)).toEqual(['end c', 'begin d']);
    await end('d');
    expect(await Promise.all([...others, alone, later])).toEqual(['a', 'b', 'c', 'd']);
  });

  it('run those alone one after the other, and go on after one that failed', async () => {
    const { log, work, end } = steps();
    const turns = new SharedTurns(60_000);
    const failing = turns.runAlone(async () => {
      await work('a')();
      throw new Error('failed');
    });
    const next = turns.runAlone(work('b'));
    await sleep(5);
    await Promise.all([expect(failing).rejects.toThrow('failed'), end('a')]);
    expect(log).toEqual(['begin a', 'end a', 'begin b']);
    await end('b');
    expect(await next).toBe('b');
  });

  it('let others go on beside one that takes too long', async () => {
    const { log, work, end } = steps();
    const turns = new SharedTurns(20);
    const alone = turns.runAlone(work('a'));
    const other = turns.runTogether(work('b'));
    await sleep(5);
    expect(log).toEqual(['begin a']);
    await sleep(40);
    expect(log).toEqual(['begin a', 'begin b']);
    await end('b');
    await end('a');
    expect(await Promise.all([alone, other])).toEqual(['a', 'b']);
  });
});
