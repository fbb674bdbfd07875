import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import type { Role } from '../../src/platform/http/index.js';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import { aTransaction, cpfOf } from '../support/builders.js';
import { Deeds } from '../support/console-deeds.js';
import { ConsoleDesk } from '../support/console-desk.js';
import { ConsolePerson } from '../support/console-person.js';
import { eventually } from '../support/eventually.js';
import { aReportingInstitution } from '../support/institution.js';
import { LISTED, withLists } from '../support/lists.js';
import { needs } from '../support/needs.js';

/** Clicks, filled fields and keys of each part of the day: of whoever does it, and of the second person. */
const COUNTED: Readonly<Record<string, readonly [number, number]>> = {
  'signing in': [5, 0],
  'opening the gravest case': [2, 0],
  'answering a name on a list': [4, 3],
  'closing a false positive': [3, 3],
  'freezing, and telling COAF': [6, 7],
  'communicating a mule': [7, 3],
  'recording the filing': [8, 3],
  'changing a rule': [13, 3],
  'importing a list': [8, 3],
  'exporting the trail': [5, 0],
};

const SAME = 'The document and the date of birth are those of the list: it is the person.';
const WHY = 'Another date of birth and another document: not the same person.';

needs('chromium').describe('a day at the console, counted', () => {
  const desk = ConsoleDesk.forBlock({ rules: false });
  let analyst: Worker;
  let officer: Worker;
  let second: Worker;

  interface Worker {
    readonly person: ConsolePerson;
    readonly deeds: Deeds;
  }

  const comes = async (mark: string, role: Role): Promise<Worker> => {
    const who = await desk.account(mark, role);
    const person = await ConsolePerson.comes(desk.browser, desk.t.url);
    await person.page.locator('input[type=email]').waitFor();
    const deeds = await Deeds.of(person.page);
    await person.enters(who);
    return { person, deeds };
  };

  /** A part of the day: what it takes is what the table says, no more and no less. */
  const part = (title: keyof typeof COUNTED, work: () => Promise<readonly [Worker, Worker | null]>): void => {
    it(title, async () => {
      const [doer, approver] = await work();
      const took = [await doer.deeds.since(), (await approver?.deeds.since()) ?? 0];
      expect({ [title]: took }).toEqual({ [title]: COUNTED[title] });
    });
  };

  const has = (what: string, sql: string): Promise<unknown> => eventually(what, () => desk.has(sql));

  /** A payment as the system of the institution sends it, of a customer with a name and a document of their own. */
  const pays = async (name: string, fields: Record<string, unknown> = {}, isOut = true): Promise<void> => {
    const who = { name: `${name} Exemplo`, cpfCnpj: cpfOf(name), country: 'BR' };
    const body = aTransaction({
      ...{ externalCustomerId: name, cpfCnpj: who.cpfCnpj, metadata: {} },
      ...(isOut ? { origin: who } : { destination: who }),
      ...fields,
    });
    const api = desk.t.api.as(desk.client);
    await api.ingest(body).expect(202);
    await api.settled(body.transactionId);
  };

  beforeAll(async () => {
    const { organisationId } = desk.client;
    await desk.t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
    await withLists(desk.t, organisationId);
    await aReportingInstitution(desk.t, organisationId);
    // Money of four payers comes in and leaves at once.
    for (const payer of ['Paula', 'Pedro', 'Pilar', 'Priscila']) {
      const origin = { name: `${payer} Exemplo`, cpfCnpj: cpfOf(payer), country: 'BR' };
      await pays('Marcos', { amount: 4_000, origin }, false);
    }
    await pays('Marcos', { amount: 15_000 });
    for (const name of ['Bruno', 'Carla']) {
      await pays(name, { destination: { name: LISTED.sanctions, country: 'BR' } });
    }
    await has('the cases are open', 'SELECT 1 FROM reviews OFFSET 2');
    [officer, second] = [
      await comes('officer', 'COMPLIANCE_OFFICER'),
      await comes('second', 'COMPLIANCE_OFFICER'),
    ];
    await Promise.all([officer.deeds.since(), second.deeds.since()]);
  });

  part('signing in', async () => {
    analyst = await comes('analyst', 'ANALYST');
    return [analyst, null];
  });

  part('opening the gravest case', async () => {
    const { person } = analyst;
    await person.opens('Cases');
    await person.page.locator('.case-line').first().waitFor();
    // Data was missing in some of them, which is said in words.
    const reasons = (await person.page.locator('.case-line .why').allInnerTexts()).join();
    expect(reasons).toContain('Missing: ');
    expect(reasons).not.toMatch(/[A-Z]_[A-Z]/);
    await person.page.locator('.case-line').first().click();
    await person.page.getByRole('link', { name: 'Compare' }).waitFor();
    return [analyst, null];
  });

  part('answering a name on a list', async () => {
    const { person } = analyst;
    await person.page.getByRole('link', { name: 'Compare' }).click();
    await person.press('Is not the person');
    await person.fills({ Why: WHY }, 'Is not the person');
    await second.person.approves('Decide a hit');
    await has('it is decided', `SELECT 1 FROM screening_hits WHERE status = 'DISMISSED_FALSE_POSITIVE'`);
    return [analyst, second];
  });

  part('closing a false positive', async () => {
    const { person } = analyst;
    await person.press('False positive');
    await person.press('Draft from the evidence');
    await person.press('Propose');
    await person.page.getByText('A decision awaits the second person').waitFor();
    await second.person.approves('Close a case');
    await has(
      'it is closed',
      `SELECT 1 FROM reviews WHERE status = 'CLOSED' AND resolution = 'FALSE_POSITIVE'`,
    );
    return [analyst, second];
  });

  part('freezing, and telling COAF', async () => {
    // The case of the other payment to the name on the list.
    await analyst.person.opens('Cases');
    await analyst.person.page
      .locator('.case-line', { hasText: /Bruno|Carla/ })
      .first()
      .click();
    await analyst.person.page.getByRole('link', { name: 'Compare' }).click();
    await analyst.person.press('Is the person');
    await analyst.person.fills({ Why: SAME }, 'Is the person');
    await officer.person.approves('Decide a hit');
    await officer.person.opens('Freezes');
    await officer.person.press('Record a notice');
    await officer.person.fills({ 'Receipt number': 'SEI-08000.000123/2026-11' }, 'Record a notice');
    await officer.person.page.getByText('SEI-08000.000123/2026-11').waitFor();
    return [analyst, officer];
  });

  part('communicating a mule', async () => {
    const { person } = analyst;
    await person.opens('Cases');
    await person.page.locator('.case-line', { hasText: 'Marcos' }).first().click();
    await person.press('Reject');
    await person.press('Communicate to COAF');
    await person.press('Draft from the evidence');
    await person.press('Add all of them');
    await person.page.getByText('Every payment around the alerts is in the case.').waitFor();
    await person.press('Propose');
    await person.page.getByText('A decision awaits the second person').waitFor();
    await officer.person.approves('Close a case');
    await has('it is drafted', 'SELECT 1 FROM coaf_communications');
    return [analyst, officer];
  });

  part('recording the filing', async () => {
    const { person } = officer;
    await person.opens('COAF');
    await person.page.locator('tbody a').first().click();
    expect(await person.page.getByLabel('Narrative').inputValue()).toMatch(/15\.000,00/);
    await person.press('Record the filing');
    await person.fills({ 'Number in Siscoaf': '2026-0000001' }, 'Record the filing');
    await second.person.approves('Record a communication');
    await has('it is filed', `SELECT 1 FROM coaf_communications WHERE status = 'FILED'`);
    await person.opens('COAF');
    await person.page.getByRole('button', { name: 'Filed' }).click();
    await person.page.locator('tbody a').first().click();
    expect(await person.page.getByLabel('Credits (BRL)').inputValue()).toBe('16,000.00');
    expect(await person.page.getByText('A request awaits the second person').count()).toBe(0);
    return [officer, second];
  });

  part('changing a rule', async () => {
    const { person } = officer;
    await person.opens('Rules');
    await person.page.getByRole('link', { name: /BR-FLOW-12/ }).click();
    await person.page.getByLabel('Points').fill('50');
    await person.press('Save draft');
    await person.page.getByText('The draft is saved.').waitFor();
    await person.press('Release a version');
    await person.page.getByText(/^Version \d+ is released\./).waitFor();
    await person.press('Add to a ruleset');
    await person.page.getByRole('dialog').getByRole('button', { name: 'Add to a ruleset' }).click();
    await person.page.getByText(/BR-FLOW-12 becomes .+ in shadow/).waitFor();
    await person.page.getByLabel('Mode BR-FLOW-12').selectOption('LIVE');
    await person.page.getByText(/BR-FLOW-12 becomes .+ live/).waitFor();
    await person.press('Back-test');
    await person.page.getByRole('dialog').getByRole('button', { name: 'Back-test' }).click();
    await person.page.getByText('Finished', { exact: true }).waitFor();
    await person.press('Ask for publication');
    await person.fills({ Reason: 'Money that leaves at once weighs more.' }, 'Ask for publication');
    await second.person.approves('Publish rules');
    await has('it counts', `SELECT 1 FROM rulesets WHERE status = 'PUBLISHED' AND version > 1`);
    return [officer, second];
  });

  part('importing a list', async () => {
    const { person } = officer;
    const { page } = person;
    const dialog = page.getByRole('dialog');
    await person.opens('Lists');
    await page.getByRole('link', { name: 'debarment' }).click();
    await person.press('Import a file');
    await dialog.getByLabel('File', { exact: true }).setInputFiles({
      ...{ name: 'impedidos.csv', mimeType: 'text/csv' },
      buffer: Buffer.from(
        `key;name;kind;birthDate;type;value\ns1;${LISTED.debarred};PERSON;;;\ns2;Dionisio Impedido Ficticio;PERSON;;;\n`,
      ),
    });
    await dialog.getByRole('button', { name: 'Import a file' }).click();
    await dialog.getByRole('button', { name: 'Ask for publication' }).click();
    await person.fills({ Reason: 'The list of this month has one name more.' }, 'Ask for publication');
    await second.person.approves('Publish a list');
    await has(
      'it is in force',
      `SELECT 1 FROM screening_snapshots WHERE status = 'PUBLISHED' AND entries = 2`,
    );
    return [officer, second];
  });

  part('exporting the trail', async () => {
    const auditor = await comes('auditor', 'AUDITOR');
    await auditor.deeds.since();
    const { person } = auditor;
    await person.opens('Audit');
    await person.press('Export');
    await person.fills({ Reason: 'The yearly look of the external auditor.' }, 'Export');
    const arriving = person.page.waitForEvent('download');
    await person.page.getByRole('button', { name: 'Download' }).first().click();
    const file = join(desk.t.settings.dataDir, 'package.zip');
    await (await arriving).saveAs(file);
    expect((await readFile(file)).subarray(0, 2).toString()).toBe('PK');
    return [auditor, null];
  });
});
