import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { codeAt, InvitationsService } from '../../src/features/operators/index.js';
import type { TestApi } from '../support/api.js';
import { visit } from '../support/browser.js';
import { aTransaction, CPF } from '../support/builders.js';
import { ConsoleDesk } from '../support/console-desk.js';
import { DESK, type ConsolePerson } from '../support/console-person.js';
import { eventually } from '../support/eventually.js';
import { LISTED, withLists } from '../support/lists.js';
import { needs } from '../support/needs.js';
import { WebhookReceiver } from '../support/receiver.js';

const WHY = 'It was looked at, and this is what it asks for.';

needs('chromium').describe('the work at the console', () => {
  const desk = ConsoleDesk.forBlock();
  let api: TestApi;
  let officer: ConsolePerson;
  let receiver: WebhookReceiver;
  let failing = false;

  beforeAll(async () => {
    api = desk.t.api.as(desk.client);
    await withLists(desk.t, desk.client.organisationId);
    await ingest({ amount: 50_000, destination: { name: 'Ivan Exemplo', country: 'IR' } });
    for (const id of ['listed-1', 'listed-2']) {
      await ingest({ externalCustomerId: id, destination: { name: LISTED.sanctions, country: 'BR' } });
    }
    await eventually('the cases are open', async () => (await count('reviews')) >= 3);
    officer = await desk.person('first');
    receiver = await WebhookReceiver.listen({ answer: () => (failing ? 500 : 204) });
  });

  afterAll(() => receiver.close());

  const ingest = async (fields: Record<string, unknown>): Promise<unknown> =>
    api
      .post('/kyt/transactions/ingest')
      .send(aTransaction({ metadata: {}, ...fields }))
      .expect(202);

  const count = async (table: string): Promise<number> => {
    const { rows } = await desk.t.owner.query<{ n: string }>(`SELECT count(*) AS n FROM ${table}`);
    return Number(rows[0]?.n);
  };

  it('the queue is narrowed, sorted and kept as a view that others see', async () => {
    const { page } = officer;
    const lines = page.locator('.case-line');
    await officer.goesTo('Cases', 'c');
    await lines.nth(2).waitFor();
    const all = await lines.count();
    await page.keyboard.press('f');
    await officer.fills({ Theme: 'SCREENING', 'Score to': '100' }, 'Show');
    // While the narrowed list loads there is no line.
    const narrowed = await eventually('the queue is shorter', async () => {
      const count = await lines.count();
      return count > 0 && count < all && count;
    });
    expect(new URL(page.url()).searchParams.get('theme')).toBe('SCREENING');
    // It stays narrowed when the address is opened anew.
    await page.reload();
    await lines.first().waitFor();
    expect(await lines.count()).toBe(narrowed);
    await page.getByLabel('Order', { exact: true }).selectOption('AMOUNT');
    await page.waitForURL(/sort=AMOUNT/);
    await officer.press('Save this view');
    await officer.fills({ Name: 'Names, by amount', 'Who sees it': 'shared' }, 'Save this view');
    await page.getByRole('button', { name: 'Remove the view' }).waitFor();

    const analyst = await desk.person('views', 'ANALYST');
    await analyst.goesTo('Cases', 'c');
    await lines.first().waitFor();
    const views = analyst.page.getByLabel('Saved views');
    await views.selectOption({ label: 'Names, by amount (of Olga Oficial)' });
    await analyst.page.waitForURL(/theme=SCREENING/);
    await eventually('it is narrowed as well', async () => {
      return (await analyst.page.locator('.case-line').count()) === narrowed;
    });
    expect(await analyst.page.getByRole('button', { name: 'Remove the view' }).count()).toBe(0);
    // A text may name somebody: it narrows, and stands in no address.
    await analyst.page.keyboard.press('f');
    await analyst.fills({ 'Text of title or reason, or an id': 'Zoroastro' }, 'Show');
    await analyst.page.getByText('No case with this filter').waitFor();
    expect(analyst.page.url()).not.toContain('Zoroastro');
    await analyst.press('Take out of the filter: Text of title or reason, or an id: Zoroastro');
    await analyst.press('Take out of the filter: Theme: Lists');
    await eventually('all of them are back', async () => {
      return (await analyst.page.locator('.case-line').count()) === all;
    });
    await analyst.visit.context.close();

    await officer.press('Remove the view');
    await page.getByText('The view is removed.').waitFor();
    expect(await count('saved_views')).toBe(0);
  });

  it('a value that the service does not take is said, not left out', async () => {
    const { page } = officer;
    await page.goto('/console/cases?country=Iran');
    await page.getByRole('alert').getByText('country').waitFor();
  });

  it('a hit is compared field by field, and the same is proposed for all that hit the entry', async () => {
    const { body } = await (await desk.operator()).get('/operator/hits?status=PENDING').expect(200);
    const hits = (body as { data: { id: string }[] }).data;
    expect(hits.length).toBe(2);
    const { page } = officer;
    await page.goto(`/console/hits/${hits[0]?.id ?? ''}`);
    const sides = page.locator('table.sides');
    await sides.getByRole('columnheader', { name: 'On the list: sanctions' }).waitFor();
    expect(await sides.getByRole('row', { name: /^Name / }).innerText()).toContain('Anacleto');
    // Nobody told a date of birth: that is a gap, and no difference.
    expect(await sides.getByRole('row', { name: /^Born / }).innerText()).toContain('not compared');
    await page.getByText('1 other person hits this entry.').waitFor();
    await officer.press('Propose the same for all');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Justification').fill(WHY);
    await officer.press('See what would happen');
    await eventually(
      'both would be asked',
      async () => (await dialog.getByText('would be asked').count()) === 2,
    );
    expect(await count('approvals')).toBe(0);
    await officer.press('Propose 2');
    await page.getByText('2 requests sent.').waitFor();
    expect(await count('approvals')).toBe(2);
  });

  it('a customer is found by part of a name, and their file tells what happened in order', async () => {
    const { page } = officer;
    await officer.opens('Customers');
    await eventually('the name is known to the search', async () => {
      await page.getByLabel(/^Find by name/).fill('Maria Exem');
      await officer.press('Find');
      await officer.hasEverything();
      return (await page.locator('.customer-line', { hasText: 'Maria Exemplo' }).count()) > 0;
    });
    expect(page.url()).not.toContain('Maria');
    await page.locator('.customer-line').first().click();
    await page.waitForURL(/\/customers\/cus_/);
    const timeline = page.locator('.timeline');
    await timeline.getByText('Transaction', { exact: true }).first().waitFor();
    await timeline.getByText('Case opened').first().waitFor();
    const told = await timeline.locator('li').allInnerTexts();
    expect(told.findIndex((one) => one.includes('Case opened'))).toBeLessThan(
      told.findIndex((one) => one.includes('Transaction')),
    );
    expect(told.join()).toContain('Known');
    expect(await page.title()).not.toContain('Maria');
  });

  it('transactions and people are added to a case and taken out, and a part becomes a case of its own', async () => {
    const origin = { name: 'Maria Exemplo', cpfCnpj: CPF.customer, country: 'BR' };
    for (const amount of [50_000, 51_000]) {
      await ingest({ amount, origin, destination: { name: 'Ivan Exemplo', country: 'IR' } });
    }
    await ingest({ amount: 12, origin });
    const maker = await desk.operator();
    const mine = await eventually('one case has both', async () => {
      const { body } = await maker.get('/operator/reviews').expect(200);
      return (body as { data: { id: string; transactionCount: number }[] }).data.find(
        ({ transactionCount }) => transactionCount === 2,
      );
    });
    const { page } = officer;
    await page.goto(`/console/cases/${mine.id}`);
    const added = page.locator('.block', { hasText: 'Added to the case' });
    await officer.press('Add transactions');
    await page
      .getByRole('dialog')
      .getByLabel(/R\$12\.00/)
      .check();
    await officer.fills({ Reason: WHY }, 'Add');
    await added.getByRole('link', { name: /R\$12\.00/ }).waitFor();
    await added.getByRole('button', { name: 'Take out' }).click();
    await officer.fills({ Reason: WHY }, 'Take out');
    await added.getByRole('link').waitFor({ state: 'detached' });

    await officer.press('Add people');
    await page.getByRole('dialog').getByLabel('Find a person').fill('listed-1');
    await page.getByRole('dialog').getByRole('checkbox').first().check();
    await officer.fills({ Reason: WHY }, 'Add');
    await added.getByRole('link').waitFor();

    await officer.press('Split the case');
    await page
      .getByRole('dialog')
      .getByLabel(/R\$51,000\.00/)
      .check();
    await officer.fills({ Reason: WHY }, 'Split the case');
    await page.waitForURL((url) => !url.pathname.endsWith(mine.id));
    await page.getByText('This is the new case.').waitFor();
    await page.locator('.chosen', { hasText: 'R$51,000.00' }).waitFor();
    expect(await page.locator('.chosen').count()).toBe(1);
    // Where the points come from, and what could not be looked at, as one picture.
    expect(await page.locator('.sum .part').count()).toBeGreaterThan(0);
    expect(await page.locator('.sum figcaption').innerText()).toMatch(/ = \d+/);
    expect(await page.locator('.sum .hole').count()).toBeGreaterThan(0);
  });

  it('the first screen counts the transactions of the hour, and says that nothing waits', async () => {
    const { page } = officer;
    await page.goto('/console');
    const card = page.locator('section', { hasText: 'Transactions per hour, the last 24' });
    await card.getByText('See as a table').click();
    const received = await count('kyt_transactions');
    await card
      .getByRole('row')
      .last()
      .getByRole('cell', { name: String(received), exact: true })
      .waitFor();
    await page.getByText('empty', { exact: true }).first().waitFor();
    await page.getByText(/^(intact, sealed|not sealed yet)/).waitFor();
  });

  it('the receipt of a decision is verified in the browser', async () => {
    const { page } = officer;
    await officer.opens('Transactions');
    await page.locator('.transaction-line').first().click();
    await officer.press('Verify the receipt');
    await page.getByText('It matches: the receipt is what was decided.').waitFor();
  });

  it('a webhook that failed is tried again, and the secret that signs them is changed and shown once', async () => {
    // The service tries again by itself as well; whoever looks sees it fail as long as it does.
    failing = true;
    const developer = await desk.person('hooks', 'DEVELOPER');
    const { page } = developer;
    await developer.opens('Webhooks');
    await developer.press('New address');
    await developer.fills({ 'URL (https)': receiver.url }, 'Create');
    const shown = page.getByRole('dialog').getByText('whsec_');
    const first = await shown.textContent();
    await developer.press('Close');
    await developer.press('Send a test');
    await page.getByRole('cell', { name: '500', exact: true }).waitFor();
    failing = false;
    await developer.press('View');
    await developer.press('Try again');
    await page.getByRole('dialog').getByText('Delivered', { exact: true }).waitFor();
    expect(await page.getByRole('dialog').locator('ol li').count()).toBeGreaterThan(1);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await developer.press('Change the signing secret');
    await developer.fills({}, 'Change the signing secret');
    await eventually('another secret is shown', async () => (await shown.textContent()) !== first);
    await developer.press('Close');
    await page.reload();
    await page.getByText(receiver.url).first().waitFor();
    expect(await page.content()).not.toContain('whsec_');
    await developer.visit.context.close();
  });

  it('the first account of a new service is made in the browser, with a second factor', async () => {
    const { organisationId } = await desk.t.client({ rules: false });
    const token = await desk.t.app.get(InvitationsService).createSetupToken(organisationId);
    const { page, context, complaints } = await visit(desk.browser, desk.t.url, {
      viewport: DESK,
      locale: 'en-US',
    });
    page.setDefaultTimeout(60_000);
    const password = 'uma frase longa para o teste 4711';
    await page.goto('/console');
    await page.getByRole('button', { name: 'First account' }).click();
    await page.getByLabel('Code of the set-up').fill('vst_wrong');
    await page.getByLabel('Name', { exact: true }).fill('Ada Primeira');
    await page.getByLabel('E-mail').fill('ada@primeira.example');
    await page.getByLabel('New password').fill(password);
    await page.getByRole('button', { name: 'Create the account' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Code of the set-up').fill(token ?? '');
    await page.getByRole('button', { name: 'Create the account' }).click();
    // The account has no second factor yet: setting one up begins at once.
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/password/i).fill(password);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    const secret = (await dialog.locator('code').textContent()) ?? '';
    await dialog.getByRole('textbox').fill(codeAt(secret, Date.now()));
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByText('1', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    const kept = await page.evaluate<string>(
      'JSON.stringify([localStorage, sessionStorage, location.href, history.state, document.title])',
    );
    expect(kept).not.toMatch(/vst_|Ada|4711/);
    expect(kept).not.toContain(secret);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('nothing broke a rule of the policy', () => {
    expect(officer.visit.complaints).toEqual([]);
  });
});
