import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FairQueue, type QueuedItem } from './fair-queue.js';

interface Named extends QueuedItem {
  readonly name: string;
}
const of = (name: string, ...keys: string[]): Named => ({
  name,
  charges: keys.map((key) => ({ key, weight: 1 })),
});
const drain = (queue: FairQueue<Named>): string[] => {
  const names: string[] = [];
  for (let next = queue.shift(); next; next = queue.shift()) names.push(next.name);
  return names;
};

describe('a fair queue', () => {
  it('is first come, first served among those who have one turn each', () => {
    const queue = new FairQueue<Named>(10);
    for (const name of ['a', 'b', 'c']) queue.push(of(name, name));
    expect(drain(queue)).toEqual(['a', 'b', 'c']);
  });

  it('serves the newcomer after one turn of a flood, not after all of it', () => {
    const queue = new FairQueue<Named>(50);
    for (let i = 0; i < 40; i += 1) queue.push(of(`flood ${i}`, 'net', `account ${i}`));
    queue.push(of('ana', 'elsewhere', 'account ana'));
    expect(drain(queue).indexOf('ana')).toBeLessThanOrEqual(1);
  });

  it('counts a flood at one account from everywhere as one', () => {
    const queue = new FairQueue<Named>(50);
    for (let i = 0; i < 40; i += 1) queue.push(of(`flood ${i}`, `net ${i}`, 'account victim'));
    queue.push(of('ana', 'elsewhere', 'account ana'));
    expect(drain(queue).indexOf('ana')).toBeLessThanOrEqual(1);
  });

  it('that is full lets go of who would come last, and takes whoever has had no turn', () => {
    const queue = new FairQueue<Named>(5);
    for (let i = 0; i < 5; i += 1) expect(queue.push(of(`flood ${i}`, 'net'))).toBeNull();
    expect(queue.push(of('flood 5', 'net'))?.name).toBe('flood 5');
    expect(queue.push(of('ana', 'elsewhere'))?.name).toBe('flood 4');
    expect(queue.length).toBe(5);
  });

  it('loses nobody, serves nobody twice, and keeps to its length', () => {
    const turn = fc.record({ net: fc.nat(3), account: fc.nat(3), shifts: fc.nat(2) });
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 60 }), fc.integer({ min: 1, max: 8 }), (turns, capacity) => {
        const queue = new FairQueue<Named>(capacity);
        const [seen, waiting] = [new Set<string>(), new Set<string>()];
        turns.forEach(({ net, account, shifts }, i) => {
          waiting.add(String(i));
          const gone = queue.push(of(String(i), `net ${net}`, `account ${account}`));
          if (gone) expect(waiting.delete(gone.name)).toBe(true);
          for (let s = 0; s < shifts; s += 1) {
            const next = queue.shift();
            if (!next) break;
            expect([waiting.delete(next.name), seen.has(next.name)]).toEqual([true, false]);
            seen.add(next.name);
          }
          expect(queue.length).toBe(waiting.size);
          expect(queue.length).toBeLessThanOrEqual(capacity);
        });
        expect(new Set(drain(queue))).toEqual(waiting);
      }),
    );
  });
});
