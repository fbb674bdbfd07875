import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Browser } from 'playwright-core';
import { startTestApp, type TestApp } from '../support/app.js';
import { axeFindings, openBrowser, overflowAt, PHONE, visit } from '../support/browser.js';
import { sandboxClient } from '../support/sandbox.js';
import { needs, promised } from '../support/needs.js';
import { isHeavy } from '../support/timing.js';

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

  it('shows jobs in the order of work, operations closed, and no sign of its makers', async () => {
    const page = await browser.newPage();
    await page.goto(`${t.url}/docs`);
    await page.locator('.opblock').first().waitFor();
    expect(await page.locator('.opblock.is-open').count()).toBe(0);
    expect(await page.locator('.operation-filter-input').isVisible()).toBe(true);
    expect(await page.locator('.topbar').isVisible()).toBe(false);
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toBe('data:,');
    const first = page.locator('.opblock').first();
    expect(await first.textContent()).toContain('/kyt/transactions/ingest');
  }, 60_000);

  it.each([
    ['/kyt/transactions/ingest', '202'],
    ['/kyt/transactions/ingest/batch', '207'],
  ])(
    '%s: the sample that stands there is accepted and released, with another id each time',
    async (path, status) => {
      const client = await sandboxClient(t);
      const ids = new Set<string>();
      for (let times = 0; times < 2; times += 1) {
        const page = await browser.newPage();
        await page.goto(`${t.url}/docs`);
        const operation = page.locator('.opblock', { has: page.locator(`[data-path="${path}"]`) });
        await operation.first().waitFor();
        await page.evaluate(`ui.preauthorizeApiKey('client-id', ${JSON.stringify(client.clientId)})`);
        await page.evaluate(`ui.preauthorizeApiKey('client-secret', ${JSON.stringify(client.clientSecret)})`);
        await operation.locator('.opblock-summary-control').click();
        const sample: unknown = JSON.parse(await operation.locator('textarea').first().inputValue());
        await operation.locator('.execute').click();
        expect(
          await operation.locator('.live-responses-table .response-col_status').last().innerText(),
        ).toMatch(status);
        for (const { transactionId } of [sample].flat() as { transactionId: string }[]) {
          ids.add(transactionId);
          const { verdict, reasons } = await t.api.as(client).settled(transactionId);
          expect([transactionId, verdict, reasons]).toEqual([transactionId, 'RELEASE', []]);
        }
        await page.close();
      }
      expect(ids.size).toBe(2);
    },
    120_000,
  );

  it.each(['/docs', '/operator/docs'])(
    '%s has no axe finding in both themes, on a desk and on a phone, and fits',
    async (path) => {
      const findings: string[] = [];
      for (const { width, height } of [{ width: 1_280, height: 900 }, PHONE]) {
        const { page, context, complaints } = await visit(browser, t.url, { viewport: { width, height } });
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await page.goto(path);
          await page.locator('.opblock-tag').first().waitFor({ timeout: 30_000 });
          const note = async (what: string): Promise<void> => {
            const found = await axeFindings(page);
            if ((await overflowAt(page, width)) > 0) found.push('scrolls sideways');
            findings.push(...found.map((one) => `${colorScheme} ${width} ${what}: ${one}`));
          };
          await note('closed');
          if ((await page.locator('.opblock').count()) === 0) {
            await page.locator('.opblock-tag').first().click();
          }
          await page.locator('.opblock-summary-control').first().click();
          await page.locator('.responses-wrapper').first().waitFor();
          await note('open');
        }
        findings.push(...complaints);
        await context.close();
      }
      expect(findings).toEqual([]);
    },
    180_000,
  );

  it('that of operators has every member of its document, in a third of the text', async () => {
    const init = await (await fetch(`${t.url}/operator/docs/swagger-ui-init.js`)).text();
    expect(init.length).toBeLessThan(1_000_000);
    const [, json = ''] = /let options = (\{.*\});\s*url = options/s.exec(init) ?? [];
    const { swaggerDoc: shown } = runInNewContext(`(${json})`) as { swaggerDoc: OpenAPIObject };
    const whole = (await (await fetch(`${t.url}/operator/openapi.json`)).json()) as OpenAPIObject;
    expect(shown.openapi).toBe('3.0.3');
    const membersIn = ({ components }: OpenAPIObject): string[] =>
      Object.entries(components?.schemas ?? {}).flatMap(([name, schema]) =>
        Object.keys((schema as { properties?: object }).properties ?? {}).map(
          (member) => `${name}.${member}`,
        ),
      );
    expect(membersIn(shown)).toEqual(membersIn(whole));
    const routesIn = ({ paths }: OpenAPIObject): string[] =>
      Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method} ${path}`));
    expect(routesIn(shown)).toEqual(routesIn(whole));
  });

  promised(
    'that of operators begins with its tags, closed, and shows its first line little later than that of integrators',
    async () => {
      const page = await browser.newPage();
      const firstLineOf = async (path: string): Promise<number> => {
        const from = performance.now();
        await page.goto(`${t.url}${path}`, { waitUntil: 'commit' });
        await page.locator('.info .title').waitFor();
        return performance.now() - from;
      };
      // Each document is made when somebody reads it first, and a browser that has just started is slow.
      for (const path of ['/docs', '/operator/docs']) await firstLineOf(path);
      // By turns, the fastest of three: whatever else the machine does makes one of them slow.
      const times: { integrators: number; operators: number }[] = [];
      for (let i = 0; i < 3; i += 1) {
        const integrators = await firstLineOf('/docs');
        times.push({ integrators, operators: await firstLineOf('/operator/docs') });
      }
      const ofIntegrators = Math.min(...times.map(({ integrators }) => integrators));
      const ofOperators = Math.min(...times.map(({ operators }) => operators));
      // It has seven times as many operations: half of that, on whatever machine.
      if (isHeavy) expect(ofOperators / ofIntegrators).toBeLessThan(3.5);
      await page.locator('.opblock-tag').first().waitFor();
      expect(await page.locator('.opblock').count()).toBe(0);
      expect(await page.locator('.opblock-tag').first().textContent()).toContain('Login');
    },
    60_000,
  );

  it('the errors page has a section for the code that an error points to', async () => {
    const page = await browser.newPage();
    await page.goto(`${t.url}/docs/errors#VALIDATION_FAILED`);
    expect(await page.locator('section:target h3').textContent()).toContain('VALIDATION_FAILED');
  }, 60_000);
});
