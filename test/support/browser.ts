import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { chromiumPath } from './browser-path.js';
import { eventually } from './eventually.js';

/** Builds the page where it is older than its sources; in a process of its own, as Vite does not run inside of Jest. */
export async function buildPage(): Promise<void> {
  await promisify(execFile)(process.execPath, ['scripts/build-page.mjs']);
}

/** Chromium without a window, and with a camera that shows a test picture, or the pictures of a file. */
export function openBrowser(cameraFile?: string): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath ?? 'chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--use-fake-device-for-media-stream',
      ...(cameraFile === undefined ? [] : [`--use-file-for-fake-video-capture=${cameraFile}`]),
    ],
  });
}

/** Chromium as people have it: one window, of whose tabs one is seen. Playwright's own shows every tab as if it were. */
export interface BrowserWindow {
  readonly context: BrowserContext;
  close(): Promise<void>;
}

export async function openWindow(): Promise<BrowserWindow> {
  const profile = await mkdtemp(join(tmpdir(), 'vigia-window-'));
  const chromiumProcess = spawn(
    chromiumPath ?? 'chromium',
    [
      ...[
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-sync',
      ],
      ...['--disable-background-networking', '--disable-component-update', '--lang=en-US'],
      ...['--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'],
    ],
    { stdio: 'ignore' },
  );
  const ended = once(chromiumProcess, 'exit');
  const port = await eventually('Chromium says where it listens', async () => {
    const said = await readFile(join(profile, 'DevToolsActivePort'), 'utf8').catch(() => '');
    return /^(\d+)\n/.exec(said)?.[1];
  });
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`, { noDefaults: true });
  const [context] = browser.contexts();
  if (!context) throw new Error('Chromium has no window');
  return {
    context,
    close: async () => {
      await browser.close();
      chromiumProcess.kill();
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export const PHONE = { width: 390, height: 844 } as const;
/** The narrowest screen that has to do (WCAG 2.2, 1.4.10). */
export const NARROW = { width: 320, height: 640 } as const;

/** One person's browser: a page, and everything that it should not have done. */
export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Violations of the content security policy, errors of scripts, requests to other origins. */
  readonly complaints: string[];
}

/** Opens a page of `origin` in a browser that shares nothing with the others. */
export async function visit(
  browser: Browser,
  origin: string,
  options: {
    readonly locale?: string;
    readonly timezoneId?: string;
    readonly camera?: boolean;
    readonly viewport?: { width: number; height: number };
    /** Addresses that are out of reach. */
    readonly out?: string;
    /** Stands in place of a browser that shares nothing. */
    readonly window?: BrowserWindow;
  } = {},
): Promise<Visit> {
  const context =
    options.window?.context ??
    (await browser.newContext({
      viewport: options.viewport ?? PHONE,
      locale: options.locale ?? 'pt-BR',
      ...(options.timezoneId !== undefined && { timezoneId: options.timezoneId }),
      permissions: options.camera === true ? ['camera'] : [],
      baseURL: origin,
      // A colour on its way to another one is no finding.
      reducedMotion: 'reduce',
      // The certificate of the tests is known to no browser.
      ignoreHTTPSErrors: origin.startsWith('https:'),
    }));
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  if (options.out !== undefined) await page.route(options.out, (route) => route.abort());
  const complaints: string[] = [];
  page.on('console', (message) => {
    const text = message.text();
    // An answer that is an error is not a fault of the page.
    if (message.type() === 'error' && !text.startsWith('Failed to load resource')) complaints.push(text);
  });
  page.on('pageerror', (error) => {
    complaints.push(error.message);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'blob:' && url.origin !== new URL(origin).origin) {
      complaints.push(`request to ${url.origin}`);
    }
  });
  return { context, page, complaints };
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Returns axe's findings about the page as it is now, in words; with one rule, what it says of that one. */
export async function axeFindings(page: Page, rule?: string): Promise<string[]> {
  const runOnly = rule === undefined ? RULES : { type: 'rule', values: [rule] };
  await page.evaluate(axeSource);
  return page.evaluate(`
    axe.run(document, { runOnly: ${JSON.stringify(runOnly)} }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' at ' + target + ': ' + failureSummary)),
    )`);
}

/** How many pixels of the page lie outside of a screen of this width. */
export async function overflowAt(page: Page, width: number): Promise<number> {
  const before = page.viewportSize() ?? PHONE;
  await page.setViewportSize({ width, height: before.height });
  // A script places menus, which therefore follow the new width only with the next frame.
  const overflow = await page.evaluate<number>(`new Promise((done) => {
    const measured = () => done(document.documentElement.scrollWidth - document.documentElement.clientWidth);
    requestAnimationFrame(() => requestAnimationFrame(measured));
  })`);
  await page.setViewportSize(before);
  return overflow;
}

/** A photo, as a phone would take it, made by the browser itself. */
export async function aPhoto(
  page: Page,
  { width = 1_200, height = 800, text = 'DOCUMENTO' } = {},
): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const base64 = await page.evaluate<string>(`(() => {
    const canvas = document.createElement('canvas');
    canvas.width = ${width};
    canvas.height = ${height};
    const paint = canvas.getContext('2d');
    paint.fillStyle = '#9bb8d3';
    paint.fillRect(0, 0, ${width}, ${height});
    for (let i = 0; i < 600; i += 1) {
      paint.fillStyle = 'hsl(' + Math.random() * 360 + ' 40% 60%)';
      paint.fillRect(Math.random() * ${width}, Math.random() * ${height}, ${width} / 30, ${height} / 30);
    }
    paint.fillStyle = '#123';
    paint.font = '${Math.round(height / 10)}px sans-serif';
    paint.fillText(${JSON.stringify(text)}, ${width} / 10, ${height} / 2);
    return canvas.toDataURL('image/jpeg', 0.9).split(',')[1];
  })()`);
  return { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(base64, 'base64') };
}
