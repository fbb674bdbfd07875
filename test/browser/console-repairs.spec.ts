import { beforeAll, expect, it } from '@jest/globals';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import type { TestApi } from '../support/api.js';
import { aTransaction } from '../support/builders.js';
import { ConsoleDesk } from '../support/console-desk.js';
import type { ConsolePerson } from '../support/console-person.js';
import { eventually } from '../support/eventually.js';
import { needs } from '../support/needs.js';

const WHY = 'It was looked at, and this is what it asks for.';
const RULE = 'BR-GEO-21';

needs('chromium').describe('what is put right at the console', () => {
  const desk = ConsoleDesk.forBlock({ rules: false });
  let api: TestApi;
  let officer: ConsolePerson;
  let second: ConsolePerson;

  beforeAll(async () => {
    api = desk.t.api.as(desk.client);
    await publish(brStarter);
    officer = await desk.person('first');
    second = await desk.person('second');
  });

  const publish = (definition: typeof brStarter): Promise<boolean> =>
    desk.t.app.get(RulesetsService).publish(desk.client.organisationId, definition, 'test');

  const ingest = async (fields: Record<string, unknown>): Promise<unknown> =>
    api.ingest(aTransaction({ metadata: {}, ...fields })).expect(202);

  it('a ruleset goes back to an earlier version, by two people', async () => {
    const rules = brStarter.rules.map((rule) =>
      rule.key === RULE ? { ...rule, mode: 'SHADOW' as const } : rule,
    );
    await publish({ ...brStarter, version: 3, rules });
    const { page } = officer;
    await officer.opens('Rules');
    await page.getByRole('link', { name: 'br-starter@3' }).click();
    await page.getByRole('heading', { level: 1, name: 'br-starter@3' }).waitFor();
    const mode = page.getByLabel(`Mode ${RULE}`);
    expect(await mode.inputValue()).toBe('SHADOW');
    // The version in force is what one goes back from.
    expect(await page.getByRole('button', { name: 'Go back to this version' }).count()).toBe(0);

    await page.getByRole('link', { name: '← Rules' }).click();
    await page.getByRole('link', { name: 'br-starter@2' }).click();
    await officer.press('Go back to this version');
    await page
      .getByRole('dialog')
      .getByText('The old content comes back as a new version when another person approves.')
      .waitFor();
    await officer.fills({ Reason: WHY }, 'Go back to this version');
    await page.getByText('Request sent. Another person has to approve it.').waitFor();
    expect(await desk.has(`SELECT 1 FROM rulesets WHERE version = 3 AND status = 'PUBLISHED'`)).toBe(true);

    await second.approves('Publish rules');
    await officer.opens('Rules');
    await page.getByRole('row', { name: /br-starter@4.*In force/ }).waitFor();
    await page.getByRole('link', { name: 'br-starter@4' }).click();
    await page.getByRole('heading', { level: 1, name: 'br-starter@4' }).waitFor();
    expect(await mode.inputValue()).toBe('LIVE');
    const { rows } = await desk.t.owner.query<object>(
      `SELECT a.rollback_of, b.status AS former FROM rulesets a JOIN rulesets b ON b.key = a.key AND b.version = 3
       WHERE a.version = 4 AND a.status = 'PUBLISHED'`,
    );
    expect(rows).toEqual([{ rollback_of: 2, former: 'ARCHIVED' }]);
  });

  it('a transaction that stopped is looked at, queued again, and evaluated after the repair; another is given up by two people', async () => {
    const { owner } = desk.t;
    /** The waits between the attempts are seconds: what waits is due. */
    const stopped = (id: string, generation: number): Promise<unknown> =>
      eventually(`${id} has stopped`, async () => {
        await owner.query(`UPDATE kyt_work SET due_at = now() - interval '1 second' WHERE status = 'QUEUED'`);
        return desk.has(
          `SELECT 1 FROM kyt_work w JOIN kyt_transactions t ON t.id = w.transaction_ref
           WHERE t.transaction_id = '${id}' AND w.status = 'DEAD_LETTERED' AND w.generation = ${String(generation)}`,
        );
      });
    const developer = await desk.person('stopped', 'DEVELOPER');
    const { page } = developer;
    const row = (id: string) => page.getByRole('row', { name: new RegExp(`^${id} `) });
    // No evaluation can be stored for as long as this constraint is there.
    await owner.query(
      'ALTER TABLE kyt_evaluations ADD CONSTRAINT broken CHECK (evaluation_version > 1) NOT VALID',
    );
    try {
      for (const transactionId of ['stopped-1', 'stopped-2']) await ingest({ transactionId });
      await stopped('stopped-1', 1);
      await stopped('stopped-2', 1);
      await developer.opens('Dead letters');
      for (const id of ['stopped-1', 'stopped-2']) {
        await row(id).getByText('DATABASE_23514').waitFor();
        await row(id).getByText('COMMIT · 5 attempts').waitFor();
      }
      await row('stopped-1').getByRole('link').click();
      await page.getByText('DATABASE_23514').first().waitFor();

      // The cause is still there: it stops again, and the list says so.
      await developer.opens('Dead letters');
      await row('stopped-1').getByRole('button', { name: 'Queue again' }).click();
      await page.getByText('Back in the queue.').waitFor();
      await stopped('stopped-1', 2);
      await page.reload();
      await row('stopped-1').getByText('round 2', { exact: true }).waitFor();
    } finally {
      await owner.query('ALTER TABLE kyt_evaluations DROP CONSTRAINT IF EXISTS broken');
    }
    await row('stopped-1').getByRole('button', { name: 'Queue again' }).click();
    await row('stopped-1').waitFor({ state: 'detached' });
    expect(await api.settled('stopped-1', ['COMPLETED'])).toMatchObject({ status: 'COMPLETED' });

    await row('stopped-2').getByRole('button', { name: 'Discard' }).click();
    await developer.fills({ Reason: WHY }, 'Discard');
    await second.approves('Discard dead letters');
    await page.reload();
    await page.getByText('No dead letter', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Discarded', exact: true }).click();
    await row('stopped-2').waitFor();
    expect(await page.getByRole('button', { name: 'Queue again' }).count()).toBe(0);
    expect(developer.visit.complaints).toEqual([]);
    await developer.visit.context.close();
  });

  it('what a customer declared is written down by one person, and counts in favour when another confirms it', async () => {
    await ingest({ transactionId: 'declared-1', externalCustomerId: 'declared' });
    await api.settled('declared-1');
    const { body } = await (
      await desk.operator()
    )
      .get('/operator/customers?externalCustomerId=declared')
      .expect(200);
    const { id } = (body as { data: { id: string }[] }).data[0]!;
    const { page } = officer;
    const [INCOME, PEP] = ['Monthly income (R$) (optional)', 'Politically exposed (PEP) (optional)'];
    const DECLARE = 'Change what they declared';
    const fact = (of: ConsolePerson, name: string) =>
      of.page.locator('dl.facts dt', { hasText: name }).first().locator('xpath=following-sibling::dd[1]');
    const dialog = page.getByRole('dialog');
    const sends = dialog.getByRole('button', { name: DECLARE });

    await page.goto(`/console/customers/${id}`);
    await officer.press(DECLARE);
    // A point before three digits may be one of thousands or one of decimals.
    await dialog.getByLabel(INCOME).fill('4.800');
    await dialog.getByText('4.800 can be read in two ways.').waitFor();
    expect(await sends.isDisabled()).toBe(true);
    expect(await dialog.getByLabel('Reason').count()).toBe(0);
    await dialog.getByLabel(INCOME).fill('4.800,50');
    await dialog.getByText('= 4,800.5').waitFor();
    await officer.fills({ [PEP]: 'true' }, DECLARE);
    await page.getByText('Saved; it counts from the next transaction on.').waitFor();
    await fact(officer, 'Monthly income').getByText('R$4,800.50').waitFor();

    // In the customer's favour it counts when another person has confirmed it.
    const alone = page.locator('.notice', { hasText: 'Written down by one person alone' });
    await alone.getByText('Monthly income').waitFor();
    await officer.press('Ask for confirmation');
    await officer.fills({ Reason: WHY }, 'Ask for confirmation');
    await page.getByText('Request sent. Another person has to approve it.').waitFor();
    await second.approves('Confirm what one person wrote down');
    await page.reload();
    await fact(officer, 'Monthly income').getByText('R$4,800.50').waitFor();
    await alone.waitFor({ state: 'detached' });

    // The amount is written as the language of the reader writes it, and sent again it changes nothing.
    const reader = await desk.person('reader', 'ANALYST', { locale: 'pt-BR' });
    await reader.page.goto(`/console/customers/${id}`);
    await reader.press('Mudar o que declarou');
    const income = reader.page.getByRole('dialog').getByLabel('Renda mensal (R$) (opcional)');
    expect(await income.inputValue()).toBe('4800,5');
    await reader.fills({ 'Renda mensal (R$) (opcional)': '4800,50' }, 'Mudar o que declarou');
    await reader.page.getByText('Nada mudou.').waitFor();
    await reader.visit.context.close();

    // A value that weighs less is written down in the same way.
    await officer.press(DECLARE);
    await officer.fills({ [INCOME]: '9000', [PEP]: 'false' }, DECLARE);
    await alone.getByText('Monthly income, Politically exposed (PEP)').waitFor();
    await fact(officer, 'Monthly income').getByText('R$9,000.00').waitFor();
    await officer.press('Ask for confirmation');
    await officer.fills({ Reason: WHY }, 'Ask for confirmation');
    await page.getByText('Request sent. Another person has to approve it.').first().waitFor();
    // The second person reads what it was and what it will be.
    await second.opens('Approvals');
    const lines = second.page.locator('.approval-line', { hasText: 'Confirm what one person wrote down' });
    await lines.first().click();
    const row = (name: RegExp) => second.page.locator('.change').getByRole('row', { name }).waitFor();
    await row(/^Monthly income.+ R\$4,800\.50 R\$9,000\.00$/);
    await row(/^Politically exposed \(PEP\).+ yes no$/);
    await second.approves('Confirm what one person wrote down');
    await page.reload();
    await alone.waitFor({ state: 'detached' });
  });

  it('nothing broke a rule of the policy', () => {
    expect([officer, second].flatMap(({ visit }) => visit.complaints)).toEqual([]);
  });
});
