import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { AsyncScope } from './async-scope.js';

describe('AsyncScope', () => {
  it('has its value in all that the work calls, and none outside', async () => {
    const scope = new AsyncScope<string>();
    const seen = await Promise.all(
      ['a', 'b'].map((name) =>
        scope.run(name, async () => {
          await sleep(name === 'a' ? 5 : 1);
          return [scope.value, await scope.run('inner', async () => scope.value), scope.value];
        }),
      ),
    );
    expect(seen).toEqual([
      ['a', 'inner', 'a'],
      ['b', 'inner', 'b'],
    ]);
    expect(scope.value).toBeUndefined();
  });

  it('is there again after everybody had left, also by an error', async () => {
    const scope = new AsyncScope<number>();
    await expect(scope.run(1, async () => Promise.reject(new Error('it failed')))).rejects.toThrow(
      'it failed',
    );
    expect(scope.value).toBeUndefined();
    expect(await scope.run(2, async () => sleep(1).then(() => scope.value))).toBe(2);
  });
});
