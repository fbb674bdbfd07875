import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, type it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { Role } from '../../src/platform/http/index.js';
import { publicId } from '../../src/platform/kernel/index.js';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { buildPage, openBrowser, openWindow } from '../support/browser.js';
import { aTransaction, cpfOf } from '../support/builders.js';
import { consoleAccount, ConsolePerson } from '../support/console-person.js';
import { ConsoleTabs, OpenStreams } from '../support/console-tabs.js';
import { eventually } from '../support/eventually.js';
import { withFlow } from '../support/flows.js';
import { aReportingInstitution } from '../support/institution.js';
import { again, later, needs } from '../support/needs.js';
import { pdfOfPages } from '../support/hostile-files.js';
import { SHORT } from '../support/page-flow.js';
import { PagePerson } from '../support/page-person.js';
import { unpacked, verdictOf } from '../support/package-verifiers.js';
import { WebhookReceiver } from '../support/receiver.js';
import { expectWithin } from '../support/timing.js';

const LISTED = 'Quirino Bloqueado Ficticio';

/** The whole story of an institution, told in its own windows: each part goes on where the one before it ended. */
needs('chromium').describe('a day at the console', () => {
  let t: TestApp;
  let browser: Browser;
  let receiver: WebhookReceiver;
  let organisationId: string;
  let analyst: ConsolePerson;
  let officer: ConsolePerson;
  let second: ConsolePerson;
  let app: { clientId: string; clientSecret: string };

  beforeAll(async () => {
    await buildPage();
    [t, browser, receiver] = await Promise.all([startTestApp(), openBrowser(), WebhookReceiver.listen()]);
    ({ organisationId } = await t.client({ rules: false }));
    await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
    await withFlow(t, organisationId, { key: 'short', ...SHORT });
  });

  afterAll(async () => {
    await browser.close();
    await receiver.close();
    await t.close();
  });

  let tookMs = 0;
  /** A part of the main story: all of them together are done within a minute. */
  const partAs =
    (test: typeof it) =>
    (title: string, work: () => Promise<void>): void => {
      test(title, async () => {
        const begun = performance.now();
        await work();
        tookMs += performance.now() - begun;
      });
    };
  // A story is told from its beginning.
  const part = partAs(again);
  const laterPart = partAs(later);

  const signsIn = async (name: string, role: Role): Promise<ConsolePerson> => {
    const mark = name.toLowerCase();
    return ConsolePerson.signsIn(
      browser,
      t.url,
      await consoleAccount(t, organisationId, { name, role, mark }),
    );
  };

  async function ingest(fields: Record<string, unknown>): Promise<string> {
    const body = aTransaction(fields);
    const answer = await fetch(`${t.url}/kyt/transactions/ingest`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-client-id': app.clientId,
        'x-client-secret': app.clientSecret,
      },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(202);
    return body.transactionId;
  }

  const answered = async (sql: string): Promise<boolean> => (await t.owner.query(sql)).rows.length > 0;

  part('an administrator creates an app, and a developer says where its events go', async () => {
    const admin = await signsIn('Adele', 'ADMIN');
    await admin.opens('My apps');
    await admin.press('New app');
    await admin.fills({ Name: 'loja', 'Name that customers see': 'Loja Exemplo' }, 'Create');
    const shown = admin.page.getByRole('dialog').locator('dd code');
    await shown.first().waitFor();
    const [clientId = '', clientSecret = ''] = await shown.allTextContents();
    expect(clientSecret).toMatch(/^vsk_/);
    app = { clientId, clientSecret };
    await admin.press('Close');
    await admin.page.reload();
    await admin.page.getByText(clientId).first().waitFor();
    // A secret that was closed is nowhere any more.
    expect(await admin.page.content()).not.toContain(clientSecret);
    await admin.visit.context.close();

    const developer = await signsIn('Dora', 'DEVELOPER');
    await developer.opens('Webhooks');
    await developer.press('New address');
    await developer.page.getByRole('dialog').getByLabel('App').selectOption({ label: 'loja' });
    await developer.fills({ 'URL (https)': receiver.url }, 'Create');
    await developer.page.getByRole('dialog').getByText('whsec_').waitFor();
    await developer.press('Close');
    await developer.page.getByText(receiver.url).first().waitFor();
    await developer.visit.context.close();
  });

  part('a case appears by itself, its evidence is looked at, and two people close it', async () => {
    analyst = await signsIn('Ana', 'ANALYST');
    officer = await signsIn('Otto', 'COMPLIANCE_OFFICER');
    second = await signsIn('Sara', 'COMPLIANCE_OFFICER');
    await analyst.goesTo('Cases', 'c');
    await analyst.page.getByText('No case').first().waitFor();
    const transactionId = await ingest({
      amount: 50_000,
      destination: { name: 'Ivan Exemplo', country: 'IR' },
      metadata: {},
    });
    // Nobody loads anything anew.
    await analyst.page.locator('.case-line').first().waitFor();
    await analyst.page.keyboard.press('Enter');
    await analyst.page.locator('.reasons li').first().waitFor();
    await analyst.page.locator('.components', { hasText: 'Missing input' }).first().waitFor();
    await analyst.page.keyboard.press('2');
    await analyst.page.keyboard.press('v');
    await analyst.page.keyboard.press('r');
    await analyst.page.keyboard.press('Control+Enter');
    await analyst.page.getByText('A decision awaits the second person').waitFor();
    await officer.approves('Close a case');
    await eventually('the case is closed', () => answered(`SELECT 1 FROM reviews WHERE status = 'CLOSED'`));
    const told = await receiver.about(transactionId, 3);
    expect(told.map(({ event }) => event.data['outcome'])).toContain('REJECTED');
  });

  const opensCase = (who: string): Promise<string> =>
    ingest({
      ...{ externalCustomerId: who, cpfCnpj: cpfOf(who), amount: 50_000, metadata: {} },
      destination: { name: 'Ivan Exemplo', country: 'IR' },
    });

  later(
    'ten tabs in a window have one stream, which goes to the tab that is seen, and which none has when none is',
    async () => {
      const streams = new OpenStreams(t);
      const window = await openWindow();
      const who = await consoleAccount(t, organisationId, { name: 'Tina', role: 'ANALYST', mark: 'tabs' });
      const tabs = await ConsoleTabs.open(browser, t, who, 10, window);
      await streams.are(1);
      const [first, second] = tabs.pages as [Page, Page];
      await tabs.shows(first);
      const cases = await first.locator('.case-line').count();
      await tabs.shows(second);
      await opensCase('while it is hidden');
      await eventually(
        'the tab that is seen is told',
        async () => (await second.locator('.case-line').count()) > cases,
      );
      // It goes on where it stopped, and so hears what it missed.
      expect((await tabs.shows(first)).headers()['last-event-id']).toMatch(/^\d+$/);
      await eventually('the other one too', async () => (await first.locator('.case-line').count()) > cases);
      await streams.are(1);
      await tabs.minimises('minimized');
      await streams.are(0);
      await tabs.minimises('normal');
      await streams.are(1);
      await tabs.closesHolder();
      await streams.are(1);
      await window.close();
      await streams.are(0);
    },
  );

  later(
    'ten windows over TLS share one stream, and another one holds it when its holder is closed',
    async () => {
      const service = await startTestApp({
        like: t,
        settings: {
          tlsCertFile: 'test/support/tls/localhost.cert.pem',
          tlsKeyFile: 'test/support/tls/localhost.key.pem',
        },
      });
      const streams = new OpenStreams(service);
      const who = await consoleAccount(t, organisationId, { name: 'Tom', role: 'ANALYST', mark: 'windows' });
      const tabs = await ConsoleTabs.open(browser, service, who, 10);
      await tabs.areLive();
      await streams.are(1);
      const told = tabs.everyCountGrows();
      await opensCase('for all windows');
      await told;
      await tabs.closesHolder();
      await tabs.areLive();
      await streams.are(1);
      await tabs.close();
      await service.close();
    },
  );

  laterPart('the developer sees the event delivered, with what it carried', async () => {
    const developer = await signsIn('Davi', 'DEVELOPER');
    await developer.opens('Webhooks');
    const line = developer.page.locator('tr', { hasText: 'kyt.transaction.pipeline.completed' }).first();
    await line.getByText('Delivered').waitFor();
    await line.getByRole('button', { name: 'View' }).click();
    await developer.page.getByRole('dialog').getByText('"outcome"').first().waitFor();
    await developer.visit.context.close();
  });

  later('a list is imported by two people, and a name on it is disposed of by two people', async () => {
    const { page } = officer;
    await officer.opens('Lists');
    await officer.press('New list');
    await officer.fills({ List: 'Casa', 'Key, as in rules': 'casa', Kind: 'SANCTIONS' }, 'Create');
    await page.getByRole('link', { name: 'Casa' }).click();
    await officer.press('Import a file');
    const file = `key;name;kind;birthDate;type;value\ns1;${LISTED};PERSON;;;\n`;
    await page
      .getByRole('dialog')
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'casa.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
    await page.getByRole('dialog').getByRole('button', { name: 'Import a file' }).click();
    const ask = page.getByRole('dialog').getByRole('button', { name: 'Ask for publication' });
    await ask.click();
    await officer.fills({ Reason: 'The first file of the list of the house.' }, 'Ask for publication');
    await officer.press('Close');
    await second.approves('Publish a list');
    await eventually('the list is in force', () =>
      answered(`SELECT 1 FROM screening_snapshots WHERE status = 'PUBLISHED'`),
    );

    await eventually('the name is found', async () => {
      await ingest({ destination: { name: LISTED, country: 'BR' } });
      return eventually('it was looked for', () => answered(`SELECT 1 FROM screening_hits`), 3_000).catch(
        () => false,
      );
    });
    // Payments that came before the list was in memory can have a case of their own.
    const linked = await eventually('the name has a case', async () => {
      const { rows } = await t.owner.query<{ id: string }>(
        `SELECT r.id FROM review_hits h JOIN reviews r ON r.id = h.review_id WHERE r.status <> 'CLOSED' LIMIT 1`,
      );
      return rows[0];
    });
    await analyst.goesTo('Cases', 'c');
    await analyst.page.locator(`.case-line[href$="${publicId('rev', linked.id)}"]`).click();
    await analyst.page.getByRole('link', { name: 'Compare' }).first().click();
    await analyst.page.getByRole('heading', { name: 'Is it the same person?' }).waitFor();
    await analyst.press('Is not the person');
    await analyst.fills(
      { Why: 'Another date of birth and another document: not the same person.' },
      'Is not the person',
    );
    await second.approves('Decide a hit');
    await eventually('the hit is decided', () =>
      answered(`SELECT 1 FROM screening_hits WHERE status = 'DISMISSED_FALSE_POSITIVE'`),
    );
  });

  laterPart('a link is made, finished on the page for end users, and its evidence is there', async () => {
    const { page } = analyst;
    await analyst.opens('Sessions');
    await analyst.press('New link');
    await analyst.fills({ Flow: 'short' }, 'Make the link');
    await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
    const url = (await page.locator('.session-link').textContent()) ?? '';
    await page.getByRole('link', { name: 'Progress' }).click();
    await page.getByText('Awaiting the customer').first().waitFor();
    // The link opens the session for whoever has it: neither the address nor the title of the screen has it.
    const token = url.split('/').at(-1) ?? 'none';
    expect(page.url() + (await page.title())).not.toContain(token);

    const person = await PagePerson.opens(browser, t.url, token);
    await person.page.getByLabel('Li e entendi.').check();
    await person.goOn();
    await person.isAt('Pessoa politicamente exposta');
    await person.page.getByLabel('Não').check();
    await person.page.getByLabel('Salário').check();
    await person.goOn();
    await person.press('Enviar');
    await person.isAt('Recebemos seus dados');
    await person.context.close();

    await page.getByText('Completed', { exact: true }).first().waitFor();
    await page.getByText('Submitted by the person').waitFor();
    await page.locator('.components', { hasText: 'PEP declaration' }).first().waitFor();
  });

  later('a PDF of a session is looked at page by page, and downloaded as it came for a reason', async () => {
    const { page } = analyst;
    const api = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
    const made = await api.post('/operator/kyc-sessions').send({ flowKey: 'onboarding-pf' }).expect(201);
    const { sessionId, reference } = (made.body as { data: { sessionId: string; reference: string } }).data;
    const file = await pdfOfPages(2);
    await t.api
      .post(`/kyc-sessions/${sessionId}/upload`)
      .field('stepId', 'document')
      .attach('file', file, 'conta.pdf')
      .expect(201);
    await page.goto(`${t.url}/console/sessions/${reference}`);
    await page.getByRole('button', { name: 'Document' }).click();
    await page.getByText('Page 1 of 2').waitFor();
    await page.getByRole('img', { name: 'File of the session' }).waitFor();
    await analyst.press('Next page');
    await page.getByText('Page 2 of 2').waitFor();
    await page.getByRole('img', { name: 'File of the session' }).waitFor();
    await analyst.press('Download the original');
    await page.getByRole('textbox').fill('The court asks for the file as it came.');
    const [came] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the original' }).last().click(),
    ]);
    expect(came.suggestedFilename()).toMatch(/^art_[0-9a-f]{32}\.pdf$/);
    expect((await readFile(await came.path())).equals(file)).toBe(true);
    await eventually('each look is in the trail', () =>
      answered(`SELECT 1 FROM audit_entries WHERE action = 'artifact.viewed' HAVING count(*) = 3`),
    );
    await page.keyboard.press('Escape');
  });

  later('a rule with an aggregate is written, back-tested, and published by two people', async () => {
    const { page } = officer;
    await officer.opens('Rules');
    await page.getByRole('link', { name: 'New rule' }).click();
    const fill = async (label: string, text: string): Promise<void> => {
      await page.getByLabel(label, { exact: true }).fill(text);
    };
    await fill('Key', 'HOUSE-SUM-01');
    await fill('Name (Portuguese)', 'Soma do dia');
    await fill('Name (English)', 'Sum of the day');
    const condition = page.getByRole('textbox', { name: 'Condition' });
    const write = async (text: string): Promise<void> => {
      await condition.click();
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
      await page.keyboard.type(text);
    };
    // A fact that is begun completes itself.
    await write('outgoing.sum24');
    await page.getByRole('option', { name: 'outgoing.sum24h' }).waitFor();
    await page.keyboard.press('Escape');
    await write('outgoing.sum24 > 1000');
    // The fault is told at its place, with what was meant.
    await page.getByText('Did you mean outgoing.sum24h?').waitFor();
    await write('outgoing.sum24h > 30000');
    await page.getByText('The service understands the condition.').waitFor();
    await fill('Sentence that explains it (Portuguese)', 'Somou {outgoing.sum24h} no dia.');
    await fill('Sentence that explains it (English)', 'Sums up to {outgoing.sum24h} in a day.');
    await fill('Reason code', 'HOUSE_SUM');
    await page.getByText('Applies to: all types').click();
    await page.getByLabel('PIX transfer').check();
    await page.getByLabel('Severity').selectOption('HIGH');
    await page.getByLabel('If it cannot be decided').selectOption('RECORD');
    await officer.press('Add a legal basis');
    await page.getByLabel('Norm 1').fill('BCB Carta Circular 4.001/2020');
    await page.getByLabel('Article or item 1').fill('art. 1º, IV, b');
    await page.getByLabel('Siscoaf code 1').fill('1046');
    await officer.press('Add an action');
    await page.getByLabel('Action 1').selectOption('OPEN_CASE');
    await page.getByLabel('Queue 1').fill('mules');
    await page.keyboard.press('Control+s');
    await page.getByText('The draft is saved.').waitFor();
    await officer.press('Release a version');
    await page.getByText('Version 1 is released.').waitFor();
    const { rows } = await t.owner.query<{ content: object }>(
      `SELECT content FROM rules WHERE key = 'HOUSE-SUM-01' AND status = 'RELEASED'`,
    );
    expect(rows[0]?.content).toMatchObject({
      ...{ severity: 'HIGH', onIndeterminate: 'RECORD', appliesTo: { types: ['PIX_TRANSFER'] } },
      legalBasis: [{ norm: 'BCB Carta Circular 4.001/2020', item: 'art. 1º, IV, b', siscoafCode: 1046 }],
      actions: [{ type: 'OPEN_CASE', queue: 'mules' }],
    });
    await officer.press('Add to a ruleset');
    await page.getByRole('dialog').getByRole('button', { name: 'Add to a ruleset' }).click();
    await page.getByText('is drafted.').waitFor();
    await page.getByText('HOUSE-SUM-01 becomes @1, in shadow').waitFor();
    await page.getByLabel('Mode HOUSE-SUM-01').selectOption('LIVE');
    await page.getByText('HOUSE-SUM-01 becomes @1, live').waitFor();
    await officer.press('Back-test');
    await page.getByRole('dialog').getByRole('button', { name: 'Back-test' }).click();
    await page.getByText('Finished').first().waitFor();
    await page.getByRole('cell', { name: 'HOUSE-SUM-01', exact: true }).waitFor();
    await officer.press('Ask for publication');
    await officer.fills({ Reason: 'What leaves an account in a day is looked at.' }, 'Ask for publication');
    await second.approves('Publish rules');
    await page.reload();
    await page.getByText('In force').first().waitFor();
  });

  again('the main story took at most a minute', () => {
    expect(tookMs).toBeGreaterThan(0);
    expectWithin(60_000, 0, tookMs);
  });

  later('a communication is edited, filed, and confirmed by a second person', async () => {
    await aReportingInstitution(t, organisationId);
    await ingest({ type: 'CASH_DEPOSIT', channel: 'BRANCH', amount: 62_000 });
    await eventually('the draft is there', () => answered('SELECT 1 FROM coaf_communications'));
    const { page } = officer;
    await officer.opens('COAF');
    await page.getByRole('link', { name: 'Operation in cash' }).first().click();
    await page.getByLabel('Narrative').fill('DEPÓSITO EM ESPÉCIE na agência, pelo próprio titular.');
    await page
      .getByLabel('Reason for the edit')
      .fill('The branch says who brought the money, which the draft lacked.');
    await officer.press('Save the edit');
    await page.getByText('The edit is saved.').waitFor();
    await page.getByText('The branch says who brought').first().waitFor();
    await officer.press('Record the filing');
    await officer.fills({ 'Number in Siscoaf': '2026-0000001' }, 'Record the filing');
    await page.getByText('A request awaits the second person.').waitFor();
    await second.approves('Record a communication');
    await page.reload();
    await page.getByText('2026-0000001').waitFor();
    await page.getByText('Filed', { exact: true }).first().waitFor();
  });

  later('an auditor takes the trail along and verifies it without the service', async () => {
    const auditor = await signsIn('Aldo', 'AUDITOR');
    const { page } = auditor;
    await auditor.opens('Audit');
    await auditor.press('Export');
    await auditor.fills({ Reason: 'The yearly look of the external auditor.' }, 'Export');
    const arriving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).first().click();
    const file = join(t.settings.dataDir, 'package.zip');
    await (await arriving).saveAs(file);
    expect((await readFile(file)).subarray(0, 2).toString()).toBe('PK');
    const root = (await page.locator('dd').filter({ hasText: 'vigia' }).first().textContent()) ?? '';
    expect(await verdictOf(unpacked(file), '--pin', root.trim())).toBe('VERIFIED');
  });

  again(
    'nothing broke a rule of its policy, and no secret or person stands in a storage, an address or a title',
    async () => {
      for (const { page, visit } of [analyst, officer, second]) {
        expect(visit.complaints).toEqual([]);
        const kept = await page.evaluate<string>(
          'JSON.stringify([localStorage, sessionStorage, location.href, document.title, history.state])',
        );
        expect(kept).not.toMatch(/eyJ|vsk_|whsec_|vrt_|Quirino|Ivan|Maria/);
      }
    },
  );
});
