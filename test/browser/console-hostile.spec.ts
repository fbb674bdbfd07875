import { beforeAll, expect, it } from '@jest/globals';
import { RulesetsService } from '../../src/features/rules/index.js';
import type { TestApi } from '../support/api.js';
import { SearchIndexService } from '../../src/features/screening/index.js';
import { approve, askedIn } from '../support/approvals.js';
import { brFirst } from '../support/br-first.js';
import { aTransaction, CPF, cpfOf, PERSON_ANSWERS } from '../support/builders.js';
import { ConsoleDesk } from '../support/console-desk.js';
import { faultsOfScreens } from '../support/console-screens.js';
import { eventually } from '../support/eventually.js';
import { aPicture } from '../support/files.js';
import { withFlow } from '../support/flows.js';
import { needs } from '../support/needs.js';
import { aRule } from '../support/rulesets.js';

/**
 * Markup, marks that end what holds a text apart, turn the direction of writing around and never back, and 300 letters
 * without a place to break.
 */
const HOSTILE = `Zacarias <img src=x onerror="document.title=1">"><script>document.title=1</script> \u2069\u2067\u202E\u202B\u05D0\u05D1\u200F ${'W'.repeat(300)}`;
/** As much of it as a field takes. */
const NAME = HOSTILE.slice(0, 200);
const TEXT = { 'pt-BR': HOSTILE.slice(0, 300), en: HOSTILE.slice(0, 300) };

needs('chromium').describe('texts that mean no good, wherever the console shows what others wrote', () => {
  const desk = ConsoleDesk.forBlock({ rules: false });
  let officer: TestApi;

  beforeAll(async () => {
    const { t, client } = desk;
    const named = brFirst.rules.map((rule) => ({ ...rule, name: TEXT }));
    await t.app
      .get(RulesetsService)
      .publish(client.organisationId, { ...brFirst, name: TEXT, rules: named }, 'test');
    officer = await desk.operator();
    await officer
      .post('/operator/rules')
      .send(aRule('HOSTILE-01', { name: TEXT, message: TEXT }))
      .expect(200);
    await withHostileList();
    await withHostileSession();
    const party = { name: NAME, cpfCnpj: CPF.customer, country: 'BR', accountReference: NAME };
    const sent = { externalCustomerId: NAME.slice(0, 120), cpfCnpj: CPF.customer, origin: party };
    const destination = { name: NAME, country: 'IR', accountReference: NAME };
    const api = t.api.as(client);
    const metadata = { note: HOSTILE, [HOSTILE.slice(0, 60)]: HOSTILE };
    for (const fields of [
      { type: 'PIX_TRANSFER', channel: 'MOBILE_APP', amount: 50_000, destination, metadata },
      { type: 'CASH_DEPOSIT', channel: 'BRANCH', amount: 62_000, destination, metadata },
    ]) {
      await api.ingest(aTransaction({ ...sent, ...fields })).expect(202);
    }
    await withHostileWork();
  });

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- says what the answer is
  const dataOf = <T>({ body }: { readonly body: unknown }): T => (body as { readonly data: T }).data;

  const firstOf = (list: string): Promise<string> =>
    eventually(`there are ${list}`, async () => {
      const [one] = dataOf<{ id?: string; reference?: string }[]>(
        await officer.get(`/operator/${list}`).expect(200),
      );
      return one?.id ?? one?.reference;
    });

  /** A list whose entry has the name of a payer, from a file with a name of the kind. */
  async function withHostileList(): Promise<void> {
    const body = { key: 'hostile', name: NAME, kind: 'SANCTIONS', format: 'HOUSE_CSV' };
    const { id } = dataOf<{ id: string }>(await officer.post('/operator/lists').send(body).expect(201));
    const file = `key;name;kind;birthDate;type;value\ns1;"${NAME.replaceAll('"', '""')}";PERSON;;;\n`;
    const path = `/operator/lists/${id}/imports`;
    const begun = await officer
      .post(path)
      .attach('file', Buffer.from(file), HOSTILE.slice(0, 100))
      .expect(202);
    const { id: importId } = dataOf<{ id: string }>(begun);
    await eventually('the file is read', async () => {
      const { status } = dataOf<{ status: string }>(await officer.get(`${path}/${importId}`).expect(200));
      if (status === 'FAILED') throw new Error('the list was not read');
      return status === 'AWAITING_CONFIRMATION';
    });
    const asked = await officer.post(`${path}/${importId}/confirm`).send({ reason: HOSTILE }).expect(202);
    await approve(await desk.operator(), asked);
    await eventually('the list is published', async () => {
      const { status } = dataOf<{ status: string }>(await officer.get(`${path}/${importId}`).expect(200));
      return status === 'PUBLISHED';
    });
    // The index looks for a published list about once in a second; a payment before that would have no hit.
    await desk.t.app.get(SearchIndexService).refresh();
  }

  /** A session of a flow of such texts, answered with more of them, and with a file of such a name. */
  async function withHostileSession(): Promise<void> {
    const { t, client } = desk;
    await withFlow(t, client.organisationId, {
      ...{ key: 'hostile', name: TEXT, expiresInMinutes: 60, minimumAge: 18, requiredChecks: ['PROFILE'] },
      steps: [
        {
          ...{ id: 'person', type: 'DATA_FORM', title: TEXT, required: true },
          fields: [
            { id: 'name', type: 'TEXT', label: TEXT, help: TEXT, required: true, maxLength: 500 },
            { id: 'cpf', type: 'CPF', label: TEXT, required: true },
            { id: 'birthDate', type: 'DATE', label: TEXT, required: true },
          ],
        },
        {
          ...{ id: 'questions', type: 'QUESTIONNAIRE', title: TEXT, required: true },
          questions: [{ id: 'more', type: 'TEXT', label: TEXT, required: true, maxLength: 1_000 }],
        },
        {
          ...{ id: 'document', type: 'DOCUMENT_CAPTURE', title: TEXT, required: false },
          acceptedDocuments: [{ type: 'CARD', label: TEXT, sides: ['FRONT'] }],
        },
      ],
    });
    const made = await officer.post('/operator/kyc-sessions').send({ flowKey: 'hostile' }).expect(201);
    const { sessionId } = dataOf<{ sessionId: string }>(made);
    const picture = await aPicture().jpeg().toBuffer();
    await t.api
      .post(`/kyc-sessions/${sessionId}/upload`)
      .field('stepId', 'document')
      .attach('file', picture, `${HOSTILE.slice(0, 100)}.jpg`)
      .expect(201);
    const { cpf, birthDate } = PERSON_ANSWERS;
    await t.api
      .post(`/kyc-sessions/${sessionId}/complete`)
      .send({ userData: { name: NAME, cpf, birthDate, more: HOSTILE } })
      .expect(202);
  }

  /** A case with a note, a file and a request. */
  async function withHostileWork(): Promise<void> {
    const review = `/operator/reviews/${await firstOf('reviews')}`;
    await officer.post(`${review}/notes`).send({ text: HOSTILE }).expect(201);
    const picture = await aPicture(640, 480, 2).png().toBuffer();
    await officer
      .post(`${review}/attachments`)
      .attach('file', picture, `${HOSTILE.slice(0, 100)}.png`)
      .expect(201);
    // A case that is rejected may be closed with a name that nobody has decided.
    const decision = { resolution: 'REJECTED', report: 'COMMUNICATE', justification: HOSTILE };
    await officer
      .post(`${review}/decision`)
      .send({ ...decision, withoutRelated: HOSTILE })
      .expect(202);
    await firstOf('hits');
    await firstOf('coaf/communications');
  }

  /** A case that is worked on, about somebody else: whoever has the hostile name can be added to it. */
  async function caseOfSomebodyElse(): Promise<string> {
    const { t, client } = desk;
    const origin = { name: 'Rosa Exemplo', cpfCnpj: cpfOf('somebody-else'), country: 'BR' };
    const destination = { name: 'Ivan Exemplo', country: 'IR' };
    const sent = { externalCustomerId: 'somebody-else', origin, destination, amount: 50_000, metadata: {} };
    await t.api.as(client).ingest(aTransaction(sent)).expect(202);
    const customer = await eventually('somebody else is known', async () => {
      const customers = dataOf<{ id: string; name: string | null }[]>(
        await officer.get('/operator/customers').expect(200),
      );
      return customers.find(({ name }) => name === origin.name)?.id;
    });
    return firstOf(`reviews?customerId=${customer}`);
  }

  /** Work that stopped, with a cause that no database has, and the request to give it up; returns the request. */
  async function withHostileDeadLetter(): Promise<string> {
    const { rows } = await desk.t.owner.query<{ id: string }>(
      `INSERT INTO kyt_work (transaction_ref, organisation_id, status, attempts, failure_code, failure_stage, due_at)
       SELECT id, organisation_id, 'DEAD_LETTERED', 5, $1, $1, now() FROM kyt_transactions LIMIT 1
       RETURNING transaction_ref AS id`,
      [HOSTILE],
    );
    expect(rows).toHaveLength(1);
    const id = await firstOf('dead-letters');
    const asked = await officer
      .post(`/operator/dead-letters/${id}/discard`)
      .send({ reason: HOSTILE })
      .expect(202);
    return askedIn(asked).approvalId ?? askedIn(asked).id;
  }

  it('runs none, keeps the layout on a phone, and is shown as it was written', async () => {
    const discard = await withHostileDeadLetter();
    const { page, visit } = await desk.person('hostile');
    const single = {
      ...{ reviews: 'cases', hits: 'hits', customers: 'customers', transactions: 'transactions' },
      ...{ lists: 'lists', 'kyc-sessions': 'sessions', 'coaf/communications': 'coaf' },
    };
    const shows: string[] = [];
    for (const [list, screen] of Object.entries(single)) shows.push(`/${screen}/${await firstOf(list)}`);
    shows.push('/rules/HOSTILE-01', '/flows/hostile', '/rules', '/lists', '/flows');
    shows.push('/cases', '/customers', '/sessions', '/dead-letters', `/approvals?id=${discard}`);
    const silent: string[] = [];
    const turned: string[] = [];
    const faults: string[] = [];
    for (const address of [...shows, '/', '/transactions', '/coaf', '/rulesets/br-first/1']) {
      faults.push(...(await faultsOfScreens(page, [address], 'light')));
      const { text, elements, kept, leaks } = await page.evaluate<{
        text: string;
        elements: number;
        kept: string;
        leaks: string[];
      }>(LOOK);
      if (shows.includes(address) && !text.includes('<img src=x onerror=')) silent.push(address);
      if (elements > 0) faults.push(`${address}: a text became ${String(elements)} elements`);
      if (/Zacarias|onerror|WWW|529\.?982/.test(kept)) faults.push(`${address}: ${kept} keeps a text`);
      turned.push(...leaks.map((leak) => `${address}: ${leak}`));
    }
    // Names in the labels of a dialog.
    await page.goto(`/console/cases/${await caseOfSomebodyElse()}`);
    await page.getByRole('button', { name: 'Add people' }).click();
    await page.getByRole('dialog').getByLabel('Find a person').fill('Zacarias');
    await page.getByRole('dialog').getByRole('checkbox').first().waitFor();
    const { text: labels, leaks: ofLabels } = await page.evaluate<{ text: string; leaks: string[] }>(LOOK);
    expect(labels).toContain('Zacarias');
    turned.push(...ofLabels.map((leak) => `the people of a case: ${leak}`));
    expect(faults).toEqual([]);
    expect(silent).toEqual([]);
    // A name does not write backwards what stands beside it.
    expect(turned).toEqual([]);
    expect(visit.complaints).toEqual([]);
    await visit.context.close();
  }, 600_000);
});

/**
 * Tells what a screen made of the texts: what is read, what became an element, what is kept, and the texts that a name turns
 * around with its own. It reaches as far as its line, and neither out of what stands for itself nor into it; the marks that
 * would carry it further are on no screen.
 */
const LOOK = `(() => {
  const alone = (one) => {
    const { display, unicodeBidi } = getComputedStyle(one);
    return display !== 'inline' || unicodeBidi !== 'normal' || /flex|grid/.test(getComputedStyle(one.parentElement).display);
  };
  const reached = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const data = text.data.replace(/\\u2068[^\\u2066-\\u2069]*\\u2069/g, '');
    if (/[\\u202A-\\u202E\\u2066-\\u2069]/.test(data)) reached.push('a mark in ' + text.parentElement.tagName);
    if (!data.includes('\\u05D1') || !text.parentElement.checkVisibility()) continue;
    let box = text.parentElement;
    while (!alone(box)) box = box.parentElement;
    const after = document.createTreeWalker(box, NodeFilter.SHOW_ALL, (node) =>
      node.nodeType === Node.ELEMENT_NODE && node.tagName !== 'BR' && alone(node)
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_ACCEPT);
    after.currentNode = text;
    // What the same text says after the name; a screen that compares names shows their words one by one.
    let turned = data.split(/W+/)[1]?.replace(/^\\.(jpg|png)/, '') ?? '';
    for (let node = after.nextNode(); node && node.tagName !== 'BR'; node = after.nextNode()) {
      if (node.nodeType === Node.TEXT_NODE) turned += node.data;
    }
    if (getComputedStyle(box).whiteSpace.startsWith('pre')) turned = turned.split('\\n')[0];
    if (/[\\p{L}\\p{N}]/u.test(turned)) reached.push(box.tagName + '.' + box.className + ': ' + turned.trim().slice(0, 40));
  }
  const fields = [...document.querySelectorAll('main input, main textarea')].map((one) => one.value);
  if (fields.some((value) => /[\\u202A-\\u202E\\u2066-\\u2069]/.test(value))) reached.push('a mark in a field');
  return {
    text: [...[...document.querySelectorAll('main, [role=dialog]')].map((one) => one.textContent), ...fields].join(' '),
    elements: document.querySelectorAll('main img[src="x"], main script').length,
    kept: JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, document.title, history.state]),
    leaks: [...new Set(reached)],
  };
})()`;
