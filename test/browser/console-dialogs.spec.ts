import { beforeAll, expect, it } from '@jest/globals';
import type { TestApi } from '../support/api.js';
import { approve } from '../support/approvals.js';
import { aTransaction, cpfOf } from '../support/builders.js';
import { ConsoleDesk } from '../support/console-desk.js';
import type { ConsolePerson } from '../support/console-person.js';
import { eventually } from '../support/eventually.js';
import { withFlow } from '../support/flows.js';
import { LISTED, withLists } from '../support/lists.js';
import { needs } from '../support/needs.js';
import { QUICK_FLOW } from '../support/page-flow.js';
import { PagePerson } from '../support/page-person.js';

const WHY = 'It was looked at, and this is what it asks for.';

needs('chromium').describe('the dialogs of the console', () => {
  const desk = ConsoleDesk.forBlock();
  let api: TestApi;
  let officer: ConsolePerson;
  let second: ConsolePerson;
  let admin: ConsolePerson;

  beforeAll(async () => {
    api = desk.t.api.as(desk.client);
    await withLists(desk.t, desk.client.organisationId);
    await withFlow(desk.t, desk.client.organisationId, { key: 'quick', ...QUICK_FLOW });
    officer = await desk.person('first');
    second = await desk.person('second');
    admin = await desk.person('first', 'ADMIN');
  });

  const ingest = async (fields: Record<string, unknown>): Promise<unknown> =>
    api
      .post('/kyt/transactions/ingest')
      .send(aTransaction({ metadata: {}, ...fields }))
      .expect(202);

  it('a freeze is told to an authority, and ended by two people', async () => {
    const [one, other] = [await desk.operator(), await desk.operator()];
    await ingest({ destination: { name: LISTED.sanctions, country: 'BR' } });
    const hit = await eventually('the hit is there', async () => {
      const { body } = await one.get('/operator/hits').expect(200);
      return (body as { data: { id: string }[] }).data[0];
    });
    const decision = { disposition: 'CONFIRMED', justification: WHY };
    await approve(other, await one.post(`/operator/hits/${hit.id}/proposals`).send(decision).expect(202));

    const { page } = officer;
    await officer.opens('Freezes');
    await page.getByText('nobody yet').waitFor();
    await officer.press('Record a notice');
    // The moment is now, unless somebody writes another one.
    const notice = { Authority: 'COAF', 'Receipt number': 'SEI-08000.000123/2026-11' };
    await officer.fills(notice, 'Record a notice');
    await page.getByText(/^COAF · .+ · SEI-08000\.000123\/2026-11$/).waitFor();
    await page.getByRole('link', { name: 'Open the hit' }).click();
    await page.getByRole('heading', { name: 'Is it the same person?' }).waitFor();

    await officer.opens('Freezes');
    await officer.press('Ask for its end');
    await officer.fills({ Reason: 'The committee has removed the designation.' }, 'Ask for its end');
    await second.approves('Lift a freeze');
    await page.reload();
    await page.getByText(/^ended /).waitFor();
    expect(await page.getByRole('button', { name: 'Record a notice' }).count()).toBe(0);
  });

  it('a provider is asked for, changed and disabled; its secret is shown', async () => {
    const { page } = officer;
    const url = `${desk.t.url}/checks`;
    await officer.opens('Providers');
    await page.getByText('No provider').waitFor();
    await officer.press('Ask for a provider');
    const wanted = { Provider: 'acme-id', 'URL (https)': url, 'Cost of a call (R$)': '0,25', Reason: WHY };
    await officer.fills(wanted, 'Ask for a provider');
    await second.approves('Publish a provider');
    await page.reload();
    await page.getByText('@1').waitFor();
    await page.getByRole('cell', { name: 'Document', exact: true }).waitFor();

    const secret = async (): Promise<string> => {
      await officer.press('Show the secret');
      const shown = (await page.getByRole('dialog').locator('dd code').textContent()) ?? '';
      await officer.press('Close');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      return shown;
    };
    const before = await secret();
    await officer.press('New version');
    await page.getByRole('dialog').getByLabel('Face match').check();
    await officer.fills({ 'Time for a call (ms)': '2000', Secret: 'new', Reason: WHY }, 'New version');
    await second.approves('Publish a provider');
    await page.reload();
    await page.getByText('@2').waitFor();
    await page.getByRole('cell', { name: 'Document, Face match', exact: true }).waitFor();
    const after = await secret();
    expect([before, after].filter((one) => one.length < 20)).toEqual([]);
    expect(after).not.toBe(before);

    await officer.press('Disable');
    await page.getByRole('button', { name: 'Disable', exact: true }).waitFor({ state: 'detached' });
    const { body } = await (await desk.operator()).get('/operator/providers').expect(200);
    expect((body as { data: { providers: unknown[] } }).data.providers).toEqual([
      expect.objectContaining({ version: 3, enabled: false, timeoutMs: 2_000, costMicros: 250_000, url }),
    ]);
  });

  it('a privacy notice is written, and written anew with each purpose in its languages', async () => {
    const { page } = admin;
    await admin.opens('Organisation');
    await page.getByText('No notice yet').waitFor();
    await admin.press('Write the notice');
    await admin.fills(
      {
        ...{ Controller: 'Loja Exemplo S.A.', CNPJ: '11.222.333/0001-81' },
        'Purposes (Portuguese, one per line)': 'Confirmar quem você é\nCumprir a lei',
        'Purposes (English, one per line) (optional)': '\nTo follow the law',
        'For how long (Portuguese)': 'Dez anos',
        'Photos of faces (Portuguese)': 'Comparadas e guardadas',
        ...{ 'Data protection officer': 'Encarregada', 'Contact of the officer': 'dpo@loja.example' },
      },
      'Write the notice',
    );
    await page.getByText('version 1', { exact: true }).waitFor();
    await admin.press('Write the notice');
    await admin.fills({ 'For how long (English) (optional)': 'Ten years' }, 'Write the notice');
    await page.getByText('version 2', { exact: true }).waitFor();
    // The second purpose has its English still; the first one has none.
    await page.getByText('To follow the law').waitFor();
    const { rows } = await desk.t.owner.query<{ content: object }>(
      'SELECT content FROM privacy_notices ORDER BY version DESC LIMIT 1',
    );
    expect(rows[0]?.content).toMatchObject({
      purposes: [{ 'pt-BR': 'Confirmar quem você é' }, { 'pt-BR': 'Cumprir a lei', en: 'To follow the law' }],
      retention: { 'pt-BR': 'Dez anos', en: 'Ten years' },
    });
  });

  it('verification anew gets its times, and is switched off', async () => {
    const { page } = officer;
    await officer.opens('Organisation');
    await officer.press('Change the periods');
    await officer.fills({ Flow: 'quick', 'Low risk (months)': '48' }, 'Change the periods');
    const times = page.locator('section', {
      has: page.getByRole('heading', { name: 'Periodic re-verification' }),
    });
    await times.last().getByText('48', { exact: true }).waitFor();
    await officer.press('Change the periods');
    await officer.fills({ 'Periodic re-verification': 'off' }, 'Change the periods');
    await times.last().getByText('off', { exact: true }).waitFor();
    expect(await times.last().innerText()).toMatch(/quick[^]*48[^]*24[^]*12[^]*30/);
  });

  it('a draft of a flow is seen on a phone, and comes into force by two people', async () => {
    const { page } = officer;
    await officer.opens('Flows');
    await page.getByRole('link', { name: 'Confirmação', exact: true }).click();
    await page.getByLabel('Minimum age').fill('21');
    await page.keyboard.press('Control+s');
    await page.getByText('can be published').waitFor();
    await officer.press('See it on a phone');
    await page.getByRole('img', { name: 'See it on a phone' }).waitFor();
    const link = page.getByRole('dialog').getByRole('link', { name: 'Open it here' });
    const url = (await link.getAttribute('href')) ?? '';
    const person = await PagePerson.opens(desk.browser, desk.t.url, url.split('/').at(-1) ?? 'none');
    await person.isAt('Você');
    await person.context.close();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await officer.press('Ask for publication');
    await officer.fills({ Reason: WHY }, 'Ask for publication');
    await second.approves('Publish a flow');
    await page.reload();
    await page.getByText('quick@2', { exact: true }).waitFor();
    expect(await page.getByLabel('Minimum age').inputValue()).toBe('21');
    // The draft is what is in force.
    await page.getByText('Nothing is changed yet.').waitFor();
  });

  it('a rule is silent by two people, until one ends it', async () => {
    const { page } = officer;
    await officer.opens('Rules');
    await page.getByRole('link', { name: 'br-first@1' }).click();
    await page.getByText('No rule is silent').waitFor();
    await officer.press('Snooze a rule');
    const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
    const wanted = { Rule: 'BR-GEO-01', 'Until the end of the day': day, Reason: WHY };
    await officer.fills(wanted, 'Snooze a rule');
    await second.approves('Snooze a rule');
    await page.reload();
    await page.getByText(/^silent until /).waitFor();
    await officer.press('End the snooze');
    await page.getByText(/^back /).waitFor();
    expect(await page.getByRole('button', { name: 'End the snooze' }).count()).toBe(0);
    expect(await desk.has('SELECT 1 FROM rule_snoozes WHERE lifted_at IS NOT NULL')).toBe(true);
  });

  it('exchange rates are set by two administrators', async () => {
    const { page } = admin;
    await admin.opens('Organisation');
    await page.getByText('No rate').waitFor();
    await admin.press('Set rates');
    const lines = '2026-11-24 EUR 6,2345\n2026-11-24;usd;5.1';
    await admin.fills({ 'Rates, one per line': lines, Reason: WHY }, 'Set rates');
    const other = await desk.person('second', 'ADMIN');
    await other.approves('Publish exchange rates');
    await page.reload();
    await page.getByRole('row', { name: /^EUR 6\.2345 Nov 24, 2026 PTAX/ }).waitFor();
    await page.getByRole('row', { name: /^USD 5\.1 Nov 24, 2026 PTAX/ }).waitFor();
    // An officer sees them and sets none.
    await officer.opens('Organisation');
    await officer.page.getByText('6.2345').waitFor();
    expect(await officer.page.getByRole('button', { name: 'Set rates' }).count()).toBe(0);
  });

  it('two cases of a customer become one, and two again', async () => {
    await ingest({});
    const maker = await desk.operator();
    const customerId = await eventually('the customer is known', async () => {
      const { body } = await maker.get('/operator/customers').expect(200);
      return (body as { data: { id: string }[] }).data[0]?.id;
    });
    const opened: string[] = [];
    for (const priority of ['LOW', 'HIGH']) {
      const asked = { customerId, reason: WHY, priority };
      const { body } = await maker.post('/operator/reviews').send(asked).expect(201);
      opened.push((body as { data: { id: string } }).data.id);
    }
    const [stays = '', goes = ''] = opened;
    const { page } = officer;
    await page.goto(`/console/cases/${stays}`);
    const line = page.locator('li', { has: page.locator(`a[href$="${goes}"]`) });
    await line.getByRole('button', { name: 'Merge into this case' }).click();
    await page.getByRole('dialog').getByRole('row', { name: 'Priority Low High' }).waitFor();
    await officer.fills({ Reason: WHY }, 'Merge into this case');
    await line.getByText('Merged', { exact: true }).waitFor();

    await line.getByRole('link').click();
    await page.getByText('This case is part of another one').waitFor();
    expect(await page.getByRole('button', { name: 'Propose' }).count()).toBe(0);
    await officer.press('Separate');
    await officer.fills({ Reason: WHY }, 'Separate');
    await page.getByRole('button', { name: 'Propose' }).waitFor();
    expect(await desk.has(`SELECT 1 FROM reviews WHERE status = 'MERGED'`)).toBe(false);
  });

  it('a case that is communicated has the payments around its alerts, or says why not', async () => {
    const cpfCnpj = cpfOf('around');
    const origin = { name: 'Rosa Exemplo', cpfCnpj, country: 'BR' };
    const pay = async (transactionId: string, fields: Record<string, unknown>): Promise<void> => {
      await ingest({ transactionId, externalCustomerId: 'around', cpfCnpj, origin, ...fields });
      await api.settled(transactionId);
    };
    await pay('around-1', { amount: 11 });
    await pay('around-2', { amount: 50_000, destination: { name: 'Ivan Exemplo', country: 'IR' } });
    await pay('around-3', { amount: 12 });
    const maker = await desk.operator();
    const { id } = await eventually('the case is open', async () => {
      const known = await maker.get('/operator/customers?externalCustomerId=around').expect(200);
      const [customer] = (known.body as { data: { id: string }[] }).data;
      const { body } = await maker.get(`/operator/reviews?customerId=${customer!.id}`).expect(200);
      return (body as { data: { id: string }[] }).data[0];
    });
    const { page } = officer;
    await page.goto(`/console/cases/${id}`);
    const around = page.getByRole('group', { name: 'Payments around the alerts' });
    await page.getByRole('button', { name: 'Communicate to COAF' }).click();
    await around.getByRole('link').nth(1).waitFor();
    expect(await around.getByRole('link').allInnerTexts()).toEqual([
      expect.stringContaining('R$11.00'),
      expect.stringContaining('R$12.00'),
    ]);
    // Nothing is proposed while neither is done.
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByLabel('Justification').fill(WHY);
    await officer.press('Propose');
    await page
      .getByRole('alert')
      .getByText(/^Payments of the customer/)
      .waitFor();
    const asked = `SELECT 1 FROM approvals WHERE act = 'case.close'`;
    expect(await desk.has(asked)).toBe(false);
    await officer.press('Add all of them');
    await around.getByText('Every payment around the alerts is in the case.').waitFor();
    // The analyst who adds the payments has seen them, so nothing has to be confirmed.
    expect(await page.getByText('Something was added to the case while you wrote.').count()).toBe(0);
    // One more arrives unseen: the service refuses, and it is told in words.
    await pay('around-4', { amount: 13 });
    await officer.press('Propose');
    await page
      .getByRole('alert')
      .getByText(/^Payments of the customer/)
      .waitFor();
    expect(await page.getByRole('alert').innerText()).not.toMatch(/RELATED|is not in the case/);
    await around.getByText('R$13.00').waitFor();
    await around.getByLabel('Or: why they stay out').fill('It is the rent, as in every month.');
    await officer.press('Propose');
    await page.getByText('A decision awaits the second person').waitFor();
    expect(await desk.has(`${asked} AND status = 'REQUESTED'`)).toBe(true);

    // The effect and the changes are shown in the reader's language.
    const reader = await desk.person('reader', 'COMPLIANCE_OFFICER', { locale: 'pt-BR' });
    await reader.opens('Aprovações');
    const request = reader.page.locator('.preview');
    await request.getByText('O caso termina, e as transações dele têm o resultado.').waitFor();
    await request.getByText('Reabrir o caso, como um caso novo.').waitFor();
    await request.getByRole('row', { name: 'Situação Aguarda 2ª pessoa Fechado' }).waitFor();
    await request.getByRole('row', { name: 'Desfecho — Recusar' }).waitFor();
    await request.getByText(WHY).waitFor();
    const names = await request.locator('th[scope=row], dt').allInnerTexts();
    expect(names.filter((name) => /^[a-z]|[a-z][A-Z]/.test(name))).toEqual([]);
    await second.approves('Close a case');
    await reader.visit.context.close();
  });

  it('nothing broke a rule of the policy', () => {
    expect([officer, second, admin].flatMap(({ visit }) => visit.complaints)).toEqual([]);
  });
});
