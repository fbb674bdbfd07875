import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileForRun } from './support/compiled-tree.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const PREFIX = 'vigia-test-';

/**
 * One PostgreSQL and one Redis for the whole run, in a folder of their own; DATABASE_URL and REDIS_URL are used
 * instead where they are set. The test files find them in TEST_OWNER_URL, TEST_APP_PASSWORD and TEST_REDIS_URL
 * (absent when there is no Redis to be had), a folder for what they write in TEST_DATA_DIR, and the programs, compiled
 * from the present sources, in TEST_COMPILED_DIR.
 */
export default async function globalSetup() {
  const { passwordIn, startStack, sweepAbandoned } = await import('../launcher/stack.js');
  const { urlForRole } = await import('../src/platform/database/connection/app-role.js');

  await sweepAbandoned(os.tmpdir(), PREFIX);
  const dir = mkdtempSync(path.join(os.tmpdir(), PREFIX));
  const ownerUrl = process.env.DATABASE_OWNER_URL || process.env.DATABASE_URL || undefined;
  // A given server may be the one that `npm start` uses too: the same password, or its service could not log in any more.
  const appUrl =
    ownerUrl && urlForRole(ownerUrl, 'vigia_app', passwordIn(path.join(dataDir(), 'pg-app.password')));
  const stack = await startStack(
    { dir, cacheDir: path.join(dataDir(), 'cache'), durable: false, quiet: true },
    { ownerUrl, appUrl, redisUrl: process.env.REDIS_URL || undefined },
  );
  globalThis.vigiaTestStack = stack;
  process.env.VIGIA_TEST_RUN = randomBytes(4).toString('hex');
  compileForRun();
  // Files of applications go with this folder, also one written while another application with the same data is closed.
  process.env.TEST_DATA_DIR = path.join(dir, 'applications');
  process.env.TEST_OWNER_URL = stack.ownerUrl;
  process.env.TEST_APP_PASSWORD = decodeURIComponent(new URL(stack.appUrl).password);
  if (stack.redisUrl !== null) process.env.TEST_REDIS_URL = stack.redisUrl;
  else {
    const missing = 'There is no Redis: install redis-server or valkey, or set REDIS_URL.';
    // Half of what is promised would not be tested, and the run would be green.
    if (process.env.CI === 'true') throw new Error(missing);
    console.warn(missing);
  }
}

function dataDir() {
  return path.resolve(root, process.env.DATA_DIR || '.data');
}
