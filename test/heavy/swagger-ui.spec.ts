import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';

const CHROMIUM = process.env['CHROMIUM'] ?? 'chromium';
const QUIET = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let t: TestApp;
let profile: string;

beforeAll(async () => {
  t = await startTestApp();
  profile = mkdtempSync(join(tmpdir(), 'vigia-chromium-'));
});

afterAll(async () => {
  await t.close();
  rmSync(profile, { recursive: true, force: true });
});

/** The page after its scripts have run. Needs Chromium: install it, or name it in CHROMIUM. */
async function rendered(path: string): Promise<string> {
  const arguments_ = [
    ...QUIET,
    `--user-data-dir=${profile}`,
    '--virtual-time-budget=8000',
    '--dump-dom',
    t.url + path,
  ];
  const { stdout } = await promisify(execFile)(CHROMIUM, arguments_, { maxBuffer: 64 * 1_024 * 1_024 });
  return stdout;
}

it('Swagger UI draws every operation and webhook under our content security policy', async () => {
  const page = await rendered('/docs');
  for (const text of [
    '/kyt/transactions/ingest',
    '/kyt/transactions/ingest/batch',
    '/kyt/transactions/{transactionId}',
    '/client-apps/public/{clientId}',
    'kyt.transaction.pipeline.completed',
  ]) {
    expect(page.replaceAll('\u200b', '')).toContain(text);
  }
}, 60_000);

it('the errors page has a section for the code that an error points to', async () => {
  expect(await rendered('/docs/errors')).toContain('id="VALIDATION_FAILED"');
}, 60_000);
