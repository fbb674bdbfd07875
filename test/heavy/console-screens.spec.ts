import { expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { aTransaction } from '../support/builders.js';
import { CONSOLE_ADDRESSES, OF_THE_FRAME } from '../support/console-addresses.js';
import { ConsoleDesk } from '../support/console-desk.js';
import { faultsOfLayers, faultsOfScreens } from '../support/console-screens.js';
import { eventually } from '../support/eventually.js';
import { withFlow } from '../support/flows.js';
import { LISTED, withLists } from '../support/lists.js';
import { needs } from '../support/needs.js';
import { SHORT } from '../support/page-flow.js';

const REQUEST = 'req_019364d0c0de7000a000000000000001';

needs('chromium').describe('every screen of the console', () => {
  const desk = ConsoleDesk.forBlock({ rules: false });

  async function onEach(page: Page, look: (address: string) => Promise<string | null>): Promise<string[]> {
    const findings: string[] = [];
    for (const address of CONSOLE_ADDRESSES) {
      await page.goto(`/console${address}`);
      const found = await look(address);
      if (found !== null) findings.push(`${address}: ${found}`);
    }
    return findings;
  }

  it('shows every screen of an organisation that has nothing yet, and says what would bring something', async () => {
    const { page, visit } = await desk.person('none');
    const silent: string[] = [];
    const findings = await onEach(page, async (address) => {
      await page.locator('h1').first().waitFor();
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
      if ((await page.locator('.empty p, .empty div.quiet').count()) === 0) silent.push(address);
      const failures = await page.locator('[role=alert]').allInnerTexts();
      return failures.length === 0 ? null : failures.join();
    });
    expect(findings).toEqual([]);
    // Forms, the home, and what is there before anybody did anything.
    expect(silent).toEqual(['/', '/flows', '/flows/new', '/rules/new', '/apps', '/account']);
    expect(visit.complaints).toEqual([]);
    await visit.context.close();
  }, 600_000);

  it('tells the number of the request where the service fails, and goes on when it is back', async () => {
    const { page, visit } = await desk.person('fail');
    const fail = (route: Route): Promise<void> =>
      OF_THE_FRAME.test(route.request().url())
        ? route.continue()
        : route.fulfill({
            status: 500,
            json: { data: null, error: { code: 'INTERNAL_ERROR', message: 'x', requestId: REQUEST } },
          });
    await page.route('**/operator/**', fail);
    // Screens that ask for nothing but the frame, or for nothing before somebody writes.
    const asksNothing = ['/account', '/flows/new', '/audit', '/rules/new'];
    const findings = await onEach(page, async (address) => {
      await page.locator('h1, [role=alert]').first().waitFor();
      if (asksNothing.includes(address)) return null;
      await page.getByText(REQUEST).first().waitFor();
      return (await page.getByRole('button', { name: 'Try again' }).count()) > 0 ? null : 'no way on';
    });
    expect(findings).toEqual([]);
    await page.goto('/console/look-backs');
    await page.getByText(REQUEST).waitFor();
    await page.unroute('**/operator/**', fail);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No look-back').waitFor();
    await visit.context.close();
  }, 600_000);

  it.each([
    ['pt-BR', 'light'],
    ['en-US', 'dark'],
  ] as const)(
    'has no axe finding and no sideways scrolling on any screen in %s, %s',
    async (locale, theme) => {
      const { page, visit } = await desk.person(`axe-${theme}`, undefined, { locale });
      expect(await faultsOfScreens(page, CONSOLE_ADDRESSES, theme)).toEqual([]);
      expect(await faultsOfLayers(page, theme)).toEqual([]);
      await visit.context.close();
    },
    600_000,
  );

  /** The screens of single things, of which there is one each from here on. */
  async function single(): Promise<string[]> {
    const { organisationId } = desk.client;
    await withLists(desk.t, organisationId);
    await withFlow(desk.t, organisationId, { key: 'short', ...SHORT });
    const officer = await desk.operator();
    await officer.post('/operator/kyc-sessions').send({ flowKey: 'short' }).expect(201);
    const listed = aTransaction({ destination: { name: LISTED.sanctions, country: 'BR' } });
    await desk.t.api.as(desk.client).post('/kyt/transactions/ingest').send(listed).expect(202);
    const lists = {
      ...{ reviews: 'cases', hits: 'hits', customers: 'customers', transactions: 'transactions' },
      ...{ lists: 'lists', 'kyc-sessions': 'sessions' },
    };
    const found: string[] = ['/flows/short'];
    for (const [list, screen] of Object.entries(lists)) {
      const id = await eventually(`there are ${list}`, async () => {
        const { body } = await officer.get(`/operator/${list}`).expect(200);
        const [one] = (body as { data: { id?: string; reference?: string }[] }).data;
        return one?.id ?? one?.reference;
      });
      found.push(`/${screen}/${id}`);
    }
    return found;
  }

  it('reaches everything on every screen with Tab, sees where it is, and is held nowhere', async () => {
    const { page, visit } = await desk.person('keys');
    const findings: string[] = [];
    for (const address of [...CONSOLE_ADDRESSES, ...(await single())]) {
      await page.goto(`/console${address}`);
      await page.locator('h1').first().waitFor();
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
      // One line of a list takes the focus; J and K go on from there.
      const targets = await page.evaluate<number>(`(() => {
        const all = [...document.querySelectorAll('main a, main button, main input, main select, main textarea')];
        return all.filter((one) => !one.disabled && one.tabIndex >= 0 && one.checkVisibility()).length;
      })()`);
      await page.locator('#screen').focus();
      const seen = new Set<string>();
      let unseen = 0;
      for (let at = 0; at < targets + 12; at += 1) {
        await page.keyboard.press('Tab');
        const found = await page.evaluate<{ id: string; inside: boolean; visible: boolean } | null>(`(() => {
          let one = document.activeElement;
          while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
          if (!one || one === document.body) return null;
          window.seenFocus ??= new Map();
          if (!window.seenFocus.has(one)) window.seenFocus.set(one, String(window.seenFocus.size));
          const style = getComputedStyle(one);
          const own = one.closest('.cm-editor') ?? one;
          return {
            id: window.seenFocus.get(one),
            inside: Boolean(document.activeElement.closest('main')),
            visible: style.outlineStyle !== 'none' || getComputedStyle(own).outlineStyle !== 'none',
          };
        })()`);
        if (found?.inside !== true) break;
        seen.add(found.id);
        if (!found.visible) unseen += 1;
      }
      if (unseen > 0) findings.push(`${address}: ${String(unseen)} places without a visible focus`);
      if (seen.size < targets) {
        findings.push(`${address}: ${String(seen.size)} of ${String(targets)} reached`);
      }
    }
    expect(findings).toEqual([]);
    await visit.context.close();
  }, 600_000);
});
