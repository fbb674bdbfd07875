import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import type { TestClient, TransactionAnswer } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { buildPage, openBrowser } from '../support/browser.js';
import { aTransaction } from '../support/builders.js';
import { consoleAccount, ConsolePerson } from '../support/console-person.js';
import { eventually } from '../support/eventually.js';
import { withLists } from '../support/lists.js';
import { needs } from '../support/needs.js';

needs('chromium').describe('what an app does not send, at the console', () => {
  let t: TestApp;
  let browser: Browser;
  let client: TestClient;

  beforeAll(async () => {
    await buildPage();
    [t, browser] = await Promise.all([startTestApp(), openBrowser()]);
    client = await t.client({ rules: false });
    await withLists(t, client.organisationId);
    await t.app.get(RulesetsService).publish(client.organisationId, brStarter, 'test');
  });

  afterAll(async () => {
    await browser.close();
    await t.close();
  });

  const officer = async (mark: string, locale: string): Promise<ConsolePerson> =>
    ConsolePerson.signsIn(
      browser,
      t.url,
      await consoleAccount(t, client.organisationId, { name: mark, role: 'COMPLIANCE_OFFICER', mark }),
      { locale },
    );

  async function evaluated(): Promise<TransactionAnswer> {
    const body = aTransaction({ metadata: {} });
    await t.api.as(client).ingest(body).expect(202);
    return t.api.as(client).settled(body.transactionId);
  }

  needs('chromium').it(
    'four questions with what the missing costs; another person approves, and the result says what it did without',
    async () => {
      for (let i = 0; i < 3; i += 1) expect((await evaluated()).outcome).toBe('REVIEW');
      const otto = await officer('otto', 'en-US');
      await otto.opens('My apps');
      const card = otto.page.locator('section', { hasText: 'What each app sends' });
      await card.getByText('3 of 3').waitFor();
      await card.getByText('Statistics of DICT: came in 0, was missed in 3').waitFor();
      await card.getByRole('button', { name: 'Four questions' }).click();
      const dialog = otto.page.getByRole('dialog');
      await dialog.getByText('Its absence alone puts 3 of 3 in review.').first().waitFor();
      await otto.fills(
        {
          'Does it send the statistics of DICT with each PIX that goes out?': 'NO',
          'Does it send the device and the IP address of the customer?': 'NO',
          Reason: 'The core banking system has none before March.',
        },
        'Send',
      );
      await otto.page.getByText('Asked for. Somebody else has to approve it.').waitFor();
      await otto.visit.context.close();

      const sara = await officer('sara', 'en-US');
      await sara.approves('Judge an application without what it does not send');
      await sara.visit.context.close();
      await eventually('evaluations know', async () => (await evaluated()).outcome === 'APPROVED');
      expect(await evaluated()).toMatchObject({ outcome: 'APPROVED', withoutInputs: ['DICT', 'DEVICE'] });

      const rita = await officer('rita', 'pt-BR');
      await rita.opens('Meus apps');
      const again = rita.page.locator('section', { hasText: 'O que cada app envia' });
      await again.getByText('Estatísticas do DICT: veio em 0').waitFor();
      await again.getByText('dispensado').first().waitFor();
      const { rows } = await t.owner.query<{ id: string }>(
        'SELECT id FROM kyt_transactions WHERE client_app_id = $1 ORDER BY id DESC LIMIT 1',
        [client.id],
      );
      await rita.page.goto(`${t.url}/console/transactions/txn_${rows[0]!.id.replaceAll('-', '')}`);
      await rita.page
        .getByText('Avaliada sem o que o app não envia: Estatísticas do DICT, Dispositivo e IP.')
        .waitFor();
      await rita.visit.context.close();
    },
  );
});
