import { getMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { createWaitSignal, parsePreferredSeconds } from './wait-preference.js';

describe('a Prefer header', () => {
  it.each<[string | undefined, number | null]>([
    ['wait=1', 1],
    ['respond-async, wait=5', 5],
    ['WAIT = "7"; of=course, handling=lenient', 7],
    ['wait=10', 10],
    ['wait=3600', 10],
    ['wait=2, wait=9', 2],
    ['note="a, wait=3, b", wait=4', 4],
    [undefined, null],
    ['', null],
    ['wait', null],
    ['wait=0', null],
    ['wait=-1', null],
    ['wait=1.5', null],
    ['wait=soon', null],
    ['await=5', null],
    ['note="a, wait=3"', null],
    [`${'"'.repeat(9_999)}, wait=5`, null],
  ])('%s asks for %p seconds', (header, seconds) => {
    expect(parsePreferredSeconds(header)).toBe(seconds);
  });
});

describe('the signal of a wait', () => {
  it('is waited for by each transaction of a batch without a warning', () => {
    const listened = { once: () => undefined } as unknown as ServerResponse;
    const signal = createWaitSignal(1, undefined, listened);
    expect(signal && getMaxListeners(signal)).toBe(1_000);
  });
});
