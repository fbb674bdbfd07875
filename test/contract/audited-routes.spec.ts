import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Walk } from '../support/walk.js';
import { beginWalk, endWalk, ENTRY_ALONE, parts, WITHOUT_ENTRY } from '../support/walked-routes.js';

let walk: Walk;

beforeAll(async () => {
  ({ walk } = await beginWalk());
});

afterAll(endWalk);

it.each(parts)('%s', async (_, take) => {
  await take();
});

describe('the walk', () => {
  it('has come to every route that may change something, or says why there is no entry', () => {
    expect(walk.mutating.filter((name) => !walk.taken.has(name))).toEqual([]);
    const silent = [...walk.taken].filter(([, actions]) => actions.length === 0).map(([name]) => name);
    expect(silent.sort()).toEqual(Object.keys(WITHOUT_ENTRY).sort());
    const declared = [...Object.keys(WITHOUT_ENTRY), ...Object.keys(ENTRY_ALONE)];
    expect(declared.filter((name) => !walk.mutating.includes(name))).toEqual([]);
  });
});
