import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { TestApi } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { buildPage, openBrowser } from '../support/browser.js';
import { withFlow } from '../support/flows.js';
import { figure } from '../support/figure.js';
import { needs } from '../support/needs.js';
import { EVERYTHING } from '../support/page-flow.js';
import { PagePerson } from '../support/page-person.js';

const WALKS = 5;

/** The whole flow, by somebody who knows every answer: what the page and the service take of their time, and how often they are asked. */
needs('chromium').describe('the walk through a whole flow', () => {
  let t: TestApp;
  let browser: Browser;
  let operator: TestApi;

  beforeAll(async () => {
    await buildPage();
    [t, browser] = await Promise.all([startTestApp(), openBrowser()]);
    const { organisationId } = await t.client();
    operator = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
    await withFlow(t, organisationId, { key: 'everything', ...EVERYTHING });
  });

  afterAll(async () => {
    await browser.close();
    await t.close();
  });

  async function walk(): Promise<{ ms: number; calls: string[]; files: number }> {
    const made = await operator.post('/operator/kyc-sessions').send({ flowKey: 'everything' }).expect(201);
    const { sessionId } = (made.body as { data: { sessionId: string } }).data;
    const calls: string[] = [];
    let files = 0;
    const began = performance.now();
    const person = await PagePerson.opens(browser, t.url, sessionId);
    const { page } = person;
    page.on('requestfinished', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/kyc-sessions/')) {
        calls.push(`${request.method()} ${pathname.split('/').slice(3).join('/')}`);
      } else files += 1;
    });
    await person.goOn();
    await page.getByLabel('Li e entendi.').check();
    await person.goOn();
    await person.isAt('Dados pessoais');
    await person.saysWho();
    await person.goOn();
    await person.isAt('Pessoa politicamente exposta');
    await page.getByLabel('Não').check();
    await page.getByLabel('Salário').check();
    await person.goOn();
    await person.isAt('Documento de identidade');
    await page.getByLabel('CNH').check();
    for (const side of ['Frente', 'Verso']) {
      await person.give(side);
      await person.isReceived(side);
    }
    await person.goOn();
    await person.isAt('Foto do seu rosto');
    await person.give('Foto do rosto');
    await person.isReceived('Foto do rosto');
    await person.goOn();
    await person.isAt('Comprovante de endereço');
    await person.press('Pular esta etapa');
    await person.isAt('Conferir e enviar');
    await person.press('Enviar');
    await person.isAt('Recebemos seus dados');
    const ms = performance.now() - began;
    await person.context.close();
    return { ms, calls, files };
  }

  it('asks the service once for each step and each file', async () => {
    const walks = [];
    for (let i = 0; i < WALKS; i += 1) walks.push(await walk());
    const times = walks.map(({ ms }) => Math.round(ms)).sort((a, b) => a - b);
    const [first] = walks;
    figure(
      `A whole flow: ${times.join(', ')} ms; calls ${JSON.stringify(first?.calls)}; ${first?.files ?? 0} other requests`,
    );
    for (const { calls } of walks) {
      expect(calls.filter((call) => call === 'POST upload')).toHaveLength(3);
      expect(calls.filter((call) => call === 'POST complete')).toHaveLength(1);
      expect(calls.filter((call) => call.startsWith('PUT '))).toHaveLength(3);
    }
  });
});
