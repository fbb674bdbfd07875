import { describe, expect, it } from '@jest/globals';
import { QuietCheck } from './commit-marks.js';

const databaseWith = (marks: string[]): { read: () => Promise<string> } => ({
  read: () => Promise.resolve(marks.shift() ?? 'last'),
});

describe('a check for commits', () => {
  it('is quiet only after a look that found nothing, until something is committed', async () => {
    const check = new QuietCheck(databaseWith(['a', 'a', 'a', 'b', 'b', 'b']), Infinity);
    expect(await check.isQuiet()).toBe(false);
    expect(await check.isQuiet()).toBe(false);
    check.settle();
    expect(await check.isQuiet()).toBe(true);
    expect(await check.isQuiet()).toBe(false);
    expect(await check.isQuiet()).toBe(false);
    check.settle();
    expect(await check.isQuiet()).toBe(true);
  });

  it('does not call quiet what was committed between the mark and the look', async () => {
    const check = new QuietCheck(databaseWith(['a', 'b']), Infinity);
    await check.isQuiet();
    // The look begins after the mark; the commit of `b` may come before or after it.
    check.settle();
    expect(await check.isQuiet()).toBe(false);
  });

  it('asks for a look after its time, whatever was committed', async () => {
    const check = new QuietCheck(databaseWith(['a', 'a']), 0);
    await check.isQuiet();
    check.settle();
    expect(await check.isQuiet()).toBe(false);
  });
});
