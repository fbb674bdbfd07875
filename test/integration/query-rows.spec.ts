import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScopedClient } from '../../src/platform/database/connection/scoped-client.js';
import { freshDatabase } from '../support/database.js';

const MEGABYTE = 1_048_576;

let client: ScopedClient;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options?: { readonly type: 'minor' }) => void;

const old = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? 0;

beforeAll(async () => {
  client = new ScopedClient((await freshDatabase()).appUrl);
  await client.connect();
});

afterAll(async () => {
  await client.end();
});

describe('the rows of a query', () => {
  it('are gone with the next look at the young part of the heap once nobody needs them', async () => {
    const read = async (): Promise<void> => {
      const text = "SELECT repeat('x', 10000) AS text FROM generate_series(1, $1::int)";
      expect((await client.query(text, [50])).rows).toHaveLength(50);
    };
    collect();
    let became = 0;
    for (let page = 0; page < 60; page += 1) {
      const before = old();
      await read();
      if (page % 5 === 4) {
        // An object that outlives two collections is old.
        collect({ type: 'minor' });
        collect({ type: 'minor' });
      }
      // Less when the engine has looked at all of it meanwhile.
      became += Math.max(0, old() - before);
    }
    // 30 MB were read.
    expect(became).toBeLessThan(6 * MEGABYTE);
  });

  it('that it does not have are told by an error whose stack leads to who asked', async () => {
    const error: unknown = await client.query('SELECT 1 / 0').catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: '22012', message: 'division by zero' });
    expect((error as Error).stack).toContain('query-rows.spec');
  });
});
