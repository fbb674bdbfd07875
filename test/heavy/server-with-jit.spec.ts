import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startStack, type OwnStack } from '../../launcher/stack.js';
import { migrate } from '../../src/bootstrap/migrate.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { jitPostgresBin } from '../support/jit-postgres.js';
import { needs } from '../support/needs.js';

const DECISIONS = 5;

needs('jit').describe('a service on a server that compiles every plan', () => {
  let stack: OwnStack;
  let t: TestApp;

  beforeAll(async () => {
    const before = process.env['POSTGRES_BIN'];
    process.env['POSTGRES_BIN'] = jitPostgresBin ?? '';
    try {
      const dir = mkdtempSync(path.join(os.tmpdir(), 'vigia-jit-'));
      const cacheDir = path.join(dir, 'cache');
      stack = await startStack({ dir, cacheDir, durable: false, quiet: true, countStatements: true });
    } finally {
      if (before === undefined) delete process.env['POSTGRES_BIN'];
      else process.env['POSTGRES_BIN'] = before;
    }
    await migrate(stack.ownerUrl);
    t = await startTestApp({ database: stack });
    await t.owner.query('CREATE EXTENSION pg_stat_statements');
    for (const cost of ['jit_above_cost', 'jit_inline_above_cost', 'jit_optimize_above_cost']) {
      await t.owner.query(`ALTER SYSTEM SET ${cost} = 0`);
    }
    await t.owner.query('SELECT pg_reload_conf()');
  });

  afterAll(async () => {
    await t.close();
    await stack.discard();
  });

  const compiledBy = async (role: string): Promise<number> => {
    const { rows } = await t.owner.query<{ count: number }>(
      `SELECT coalesce(sum(s.jit_functions), 0)::int AS count FROM pg_stat_statements s JOIN pg_roles r ON r.oid = s.userid
       WHERE r.rolname = $1`,
      [role],
    );
    return rows[0]?.count ?? 0;
  };

  it('decides without a plan that is compiled', async () => {
    const { rows } = await t.owner.query<{ jit: string; has: boolean }>(
      `SELECT current_setting('jit') AS jit, pg_jit_available() AS has`,
    );
    expect(rows).toEqual([{ jit: 'on', has: true }]);
    const api = t.api.as(await t.client());
    for (let n = 0; n < DECISIONS; n += 1) {
      await api.post('/kyt/transactions/ingest?wait=10000').send(aTransaction()).expect(200);
    }
    expect(await compiledBy('vigia_app')).toBe(0);
    // Others are not spared.
    expect(await compiledBy('vigia')).toBeGreaterThan(0);
  });
});
