import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { startTestApp, type TestApp } from '../support/app.js';
import { openBrowser } from '../support/browser.js';
import { needs } from '../support/needs.js';

needs('chromium').describe('the documentation of the API', () => {
  let t: TestApp;
  let browser: Browser;

  beforeAll(async () => {
    [t, browser] = await Promise.all([startTestApp(), openBrowser()]);
  }, 60_000);

  afterAll(async () => {
    await browser.close();
    await t.close();
  });

  it('Swagger UI draws every operation and webhook under our content security policy', async () => {
    const page = await browser.newPage();
    await page.goto(`${t.url}/docs`);
    await page.locator('.opblock').first().waitFor();
    const text = ((await page.textContent('body')) ?? '').replaceAll('\u200b', '');
    for (const expected of [
      '/kyt/transactions/ingest',
      '/kyt/transactions/ingest/batch',
      '/kyt/transactions/{transactionId}',
      '/client-apps/public/{clientId}',
      'kyt.transaction.pipeline.completed',
    ]) {
      expect(text).toContain(expected);
    }
  }, 60_000);

  it('the errors page has a section for the code that an error points to', async () => {
    const page = await browser.newPage();
    await page.goto(`${t.url}/docs/errors#VALIDATION_FAILED`);
    expect(await page.locator('section:target h2').textContent()).toContain('VALIDATION_FAILED');
  }, 60_000);
});
