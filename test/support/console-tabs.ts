import type { Server, IncomingMessage, ServerResponse } from 'node:http';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import type { TestApp } from './app.js';
import type { BrowserWindow } from './browser.js';
import { ConsolePerson, type ConsoleAccount } from './console-person.js';
import { eventually } from './eventually.js';

const isStream = (request: Request): boolean => request.url().includes('/operator/stream');

/** Counts the streams that a service has open. */
export class OpenStreams {
  private readonly open = new Set<ServerResponse>();

  constructor(service: TestApp) {
    const server: Server = service.app.getHttpServer();
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (request.url?.startsWith('/operator/stream') !== true) return;
      this.open.add(response);
      response.once('close', () => this.open.delete(response));
    });
  }

  async are(count: number): Promise<void> {
    await eventually(`${count} streams are open`, () => Promise.resolve(this.open.size === count));
  }
}

/** The tabs of one person in one browser: seen, as windows side by side, unless they stand in a window. */
export class ConsoleTabs {
  private holder: Page | null = null;

  private readonly context: BrowserContext;
  readonly pages: Page[];

  private constructor(readonly person: ConsolePerson) {
    this.context = person.visit.context;
    this.pages = [person.page];
  }

  static async open(
    browser: Browser,
    service: Pick<TestApp, 'url'>,
    who: ConsoleAccount,
    count: number,
    window?: BrowserWindow,
  ): Promise<ConsoleTabs> {
    const options = window && { window };
    const tabs = new ConsoleTabs(await ConsolePerson.signsIn(browser, service.url, who, options));
    tabs.context.on('request', (request) => {
      if (isStream(request)) tabs.holder = request.frame().page();
    });
    while (tabs.pages.length < count) tabs.pages.push(await tabs.context.newPage());
    await Promise.all(tabs.pages.map((tab) => tab.goto(`${service.url}/console/cases`)));
    return tabs;
  }

  /** The tab that has asked for the stream last. */
  get holding(): Page {
    if (!this.holder) throw new Error('no tab has asked for the stream');
    return this.holder;
  }

  get others(): Page[] {
    return this.pages.filter((page) => page !== this.holder);
  }

  async areLive(): Promise<void> {
    await Promise.all(this.pages.map((page) => page.locator('.live.on').waitFor()));
  }

  /** A tab in a window of its own, beside the others. */
  async opensWindow(): Promise<Page> {
    const [first] = this.pages;
    if (!first) throw new Error('there is no tab');
    const session = await this.context.newCDPSession(first);
    const [page] = await Promise.all([
      this.context.waitForEvent('page'),
      session.send('Target.createTarget', { url: first.url(), newWindow: true }),
    ]);
    return page;
  }

  /** The tab that asked last is this one, after it is the one that is seen. */
  async shows(page: Page): Promise<Request> {
    const asked = this.nextStream();
    await page.bringToFront();
    const request = await asked;
    await eventually('the tab that is seen holds the stream', () => this.holding === page);
    return request;
  }

  /** The number of cases in each rail changes by the stream: it is asked for once a minute only. */
  async everyCountGrows(): Promise<void> {
    await Promise.all(
      this.pages.map(async (page) => {
        const count = page.locator('.rail a[href$="/cases"]');
        const before = await count.innerText();
        await eventually('the number grows', async () => (await count.innerText()) !== before, 30_000);
      }),
    );
  }

  async closesHolder(): Promise<void> {
    await this.leaving().close();
  }

  async crashesHolder(): Promise<void> {
    const crashing = this.leaving();
    await Promise.all([
      crashing.waitForEvent('crash'),
      crashing.goto('chrome://crash').catch(() => undefined),
    ]);
  }

  /** The tab stays open and does nothing any more. */
  async hangsHolder(): Promise<Page> {
    const hanging = this.leaving();
    await hanging.evaluate('void setTimeout(() => { for (;;); })');
    return hanging;
  }

  /** The next call that asks for the stream. */
  nextStream(): Promise<Request> {
    return this.context.waitForEvent('request', { predicate: isStream });
  }

  async minimises(state: 'minimized' | 'normal'): Promise<void> {
    const [page] = this.pages;
    if (!page) throw new Error('there is no tab');
    const session = await this.context.newCDPSession(page);
    const { windowId } = await session.send('Browser.getWindowForTarget');
    await session.send('Browser.setWindowBounds', { windowId, bounds: { windowState: state } });
  }

  private leaving(): Page {
    const { holding } = this;
    this.pages.splice(this.pages.indexOf(holding), 1);
    return holding;
  }

  close(): Promise<void> {
    return this.context.close();
  }
}
