import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { uuidOf } from '../../src/platform/kernel/index.js';
import { BlackHole } from '../support/black-hole.js';
import { aTransaction } from '../support/builders.js';
import { openWindow } from '../support/browser.js';
import { ConsoleDesk } from '../support/console-desk.js';
import { ConsolePerson } from '../support/console-person.js';
import { ConsoleTabs, OpenStreams } from '../support/console-tabs.js';
import { eventually } from '../support/eventually.js';
import { needs } from '../support/needs.js';

needs('chromium').describe('the tabs of a browser', () => {
  const desk = ConsoleDesk.forBlock();

  const opens = async (mark: string, count: number): Promise<ConsoleTabs> =>
    ConsoleTabs.open(desk.browser, desk.t, await desk.account(mark), count);

  const ingest = (): Promise<unknown> =>
    desk.t.api
      .as(desk.client)
      .post('/kyt/transactions/ingest')
      .send(
        aTransaction({ metadata: {}, amount: 50_000, destination: { name: 'Ivan Exemplo', country: 'IR' } }),
      )
      .expect(202);

  const operatorId = async (email: string): Promise<string> => {
    const { body } = await (await desk.operator('ADMIN')).get('/operator/operators').expect(200);
    return (
      (body as { data: { id: string; email: string }[] }).data.find((one) => one.email === email)?.id ?? ''
    );
  };

  it('hand the stream over when the tab that holds it crashes', async () => {
    const streams = new OpenStreams(desk.t);
    const tabs = await opens('crash', 3);
    await tabs.areLive();
    await tabs.crashesHolder();
    await streams.are(1);
    await tabs.areLive();
    const told = tabs.everyCountGrows();
    await ingest();
    await told;
    await tabs.close();
    await streams.are(0);
  });

  it('take the stream from a tab that hangs', async () => {
    const tabs = await opens('hang', 3);
    await tabs.areLive();
    const hanging = await tabs.hangsHolder();
    await eventually('another tab holds the stream', () => tabs.holding !== hanging);
    await tabs.areLive();
    const told = tabs.everyCountGrows();
    await ingest();
    await told;
    await tabs.close();
  });

  it('say within half a minute that the service is silent', async () => {
    const hole = await BlackHole.before(desk.t.url);
    const account = await desk.account('silent');
    const tabs = await ConsoleTabs.open(desk.browser, { url: new URL(hole.url).origin }, account, 3);
    await tabs.areLive();
    hole.drop();
    const begun = performance.now();
    await Promise.all(
      tabs.pages.map((page) => page.getByRole('img', { name: 'Not live', exact: false }).waitFor()),
    );
    expect(performance.now() - begun).toBeLessThan(35_000);
    await tabs.close();
    await hole.close();
  });

  it('rest after five minutes without anybody, and are told what they missed when somebody is there again', async () => {
    const streams = new OpenStreams(desk.t);
    const { page, visit } = await desk.person('rest');
    await page.clock.install();
    await page.reload();
    await page.locator('.live.on').waitFor();
    await page.clock.runFor('05:30');
    await page.getByRole('img', { name: 'Paused' }).waitFor();
    await streams.are(0);
    const asked = page.waitForRequest((request) => request.url().includes('/operator/stream'));
    await page.keyboard.press('Shift');
    await page.clock.runFor(5_000);
    expect((await asked).headers()['last-event-id']).toMatch(/^\d+$/);
    await page.locator('.live.on').waitFor();
    await streams.are(1);
    await visit.context.close();
  });

  it('tell nobody what somebody else was told, and show nobody what somebody else has read', async () => {
    const streams = new OpenStreams(desk.t);
    const account = await desk.account('first');
    const tabs = await ConsoleTabs.open(desk.browser, desk.t, account, 2);
    await tabs.areLive();
    await ingest();
    const [first, second] = tabs.pages as [Page, Page];
    await second.locator('.case-line').first().waitFor();
    const id = await operatorId(account.email);
    await second.evaluate(
      `window.heard = []; new BroadcastChannel('vigia-changes-${id}').onmessage = ({ data }) => heard.push(data)`,
    );
    // The session of the first person goes on, so that their second tab knows nothing of the change.
    await first.context().clearCookies();
    await first.reload();
    await first.locator('input[type=email]').waitFor();
    await tabs.person.enters(await desk.account('other', 'DEVELOPER'));
    await second.getByRole('button', { name: 'Developer' }).waitFor();
    expect(await second.locator('.case-line').count()).toBe(0);
    await tabs.areLive();
    await streams.are(1);
    await second.evaluate('heard.length = 0');
    await ingest();
    const officer = await desk.operator();
    await eventually('the new case is there', async () => {
      const { body } = await officer.get('/operator/reviews').expect(200);
      return (body as { data: unknown[] }).data.length > 1;
    });
    expect(await second.evaluate('heard')).toEqual([]);
    await tabs.close();
  });

  it('hand over in windows side by side, over HTTP/1.1, and read anew in one that is shown again', async () => {
    const streams = new OpenStreams(desk.t);
    const account = await desk.account('sides');
    const window = await openWindow();
    const tabs = await ConsoleTabs.open(desk.browser, desk.t, account, 2, window);
    const other = await tabs.opensWindow();
    // It waits for its turn before the first tab does.
    await other.locator('.live.on').waitFor();
    const [first] = tabs.pages as [Page];
    await first.bringToFront();
    await first.locator('.live.on').waitFor();
    await streams.are(1);
    expect(tabs.holding).toBe(other);
    await tabs.pages[1]?.bringToFront();
    // Nothing else has this asked for again.
    const asked = first.waitForRequest(/\/operator\/me$/);
    await first.bringToFront();
    await asked;
    expect(tabs.holding).toBe(other);
    await other.close();
    await eventually('the tab that is seen holds the stream', () => tabs.holding === first);
    await streams.are(1);
    await window.close();
  });

  it('say that a person has too many streams', async () => {
    const account = await desk.account('many');
    const { page, visit } = await ConsolePerson.signsIn(desk.browser, desk.t.url, account);
    await page.locator('.live.on').waitFor();
    const { organisationId } = desk.client;
    const elsewhere = new AbortController();
    const id = uuidOf('opr', await operatorId(account.email)) ?? '';
    const { token } = await desk.t.loggedIn({ id, organisationId });
    for (let i = 0; i < 4; i += 1) {
      const headers = { authorization: `Bearer ${token}` };
      await fetch(`${desk.t.url}/operator/stream?topics=badges`, { headers, signal: elsewhere.signal });
    }
    await page.getByText('in too many browsers').waitFor();
    elsewhere.abort();
    await visit.context.close();
  });
});
