import { expect, it } from '@jest/globals';
import type { Route } from 'playwright-core';
import { OF_THE_FRAME } from '../support/console-addresses.js';
import { aTransaction } from '../support/builders.js';
import { ConsoleDesk } from '../support/console-desk.js';
import { ConsolePerson } from '../support/console-person.js';
import { eventually } from '../support/eventually.js';
import { withFlow } from '../support/flows.js';
import { withLists } from '../support/lists.js';
import { needs } from '../support/needs.js';
import { SHORT } from '../support/page-flow.js';

const REQUEST = 'req_019364d0c0de7000a000000000000001';

needs('chromium').describe('the console when things go wrong', () => {
  const desk = ConsoleDesk.forBlock();

  it('draws the shape of what is to come where the network is slow', async () => {
    const { page, visit } = await desk.person('slow');
    const held: Route[] = [];
    let holding = true;
    await page.route('**/operator/**', (route) => {
      if (!holding || OF_THE_FRAME.test(route.request().url())) return route.continue();
      held.push(route);
      return undefined;
    });
    for (const address of [
      '/cases',
      '/look-backs',
      '/providers',
      '/custom-fields',
      '/settings',
      '/figures',
    ]) {
      holding = true;
      await page.goto(`/console${address}`);
      await page.locator('.skeleton').first().waitFor();
      holding = false;
      await Promise.all(held.splice(0).map((route) => route.continue().catch(() => undefined)));
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
      await page.locator('h1').first().waitFor();
    }
    await visit.context.close();
  });

  it('asks for a sign-in when it has ended, and goes on where somebody was', async () => {
    const account = await desk.account('ended');
    const person = await ConsolePerson.signsIn(desk.browser, desk.t.url, account);
    const { page } = person;
    await page.goto('/console/custom-fields');
    await page.getByText('No field').waitFor();
    const admin = await desk.operator('ADMIN');
    const { body } = await admin.get('/operator/operators').expect(200);
    const people = (body as { data: { id: string; email: string }[] }).data;
    const id = people.find(({ email }) => email === account.email)?.id ?? 'none';
    await admin.post(`/operator/operators/${id}/sessions/end`).expect(200);
    await page.reload();
    await page.locator('input[type=email]').waitFor();
    await person.enters(account);
    await page.getByText('No field').waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/custom-fields');
    await person.visit.context.close();
  });

  it('tells the second tab that the first one changed the draft of a flow', async () => {
    await withFlow(desk.t, desk.client.organisationId, { key: 'short', ...SHORT });
    const { page, visit } = await desk.person('tabs');
    const tab = await visit.context.newPage();
    for (const one of [page, tab]) {
      await one.goto(`${desk.t.url}/console/flows/short`);
      await one.getByLabel('Minimum age').waitFor();
    }
    await page.getByLabel('Minimum age').fill('21');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('The draft is saved.').waitFor();
    await tab.getByLabel('Minimum age').fill('30');
    await tab.getByRole('button', { name: 'Save draft' }).click();
    await tab.getByText('Somebody changed this in the meantime').waitFor();
    // The typed text is still there.
    expect(await tab.getByLabel('Minimum age').inputValue()).toBe('30');
    const { rows } = await desk.t.owner.query<{ age: string }>(
      `SELECT definition ->> 'minimumAge' AS age FROM flow_drafts`,
    );
    expect(rows).toEqual([{ age: '21' }]);
    await visit.context.close();
  });

  it('shows the second tab what the first one has added to a case', async () => {
    await ingest();
    const id = await firstOf('reviews');
    const { page, visit } = await desk.person('case-tabs');
    const tab = await visit.context.newPage();
    for (const one of [page, tab]) {
      await one.goto(`${desk.t.url}/console/cases/${id}`);
      await one.getByRole('button', { name: 'Propose', exact: true }).waitFor();
    }
    await page.keyboard.press('n');
    await page
      .getByRole('dialog')
      .getByLabel('Note', { exact: true })
      .fill('The bank of the payee was asked.');
    await page.keyboard.press('Control+Enter');
    // The other tab hears of it by the stream.
    await tab.getByText('The bank of the payee was asked.').waitFor();
    await visit.context.close();
  });

  it('shows single things where the network is slow, and says which request failed where the service fails', async () => {
    await ingest();
    await withLists(desk.t, desk.client.organisationId);
    const addresses = [
      `/cases/${await firstOf('reviews')}`,
      `/customers/${await firstOf('customers')}`,
      `/transactions/${await firstOf('transactions')}`,
      `/lists/${await firstOf('lists')}`,
      '/rules/BR-GEO-01',
    ];
    const { page, visit } = await desk.person('single');
    const held: Route[] = [];
    let mode: 'SLOW' | 'FAIL' | 'FINE' = 'SLOW';
    await page.route('**/operator/**', (route) => {
      if (mode === 'FINE' || OF_THE_FRAME.test(route.request().url())) return route.continue();
      if (mode === 'FAIL') {
        const error = { code: 'INTERNAL_ERROR', message: 'x', requestId: REQUEST };
        return route.fulfill({ status: 500, json: { data: null, error } });
      }
      held.push(route);
      return undefined;
    });
    for (const address of addresses) {
      mode = 'SLOW';
      await page.goto(`/console${address}`);
      await page.locator('.skeleton').first().waitFor();
      mode = 'FINE';
      await Promise.all(held.splice(0).map((route) => route.continue().catch(() => undefined)));
      await page.locator('h1').first().waitFor();
      mode = 'FAIL';
      await page.reload();
      await page.getByText(REQUEST).first().waitFor();
      mode = 'FINE';
      // Each part of the screen asks again for itself.
      await eventually('all of it is there', async () => {
        const again = page.getByRole('button', { name: 'Try again' });
        if ((await again.count()) === 0) return true;
        await again.first().click();
        return false;
      });
      await page.locator('h1').first().waitFor();
    }
    await visit.context.close();
  }, 300_000);

  const ingest = async (): Promise<unknown> =>
    desk.t.api
      .as(desk.client)
      .post('/kyt/transactions/ingest')
      .send(
        aTransaction({ metadata: {}, amount: 50_000, destination: { name: 'Ivan Exemplo', country: 'IR' } }),
      )
      .expect(202);

  const firstOf = async (list: string): Promise<string> => {
    const officer = await desk.operator();
    return eventually(`there are ${list}`, async () => {
      const { body } = await officer.get(`/operator/${list}`).expect(200);
      return (body as { data: { id: string }[] }).data[0]?.id;
    });
  };
});
