import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestApi } from '../support/api.js';
import { aTransaction } from '../support/builders.js';
import { ConsoleDesk } from '../support/console-desk.js';
import type { ConsolePerson } from '../support/console-person.js';
import { eventually } from '../support/eventually.js';
import { LISTED, withLists } from '../support/lists.js';
import { needs } from '../support/needs.js';

/** Calls that the console makes by itself, whether somebody does something or not. */
const BY_ITSELF =
  /\/operator\/(counts|stream|people|me|transactions|audit\/(health|status|gaps)|auth\/refresh)(\?|$)/;

needs('chromium').describe('the console without a mouse', () => {
  const house = ConsoleDesk.forBlock();
  let api: TestApi;
  let desk: ConsolePerson;
  let second: ConsolePerson;

  beforeAll(async () => {
    api = house.t.api.as(house.client);
    await withLists(house.t, house.client.organisationId);
    await ingest({ destination: { name: 'Ivan Exemplo', country: 'IR' }, amount: 50_000 });
    await eventually('the case is open', () => house.has('SELECT 1 FROM reviews'));
    desk = await house.person('desk');
    second = await house.person('second');
  });

  const ingest = async (fields: Record<string, unknown>): Promise<unknown> =>
    api
      .post('/kyt/transactions/ingest')
      .send(aTransaction({ metadata: {}, ...fields }))
      .expect(202);

  /** Presses keys one after the other, and counts them. */
  class Fingers {
    keys = 0;

    constructor(private readonly page: Page) {}

    async press(...keys: readonly string[]): Promise<void> {
      for (const key of keys) {
        this.keys += 1;
        await this.page.keyboard.press(key);
      }
    }
  }

  /** The calls of a page from now on that somebody's doing has brought about. */
  function callsOf(page: Page): string[] {
    const calls: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/operator/') && !BY_ITSELF.test(pathname)) {
        calls.push(`${request.method()} ${pathname.replace(/[a-z]{3}_[0-9a-f]{32}/, ':id')}`);
      }
    });
    return calls;
  }

  it('opens every screen with G and a letter', async () => {
    const { page } = desk;
    const places = [
      ...(['h Now', 'c Cases', 'a Approvals', 'u Customers', 't Transactions', 's Sessions'] as const),
      ...(['z Freezes', 'f COAF', 'b Look-backs', 'm Figures', 'y Audit', 'r Rules', 'v Flows'] as const),
      ...([
        'l Lists',
        'x Custom fields',
        'i Providers',
        'o Operators',
        'e Organisation',
        'p My apps',
      ] as const),
      ...(['w Webhooks', 'q Requests', 'd Dead letters'] as const),
    ];
    for (const place of places) await desk.goesTo(place.slice(2), place.charAt(0));
    expect(new URL(page.url()).pathname).toBe('/console/dead-letters');
  });

  it('asks for a look-back, has it approved, and reads its result, with keys alone', async () => {
    const { page } = desk;
    await desk.goesTo('Look-backs', 'b');
    await page.getByText('No look-back').waitFor();
    await page.keyboard.press('n');
    await page.getByRole('dialog').getByLabel('With which rules or list').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('The rule is new; its pattern is older.');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await second.goesTo('Approvals', 'a');
    await second.page.getByRole('heading', { name: 'Look back with the rules' }).waitFor();
    await second.page.getByText('Fingerprint of the request').waitFor();
    await second.page.keyboard.press('Control+Enter');
    await page.getByText('Finished').waitFor();
    await page.locator('tbody a').first().focus();
    await page.keyboard.press('Enter');
    await page.getByText('Result').waitFor();
    expect(await page.getByText('1 of 1').count()).toBe(1);
  });

  it('closes a false positive with at most 6 keys and 2 requests after opening it', async () => {
    const { page } = desk;
    await desk.goesTo('Cases', 'c');
    await page.locator('.case-line').first().waitFor();
    await page.keyboard.press('Enter');
    // The preview beside the list shows reasons as well: the case is open when all of its parts are there.
    await page.waitForURL(/\/cases\/rev_/);
    await page.getByRole('region', { name: 'Who' }).waitFor();
    await desk.hasEverything();
    const calls = callsOf(page);
    const fingers = new Fingers(page);
    await fingers.press('3', 'r');
    const before = [...calls];
    await fingers.press('Control+Enter');
    await page.getByText('A decision awaits the second person').waitFor();
    expect(before).toEqual([]);
    expect(fingers.keys).toBeLessThanOrEqual(6);
    // The stream tells of the change as well, a moment later: what was read already is not read again.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await desk.hasEverything();
    expect(calls).toEqual(['POST /operator/reviews/:id/decision', 'GET /operator/reviews/:id/file']);
    await second.goesTo('Approvals', 'a');
    await second.page.getByRole('heading', { name: 'Close a case' }).waitFor();
    await second.page.getByText('Fingerprint of the request').waitFor();
    await second.page.keyboard.press('Control+Enter');
    await eventually('the case is closed', () => house.has(`SELECT 1 FROM reviews WHERE status = 'CLOSED'`));
  });

  it('closes a case with a hit with at most 10 keys', async () => {
    await ingest({ destination: { name: LISTED.sanctions, country: 'BR' } });
    await eventually('the hit has a case', () => house.has('SELECT 1 FROM review_hits'));
    const { page } = desk;
    await desk.goesTo('Cases', 'c');
    await page.locator('.case-line').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/cases\/rev_/);
    await page.getByRole('link', { name: 'Compare' }).first().waitFor();
    const fingers = new Fingers(page);
    await fingers.press('h');
    await page.getByRole('heading', { name: 'Is it the same person?' }).waitFor();
    await fingers.press('n', 'Control+e', 'Control+Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await second.goesTo('Approvals', 'a');
    await second.page.getByRole('heading', { name: 'Decide a hit' }).waitFor();
    await second.page.getByText('Fingerprint of the request').waitFor();
    await second.page.keyboard.press('Control+Enter');
    await eventually('the hit is decided', () =>
      house.has(`SELECT 1 FROM screening_hits WHERE status = 'DISMISSED_FALSE_POSITIVE'`),
    );
    // The person is back at the case already.
    await page.locator('.reasons li, .components').first().waitFor();
    await fingers.press('3', 'r', 'Control+Enter');
    await page.getByText('A decision awaits the second person').waitFor();
    expect(fingers.keys).toBeLessThanOrEqual(10);
  });

  it('goes through a list with J and K, lists its keys with ?, and finds a person by name with Ctrl K', async () => {
    for (const amount of [51_000, 52_000]) {
      await ingest({ destination: { name: 'Ivan Exemplo', country: 'IR' }, amount });
    }
    await eventually('two cases are open', () =>
      house.has(`SELECT 1 FROM reviews WHERE status = 'OPEN' OFFSET 1`),
    );
    const { page } = desk;
    await desk.goesTo('Cases', 'c');
    await page.locator('.case-line').nth(1).waitFor();
    const at = (): Promise<string | null> =>
      page.locator('.case-line[aria-current=true]').getAttribute('href');
    const first = await at();
    await page.keyboard.press('j');
    const below = await at();
    expect(below).not.toBe(first);
    await page.keyboard.press('k');
    expect(await at()).toBe(first);
    await page.keyboard.press('x');
    await page.getByText('1 case marked').waitFor();
    await page.keyboard.press('x');
    await page.keyboard.press('a');
    await page.getByText('The case is assigned to you.').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('take', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('Maria');
    await page
      .getByRole('option', { name: /Maria Exemplo/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/customers\/cus_/);
    await page.getByRole('heading', { level: 1, name: 'Maria Exemplo' }).waitFor();
    expect(await page.title()).not.toContain('Maria');
  });
});
