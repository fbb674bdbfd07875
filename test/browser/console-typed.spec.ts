import { beforeAll, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import { aTransaction, cpfOf } from '../support/builders.js';
import { Deeds } from '../support/console-deeds.js';
import { ConsoleDesk } from '../support/console-desk.js';
import { ConsolePerson, DESK } from '../support/console-person.js';
import { eventually } from '../support/eventually.js';
import { needs } from '../support/needs.js';

const NOTE = 'The bank of the payee was asked, and has not answered yet.';
const CODE = /\b[A-Z]{2,}_[A-Z_]+\b/;

needs('chromium').describe('what somebody types in the console', () => {
  const desk = ConsoleDesk.forBlock({ rules: false });

  beforeAll(async () => {
    // Only a ruleset with the mandatory rules is published again.
    await desk.t.app.get(RulesetsService).publish(desk.client.organisationId, brStarter, 'test');
  });

  it('is there again after Escape, on the way back, and after the end of the session; a sign-out takes it away', async () => {
    const id = await aCase();
    const account = await desk.account('typed');
    const person = await ConsolePerson.signsIn(desk.browser, desk.t.url, account);
    const { page } = person;
    const note = page.getByRole('dialog').getByLabel('Note', { exact: true });
    const opens = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Write a note' }).click();
      await note.waitFor();
    };
    await page.goto(`/console/cases/${id}`);
    await opens();
    await note.fill(NOTE);
    // A click beside a form that holds a text closes nothing.
    await page.mouse.click(5, 5);
    expect(await note.inputValue()).toBe(NOTE);
    await page.keyboard.press('Escape');
    await page.getByText('What you wrote is kept in this tab.').waitFor();
    await page.getByRole('link', { name: '← Cases' }).click();
    await page.locator('.case-line').first().click();
    await opens();
    await page.getByText('What you had written before is here.').waitFor();
    expect(await note.inputValue()).toBe(NOTE);
    await page.keyboard.press('Escape');

    // The session ends elsewhere.
    const admin = await desk.operator('ADMIN');
    const { body } = await admin.get('/operator/operators').expect(200);
    const people = (body as { data: { id: string; email: string }[] }).data;
    const who = people.find(({ email }) => email === account.email)?.id ?? 'none';
    await admin.post(`/operator/operators/${who}/sessions/end`).expect(200);
    await eventually('the sign-in is asked for', async () => {
      if ((await page.locator('input[type=email]').count()) > 0) return true;
      await page.evaluate('dispatchEvent(new Event("online"))');
      return false;
    });
    await person.enters(account);
    await opens();
    expect(await note.inputValue()).toBe(NOTE);
    await page.keyboard.press('Escape');

    // Nothing of it is stored, so the browser asks before a reload takes it.
    expect(await page.evaluate<string>('JSON.stringify([localStorage, sessionStorage])')).not.toContain(
      'payee',
    );
    const asked = page.waitForEvent('dialog');
    const reloading = page.reload({ timeout: 5_000 }).catch(() => undefined);
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    await reloading;

    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await page.locator('input[type=email]').waitFor();
    // Somebody else at the same computer finds nothing of it.
    await person.enters(await desk.account('typed-after'));
    await opens();
    expect(await note.inputValue()).toBe('');
    await person.visit.context.close();
  });

  it('is not sent later by itself where the network is gone, and the screen says that it is', async () => {
    const id = await aCase();
    const { page, visit } = await desk.person('offline');
    await page.goto(`/console/cases/${id}`);
    await page.locator('.components').first().waitFor();
    await page.keyboard.press('3');
    await page.keyboard.press('r');
    await visit.context.setOffline(true);
    await page.getByText('No connection to the service.').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.locator('.decision').getByText('The service did not answer.').waitFor();
    await visit.context.setOffline(false);
    await page.getByText('No connection to the service.').waitFor({ state: 'detached' });
    // As long as a client would take that makes up for it.
    await sleep(3_000);
    expect(await desk.has(`SELECT 1 FROM reviews WHERE status = 'PENDING_APPROVAL'`)).toBe(false);
    await page.getByRole('button', { name: 'Propose', exact: true }).click();
    await page.getByText('A decision awaits the second person').waitFor();
    await visit.context.close();
  });

  it('may be a number as Brazil writes it, and is refused where it has two readings', async () => {
    await aCase();
    const { page, visit } = await desk.person('numbers');
    await page.goto('/console/cases');
    await page.locator('.case-line').first().waitFor();
    await page.keyboard.press('f');
    const dialog = page.getByRole('dialog');
    const amount = dialog.getByLabel('Amount from (R$)');
    await amount.fill('1.500');
    await dialog.getByText('1.500 can be read in two ways.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Show' }).isDisabled()).toBe(true);
    await amount.fill('1.500,00');
    await dialog.getByText('= 1,500').waitFor();
    const asked = page.waitForRequest((request) => /amountFrom=1500(&|$)/.test(request.url()));
    await dialog.getByRole('button', { name: 'Show' }).click();
    expect((await (await asked).response())?.status()).toBe(200);
    await visit.context.close();
  });

  it('may be a day, which is one of Brazil whatever the zone of the browser', async () => {
    await aCase();
    const { page, visit } = await desk.person('days', 'COMPLIANCE_OFFICER', { timezoneId: 'Asia/Tokyo' });
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format(new Date());
    await page.goto('/console/cases');
    await page.locator('.case-line').first().waitFor();
    await page.keyboard.press('f');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Opened since').fill(today);
    await dialog.getByLabel('Opened before').fill(today);
    const asked = page.waitForRequest((request) => request.url().includes('openedFrom='));
    await dialog.getByRole('button', { name: 'Show' }).click();
    const { searchParams } = new URL((await asked).url());
    // The last day is one of those that are looked at.
    expect(searchParams.get('openedFrom')).toBe(`${today}T03:00:00.000Z`);
    expect(Date.parse(searchParams.get('openedTo') ?? '') - Date.parse(`${today}T03:00:00.000Z`)).toBe(
      86_400_000,
    );
    await page.locator('.case-line').first().waitFor();
    await visit.context.close();
  });

  it('begins with what all payments of the case say, in words, and never argues for something else', async () => {
    const id = await aCase();
    const { page, visit } = await desk.person('draft');
    await page.goto(`/console/cases/${id}`);
    await page.locator('.components').first().waitFor();
    await page.keyboard.press('1');
    await page.keyboard.press('v');
    await page.keyboard.press('r');
    const text = page.getByLabel('Justification');
    const says = (): Promise<string> => text.inputValue();
    expect(await says()).toMatch(/payments? .+ analysed/);
    expect(await says()).toContain('As a whole, the payments fit the profile of the customer.');
    await page.getByRole('button', { name: 'Reject' }).click();
    expect(await says()).not.toContain('the payments fit the profile');
    expect(await says()).toContain('do not fit the profile');
    await page.getByRole('button', { name: 'Communicate to COAF' }).click();
    expect(await says()).toMatch(/Foi analisada|Foram analisadas/);
    expect(await says()).toContain('são comunicadas ao COAF');
    expect(await says()).not.toMatch(CODE);
    // An edited text stays; what it concludes goes along.
    await text.fill(`${await says()}\nO gerente confirmou.`);
    await page.getByRole('button', { name: 'Archive' }).click();
    expect(await says()).toContain('O gerente confirmou.');
    expect(await says()).not.toContain('comunicadas ao COAF');
    await visit.context.close();
  });

  it('is answered in sight: why the case exists, and what a proposal lacks', async () => {
    const id = await aCase();
    const { page, visit } = await desk.person('sight');
    await page.goto(`/console/cases/${id}`);
    await page.locator('.components').first().waitFor();
    expect(await page.locator('.case > .why').innerText()).toMatch(/^\d+ payments?, R\$|^1 payment of R\$/);
    const isInSight = (selector: string): Promise<boolean> =>
      page.locator(selector).evaluate((one) => {
        const { top, bottom } = (
          one as unknown as { getBoundingClientRect(): { top: number; bottom: number } }
        ).getBoundingClientRect();
        return top >= 0 && bottom <= (globalThis as unknown as { innerHeight: number }).innerHeight;
      });
    for (const size of [DESK, { width: 390, height: 844 }]) {
      await page.setViewportSize(size);
      expect({ size, inSight: await isInSight('.decision') }).toEqual({ size, inSight: true });
    }
    await page.setViewportSize(DESK);
    await page.keyboard.press('Control+Enter');
    await page.locator('.decision').getByText('Choose the outcome (1, 2, 3)').waitFor();
    expect(await isInSight('.decision [role=alert]')).toBe(true);
    await visit.context.close();
  });

  it('tells ages by the service where the clock of the computer is wrong', async () => {
    await aCase();
    const { page, visit } = await desk.person('clock');
    await page.addInitScript('{ const late = Date.now.bind(Date); Date.now = () => late() - 3600000; }');
    await page.goto('/console/transactions');
    await page.locator('.transaction-line').first().waitFor();
    expect(await page.locator('.transaction-line').first().innerText()).not.toMatch(/\bin \d/);
    await visit.context.close();
  });

  it('is little for a new rule that is live: fifteen fields and clicks, and one publication', async () => {
    await aCase();
    const [officer, second] = [await desk.person('rule'), await desk.person('rule-second')];
    const { page } = officer;
    const fills = (label: string, text: string): Promise<void> =>
      page.getByLabel(label, { exact: true }).fill(text);
    const presses = (name: string): Promise<void> =>
      page.getByRole('button', { name, exact: true }).last().click();
    await page.goto('/console/rules');
    const deeds = await Deeds.of(page);
    await page.getByRole('link', { name: 'New rule' }).click();
    await fills('Key', 'HOUSE-DAY-01');
    await fills('Name (Portuguese)', 'Soma do dia');
    await page.getByRole('textbox', { name: 'Condition' }).pressSequentially('outgoing.sum24h > 30000');
    await fills('Sentence that explains it (Portuguese)', 'Somou {outgoing.sum24h} no dia.');
    await page.getByText('The service understands the condition.').waitFor();
    await presses('Save draft');
    await page.getByText('The draft is saved.').waitFor();
    await presses('Release a version');
    await page.getByText('Version 1 is released.').waitFor();
    await presses('Add to a ruleset');
    await page.getByRole('dialog').waitFor();
    await presses('Add to a ruleset');
    await page.getByText('HOUSE-DAY-01 becomes @1, in shadow').waitFor();
    await page.getByLabel('Mode HOUSE-DAY-01').selectOption('LIVE');
    await page.getByText('HOUSE-DAY-01 becomes @1, live').waitFor();
    await presses('Back-test');
    await page.getByRole('dialog').waitFor();
    await presses('Back-test');
    await page.getByText('Finished', { exact: true }).waitFor();
    await presses('Ask for publication');
    await page.getByRole('dialog').waitFor();
    await fills('Reason', 'What leaves an account in a day is looked at.');
    await presses('Ask for publication');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await deeds.since()).toBe(15);
    await second.approves('Publish rules');
    const { rows } = await desk.t.owner.query<{ mode: string; requests: number }>(
      `SELECT rule ->> 'mode' AS mode, (SELECT count(*)::int FROM approvals WHERE act = 'ruleset.publish') AS requests
       FROM rulesets, jsonb_array_elements(content -> 'rules') rule
       WHERE status = 'PUBLISHED' AND rule ->> 'key' = 'HOUSE-DAY-01'`,
    );
    expect(rows).toEqual([{ mode: 'LIVE', requests: 1 }]);
  });

  it('stays where a part of the screen does not load, which comes when it is asked for again', async () => {
    const id = await aCase();
    const { page, visit } = await desk.person('parts');
    const part = /\/assets\/belongs-[^/]+\.js/;
    await page.route(part, (route) => route.abort());
    await page.goto(`/console/cases/${id}`);
    await page.getByText('This part of the screen did not load.').waitFor();
    await page.getByLabel('Justification').fill(NOTE);
    await page.unroute(part);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Add transactions' }).waitFor();
    expect(await page.getByLabel('Justification').inputValue()).toBe(NOTE);
    await visit.context.close();
  });

  let customers = 0;

  /** A case of a customer of its own. */
  async function aCase(): Promise<string> {
    const externalCustomerId = `typed-${(customers += 1)}`;
    const destination = { name: 'Ivan Exemplo', country: 'IR' };
    const person = { externalCustomerId, cpfCnpj: cpfOf(externalCustomerId) };
    await desk.t.api
      .as(desk.client)
      .post('/kyt/transactions/ingest')
      .send(aTransaction({ ...person, metadata: {}, amount: 50_000, destination }))
      .expect(202);
    const officer = await desk.operator();
    const firstOf = async (list: string): Promise<string | undefined> => {
      const { body } = await officer.get(list).expect(200);
      return (body as { data: { id: string }[] }).data[0]?.id;
    };
    return eventually('a case is there', async () => {
      const customer = await firstOf(`/operator/customers?externalCustomerId=${externalCustomerId}`);
      return customer === undefined ? undefined : firstOf(`/operator/reviews?customerId=${customer}`);
    });
  }
});
