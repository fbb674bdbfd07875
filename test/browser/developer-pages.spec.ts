import { readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { errorCodes } from '../../src/platform/kernel/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { axeFindings, NARROW, openBrowser, overflowAt, PHONE, visit } from '../support/browser.js';
import { needs } from '../support/needs.js';

let t: TestApp;

beforeAll(async () => {
  t = await startTestApp();
});

afterAll(async () => {
  await t.close();
});

const read = async (path: string): Promise<{ status: number; text: string; headers: Headers }> => {
  const answer = await fetch(t.url + path, { redirect: 'manual', headers: { accept: 'text/html' } });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
};

/** Every page that can be reached from the first one, by its address. */
async function crawled(): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>();
  const wanted = ['/'];
  for (let path = wanted.pop(); path !== undefined; path = wanted.pop()) {
    if (pages.has(path)) continue;
    const { status, text, headers } = await read(path);
    expect([path, status]).toEqual([path, 200]);
    pages.set(path, headers.get('content-type')?.startsWith('text/html') ? text : '');
    // Swagger UI and the console have tests of their own.
    if (/^\/(docs|operator\/docs|console)$/.test(path)) continue;
    const links = (pages.get(path) ?? '').matchAll(/(?:href|src)="(\/[^"#]*)/g);
    wanted.push(...[...links].map(([, found = '']) => found));
  }
  return pages;
}

describe('The pages for developers', () => {
  it('lead from the first one to every document, every route and every error, with no link that is broken', async () => {
    const pages = await crawled();
    const documents = [...readdirSync('docs'), ...readdirSync('docs/pt').map((name) => `pt/${name}`)];
    for (const name of documents.filter((file) => file.endsWith('.md'))) {
      if (name.endsWith('README.md') || name === 'errors.md') continue;
      expect([...pages.keys()]).toContain(`/developers/${name.replace('.md', '')}`);
    }
    for (const id of ['ingestTransaction', 'createSession', 'readEvents', 'listScenarios']) {
      expect([...pages.keys()]).toContain(`/developers/reference/${id}`);
    }
    const anchors = (text: string): Set<string> =>
      new Set([...text.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id));
    const broken = [...pages].flatMap(([path, text]) =>
      [...text.matchAll(/href="(\/(?:developers|docs\/errors)[^"#]*|)#([^"]+)"/g)]
        .filter(([, to = '', anchor = '']) => !anchors(pages.get(to || path) ?? '').has(anchor))
        .map(([link]) => `${path}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it('show each call by curl and by the clients, with what it takes and answers', async () => {
    const { text } = await read('/developers/reference/ingestTransaction');
    for (const words of [
      'curl -s',
      'vigia.ingest(',
      'client.Send(',
      '<code>origin.name</code>',
      'OVERLOADED',
    ]) {
      expect(text).toContain(words);
    }
  });

  it('name what is where to a program that asks the bare address', async () => {
    const answer = await fetch(t.url);
    const { data } = (await answer.json()) as { data: { documents: string[]; pages: { path: string }[] } };
    const paths = [...data.documents, ...data.pages.map(({ path }) => path)];
    expect(paths).toEqual(
      expect.arrayContaining(['/openapi.json', '/docs', '/operator/docs', '/docs/errors', '/health/ready']),
    );
    for (const path of paths) expect([path, (await fetch(t.url + path)).status]).toEqual([path, 200]);
  });

  it('part the errors of integrators from those that only operators meet, with contents', async () => {
    const { text } = await read('/docs/errors');
    const [integrators = '', operators = ''] = text.split('id="operators"');
    for (const [part, code] of [
      [integrators, 'TRANSACTION_ID_CONFLICT'],
      [integrators, 'RATE_LIMITED'],
      [operators, 'TOTP_REQUIRED'],
    ] as const) {
      expect(part).toContain(`href="#${code}"`);
      expect(part).toContain(`<section id="${code}">`);
    }
    const codes = [...text.matchAll(/<section id="(\w+)">/g)].map(([, code]) => code);
    expect([...codes].sort()).toEqual(Object.keys(errorCodes).sort());
  });

  it('say of a translation which language it is in, for the page and for the search', async () => {
    const { text } = await read('/developers/pt/coaf');
    expect(text).toContain('<main id="main" lang="pt-BR">');
    const { sections } = (await (await fetch(`${t.url}/developers/search.json`)).json()) as {
      sections: { path: string; lang: string }[];
    };
    const marked = sections.filter(({ lang }) => lang === 'pt-BR').map(({ path }) => path);
    expect(marked).toContain('/developers/pt/coaf');
    expect(marked.filter((path) => !/^\/developers\/pt(\/|#|$)/.test(path))).toEqual([]);
  });

  it('begin a guide with its contents, each a link to a part of it', async () => {
    for (const path of ['/developers/webhooks', '/developers/integrating', '/developers/start']) {
      const { text } = await read(path);
      const [, contents = ''] = /<nav aria-label="On this page">(.*?)<\/nav>/s.exec(text) ?? [];
      const links = [...contents.matchAll(/href="#([^"]+)"/g)].map(([, anchor]) => anchor);
      const parts = [...text.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id);
      expect([path, parts.length > 2, links]).toEqual([path, true, parts]);
    }
  });

  it('say that there is no such page, list themselves for programs, and run nothing that is not theirs', async () => {
    const missing = await read('/developers/../../etc/passwd%00');
    expect(missing.status).toBe(404);
    expect((await read('/developers/nothing')).text).toContain('There is no such page');
    const { text, headers } = await read('/llms.txt');
    expect(headers.get('content-type')).toContain('text/plain');
    expect(text).toContain('/developers/webhooks)');
    for (const path of ['/', '/docs/errors']) {
      const { headers: sent } = await read(path);
      expect([path, sent.get('x-content-type-options'), sent.get('referrer-policy')]).toEqual([
        ...[path, 'nosniff', 'no-referrer'],
      ]);
      expect([sent.get('cross-origin-opener-policy'), sent.get('cross-origin-resource-policy')]).toEqual([
        ...['same-origin', 'same-origin'],
      ]);
      for (const name of ['x-powered-by', 'server', 'access-control-allow-origin']) {
        expect([name, sent.get(name)]).toEqual([name, null]);
      }
    }
    const policy = (await read('/')).headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`default-src 'none'`);
    expect(policy).not.toContain('unsafe');
  });

  it('reach their first text within 100 kB, style and script included', async () => {
    const zipped = async (path: string): Promise<number> => {
      const answer = await fetch(t.url + path, {
        headers: { 'accept-encoding': 'gzip', accept: 'text/html' },
      });
      expect([path, answer.headers.get('content-encoding')]).toEqual([path, 'gzip']);
      // The client has unzipped it.
      return gzipSync(Buffer.from(await answer.arrayBuffer())).length;
    };
    for (const path of [
      '/',
      '/developers/start',
      '/developers/br-starter',
      '/developers/reference',
      '/docs/errors',
    ]) {
      const { text } = await read(path);
      const parts = [...text.matchAll(/(?:href|src)="(\/developers\/pages[^"]*)"/g)].map(
        ([, part = '']) => part,
      );
      expect(parts).toHaveLength(2);
      let sum = 0;
      for (const part of [path, ...parts]) sum += await zipped(part);
      expect([path, sum < 100_000]).toEqual([path, true]);
    }
  });
});

needs('chromium').describe('The pages for developers in a browser', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser.close();
  });

  const PATHS = [
    ...[
      '/',
      '/developers/start',
      '/developers/integrating',
      '/developers/webhooks',
      '/developers/rule-language',
    ],
    ...[
      '/developers/reference',
      '/developers/reference/ingestTransaction',
      '/docs/errors',
      '/developers/nothing',
    ],
  ];

  it('have no axe finding in both themes, and fit on narrow screens', async () => {
    const { page, complaints } = await visit(browser, t.url, { viewport: { width: 1280, height: 900 } });
    const findings: string[] = [];
    for (const path of PATHS) {
      await page.goto(path);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const one of await axeFindings(page)) findings.push(`${path} ${colorScheme}: ${one}`);
      }
      for (const { width } of [PHONE, NARROW]) {
        if ((await overflowAt(page, width)) > 0) findings.push(`${path} scrolls sideways at ${width}`);
      }
    }
    expect(findings).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('are searched without a server, by keys alone', async () => {
    const { page, complaints } = await visit(browser, t.url, { viewport: { width: 1280, height: 900 } });
    await page.goto('/developers');
    await page.keyboard.press('/');
    await page.keyboard.type('TRANSACTION_ID_CONFLICT');
    await page.locator('.found a').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/errors#TRANSACTION_ID_CONFLICT');
    await page.keyboard.press('/');
    await page.keyboard.type('zzzzqq');
    await page.getByText('Nothing is found').waitFor();
    expect(complaints).toEqual([]);
  });

  it('are found with a letter wrong, and by the words of the glossary in Portuguese', async () => {
    const { page, complaints } = await visit(browser, t.url, { viewport: { width: 1280, height: 900 } });
    await page.goto('/developers');
    const input = page.getByRole('searchbox');
    for (const [typed, heading] of [
      ['webhok', 'Webhook'],
      ['signatrue', 'ignature'],
      ['impedimento', 'List'],
      ['apontamento', 'Casos'],
      ['guarda legal', ''],
    ] as const) {
      await input.fill(typed);
      await page.locator('.found a:not([href*=glossary])', { hasText: heading }).first().waitFor();
    }
    expect(complaints).toEqual([]);
  });

  it('can be read without their script', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL: t.url });
    const page = await context.newPage();
    await page.goto('/');
    await page
      .getByRole('link', { name: /^Quick start/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Start it' }).waitFor();
    expect(await page.locator('.search').isVisible()).toBe(false);
    await context.close();
  });
});
