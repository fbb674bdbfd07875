import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { RulesetsService } from '../../src/rules/index.js';
import { WebhookEndpoints } from '../../src/webhooks/index.js';
import type { TestApi } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { buildPage, inBrowser, openBrowser, type visit } from '../support/browser.js';
import { aTransaction, CPF } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { withLists } from '../support/lists.js';
import { askingFrom, EVERYTHING, SHORT, STEP_UP } from '../support/page-flow.js';
import { PagePerson } from '../support/page-person.js';
import { WebhookReceiver } from '../support/receiver.js';

interface Link {
  readonly sessionId: string;
  readonly reference: string;
}

inBrowser('the page for end users', () => {
  let t: TestApp;
  let browser: Browser;
  let operator: TestApi;
  const people: PagePerson[] = [];

  beforeAll(async () => {
    await buildPage();
    [t, browser] = await Promise.all([startTestApp(), openBrowser()]);
    const { organisationId } = await t.client();
    operator = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
    for (const [key, flow] of Object.entries({ everything: EVERYTHING, short: SHORT })) {
      await operator
        .post('/operator/flows')
        .send({ key, ...flow })
        .expect(201);
    }
  });

  afterAll(async () => {
    await browser.close();
    await t.close();
  });

  // Whatever a test was about: no script error, no violation of the policy, nothing asked of anybody else.
  afterEach(async () => {
    const complaints = people.flatMap(({ visit: { complaints: found } }) => found);
    await Promise.all(people.splice(0).map(({ context }) => context.close()));
    expect(complaints).toEqual([]);
  });

  async function aLink(flowKey = 'everything'): Promise<Link> {
    const answer = await operator.post('/operator/kyc-sessions').send({ flowKey }).expect(201);
    return (answer.body as { data: Link }).data;
  }

  async function opens(sessionId: string, options?: Parameters<typeof visit>[2]): Promise<PagePerson> {
    const person = await PagePerson.opens(browser, t.url, sessionId, options);
    people.push(person);
    return person;
  }

  async function fillPerson(page: Page): Promise<void> {
    await page.getByLabel('Nome completo').fill('Maria Exemplo');
    await page.getByLabel('CPF').fill(CPF.customer);
    await page.getByLabel('Data de nascimento').fill('17051980');
    await page.getByLabel('País de nascimento').selectOption('BR');
  }

  it('leads through every kind of step at the size of a phone, without a camera, and hands everything in', async () => {
    const { sessionId, reference } = await aLink();
    const person = await opens(sessionId);
    const { page } = person;
    expect(await person.heading()).toBe('Antes de começar');
    await person.fits('INFO');
    await person.goOn();

    await person.isAt('Seus dados');
    await person.goOn();
    await person.fits('CONSENT with its fault');
    await page.getByLabel('Li e entendi.').check();
    await person.goOn();

    await person.isAt('Dados pessoais');
    await page.getByLabel('CPF').fill('529.982.247-26');
    await page.getByLabel('Data de nascimento').fill('31/02/1980');
    await person.goOn();
    expect(await person.faults()).toEqual([
      'Nome completo: Preencha este campo.',
      'CPF: Confira o CPF: os números não batem.',
      'Data de nascimento: Escreva a data com dia, mês e ano, por exemplo 27/03/1985.',
      'País de nascimento: Escolha uma resposta.',
    ]);
    await person.fits('DATA_FORM with its faults');
    await fillPerson(page);
    await person.goOn();

    await person.isAt('Pessoa politicamente exposta');
    expect(await page.getByLabel('Qual cargo?').count()).toBe(0);
    await page.getByLabel('Sim').check();
    await page.getByLabel('Qual cargo?').fill('Vereadora');
    await page.getByLabel('Salário').check();
    await person.fits('QUESTIONNAIRE');
    await person.goOn();

    await person.isAt('Documento de identidade');
    await page.getByLabel('CNH').check();
    await person.give('Frente');
    await person.isReceived('Frente');
    await person.goOn();
    expect(await person.faults()).toEqual(['Falta enviar: Verso.']);
    await person.fits('DOCUMENT_CAPTURE');
    await person.give('Verso');
    await person.isReceived('Verso');
    await person.goOn();

    await person.isAt('Foto do seu rosto');
    await person.fits('SELFIE');
    await person.give('Foto do rosto');
    await person.isReceived('Foto do rosto');
    await person.goOn();

    await person.isAt('Comprovante de endereço');
    await person.fits('PROOF_OF_ADDRESS');
    await person.press('Pular esta etapa');

    await person.isAt('Conferir e enviar');
    await person.fits('the last look');
    expect(await page.locator('main').textContent()).not.toMatch(/Maria|529|1980|Vereadora/);
    await person.press('Enviar');
    await person.isAt('Recebemos seus dados');
    await person.fits('the end');
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).toBe('{}');

    await eventually('the session is over', async () => {
      const { body } = await operator.get(`/operator/kyc-sessions/${reference}`).expect(200);
      return (body as { data: { status: string } }).data.status === 'COMPLETED';
    });
    await page.reload();
    await person.isAt('Verificação concluída');
    await person.fits('COMPLETED');
  });

  it('can be done with the keyboard alone', async () => {
    const { sessionId } = await aLink('short');
    const person = await opens(sessionId);
    const { page } = person;
    const key = (name: string): Promise<void> => page.keyboard.press(name);
    const focused = (): Promise<string> =>
      page.evaluate<string>(
        '(() => { const it = document.activeElement; return it.tagName + ":" + (it.labels?.[0]?.textContent ?? it.textContent).trim(); })()',
      );
    /** A new part takes the focus a moment after it can be seen. */
    const focusComesTo = (wanted: string): Promise<boolean> =>
      eventually(`the focus is on ${wanted}`, async () => (await focused()).startsWith(wanted));
    /** Tab, as often as it takes, and never past the end of the page. */
    const tabTo = async (wanted: string): Promise<void> => {
      for (let i = 0; i < 20; i += 1) {
        await key('Tab');
        if ((await focused()) === wanted) return;
      }
      throw new Error(`the keyboard does not reach ${wanted}; it is at ${await focused()}`);
    };

    await tabTo('BUTTON:Continuar');
    await key('Enter');
    // The error summary takes the focus, and leads to where faults can be corrected.
    await page.getByRole('alert').waitFor();
    await focusComesTo('DIV:Falta corrigir 1 item');
    await tabTo('A:Marque a caixa para continuar.');
    await key('Enter');
    expect(await focused()).toBe('INPUT:Li e entendi.');
    await key('Space');
    await tabTo('BUTTON:Continuar');
    await key('Enter');

    await person.isAt('Pessoa politicamente exposta');
    await focusComesTo('H1:Pessoa politicamente exposta');
    expect(await focused()).toBe('H1:Pessoa politicamente exposta');
    await tabTo('INPUT:Sim');
    await key('ArrowDown');
    expect(await focused()).toBe('INPUT:Não');
    await tabTo('INPUT:Salário');
    await key('Space');
    await tabTo('BUTTON:Continuar');
    await key('Enter');

    await person.isAt('Conferir e enviar');
    await tabTo('BUTTON:Enviar');
    await key('Enter');
    await person.isAt('Recebemos seus dados');
    await focusComesTo('H1:Recebemos seus dados');
    expect(await focused()).toBe('H1:Recebemos seus dados');
  });

  it('goes on where it was left: in the same tab with what was typed, elsewhere at the same step', async () => {
    const { sessionId } = await aLink();
    const person = await opens(sessionId);
    const { page } = person;
    await person.goOn();
    await page.getByLabel('Li e entendi.').check();
    await person.goOn();
    await person.isAt('Dados pessoais');
    await page.getByLabel('Nome completo').fill('Maria Exemplo');
    await page.reload();
    await person.isAt('Dados pessoais');
    expect(await page.getByLabel('Nome completo').inputValue()).toBe('Maria Exemplo');
    await fillPerson(page);
    await person.goOn();
    await person.isAt('Pessoa politicamente exposta');
    // The browser's own way back is the way to the step before.
    await page.goBack();
    await person.isAt('Dados pessoais');

    const other = await opens(sessionId, { locale: 'en-GB' });
    const { page: elsewhere } = other;
    await other.isAt('Politically exposed person');
    await other.press('Back');
    await other.isAt('Personal data');
    await elsewhere.getByText('You have filled in this step already.').waitFor();
    expect(await elsewhere.getByLabel('Full name').inputValue()).toBe('');
    await other.fits('a step that was filled in elsewhere');
    await other.press('Continue');
    await other.isAt('Politically exposed person');
  });

  it('shows the faults that the service finds at their fields', async () => {
    const { sessionId } = await aLink();
    const person = await opens(sessionId);
    const { page } = person;
    await person.goOn();
    await page.getByLabel('Li e entendi.').check();
    await person.goOn();
    await person.isAt('Dados pessoais');
    await page.route('**/steps/person?*', (route) =>
      route.fulfill({
        status: 400,
        json: {
          data: null,
          error: {
            code: 'VALIDATION_FAILED',
            details: [{ path: 'userData.birthDate', code: 'DATE_IN_FUTURE' }],
          },
        },
      }),
    );
    await fillPerson(page);
    await person.goOn();
    await page.getByRole('alert').waitFor();
    const input = page.getByLabel('Data de nascimento');
    expect(await input.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('#input-birthDate-fault').textContent()).toBe(
      'A data ainda não chegou. Confira o ano.',
    );
    expect(await page.getByLabel('Nome completo').inputValue()).toBe('Maria Exemplo');
  });

  it('loses nothing when the connection drops: in the middle of an upload, between steps, at the end', async () => {
    const { sessionId } = await aLink();
    const person = await opens(sessionId);
    const { page, context } = person;
    await person.goOn();
    await page.getByLabel('Li e entendi.').check();
    await context.setOffline(true);
    await page.getByText('Você está sem conexão.').waitFor();
    await person.goOn();
    await person.isAt('Dados pessoais');
    await fillPerson(page);
    await person.goOn();
    await person.isAt('Pessoa politicamente exposta');
    await page.getByLabel('Não').check();
    await page.getByLabel('Salário').check();
    await person.goOn();

    await person.isAt('Documento de identidade');
    await page.getByLabel('Passaporte').check();
    await person.give('Foto do documento');
    await page.getByText('A conexão caiu durante o envio.').waitFor();
    await person.fits('an upload that failed');
    await context.setOffline(false);
    // Nobody presses anything: it goes on by itself.
    await person.isReceived('Foto do documento');
    await person.goOn();

    await person.isAt('Foto do seu rosto');
    // This time the connection goes away half-way, and comes back without a word.
    let failures = 0;
    await page.route('**/upload', async (route) => {
      failures += 1;
      await (failures === 1 ? route.abort('connectionreset') : route.continue());
    });
    await person.give('Foto do rosto');
    await person.press('Tentar de novo');
    await person.isReceived('Foto do rosto');
    await person.goOn();
    await person.press('Pular esta etapa');

    await person.isAt('Conferir e enviar');
    await page.route('**/complete', (route) => route.abort('connectionreset'), { times: 1 });
    await person.press('Enviar');
    await page.getByText('A conexão caiu antes da confirmação.').waitFor();
    await person.press('Enviar');
    await person.isAt('Recebemos seus dados');
  });

  it('says clearly that a link is over, unknown, or busy, and nothing else', async () => {
    const { sessionId, reference } = await aLink('short');
    await t.owner.query(
      `UPDATE kyc_sessions SET expires_at = clock_timestamp() - interval '1 second' WHERE id = $1::uuid`,
      [reference.slice(4)],
    );
    const person = await opens(sessionId);
    const { page } = person;
    expect(await person.heading()).toBe('Este link não vale mais');
    await person.fits('EXPIRED');

    await page.goto(`/verify/ses_${'x'.repeat(43)}`);
    await person.isAt('Link não encontrado');
    await person.fits('NOT_FOUND');

    const { sessionId: other } = await aLink('short');
    await page.route(
      '**/public?*',
      (route) => route.fulfill({ status: 429, headers: { 'retry-after': '2' }, json: {} }),
      {
        times: 1,
      },
    );
    await page.goto(`/verify/${other}`);
    await person.isAt('Muitas tentativas');
    await person.fits('LIMITED');
    await person.isAt('Seus dados');

    await page.route('**/public?*', (route) => route.abort('internetdisconnected'), { times: 1 });
    await page.goto(`/verify/${other}?utm_source=sms`);
    await person.isAt('Sem conexão');
    await person.fits('OFFLINE');
    await person.press('Tentar de novo');
    await person.isAt('Seus dados');

    // The session expires while the page is open.
    await page.getByLabel('Li e entendi.').check();
    await t.owner.query(`UPDATE kyc_sessions SET expires_at = clock_timestamp() WHERE status = 'PENDING'`);
    await person.goOn();
    await person.isAt('Este link não vale mais');
    expect(await page.evaluate('sessionStorage.getItem("verify")')).toBeNull();
  });

  it('a rule asks, the person answers on the page, the transaction is judged again, and the receiver can verify it all', async () => {
    const receiver = await WebhookReceiver.listen();
    try {
      const client = await t.client({ rules: false });
      const { organisationId, id: clientAppId } = client;
      const actor = { type: 'operator', id: 'test' } as const;
      const { secret } = await t.app
        .get(WebhookEndpoints)
        .create({ organisationId, clientAppId, url: receiver.url, actor });
      const officer = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
      await officer
        .post('/operator/flows')
        .send({ key: 'confirm', ...STEP_UP })
        .expect(201);
      // Without lists nobody is "on no list", and no session is approved by itself.
      await withLists(t, organisationId);
      await t.app.get(RulesetsService).publish(organisationId, askingFrom(900, 'confirm'), 'test');
      const origin = { name: 'Maria Exemplo', cpfCnpj: CPF.customer, country: 'BR' };
      const body = aTransaction({ amount: 950, origin });
      const api = t.api.as(client);
      await api.ingest(body).expect(202);
      const [, asked] = await receiver.about(body.transactionId, 2);
      expect(asked?.event.data).toMatchObject({ evaluationVersion: 1, recommendedAction: 'STEP_UP' });

      const sessionId = String(asked?.event.data['stepUpSessionId']);
      const person = await opens(sessionId);
      const { page } = person;
      await page.getByLabel('Li e entendi.').check();
      await person.goOn();
      await page.getByLabel('Nome completo').fill('Maria Exemplo');
      await page.getByLabel('CPF').fill(CPF.customer);
      await page.getByLabel('Data de nascimento').fill('17/05/1980');
      await person.goOn();
      await person.give('Foto do rosto');
      await person.isReceived('Foto do rosto');
      await person.goOn();
      await person.press('Enviar');
      await person.isAt('Recebemos seus dados');

      const [, , judged] = await receiver.about(body.transactionId, 3);
      // The rule hits as before; what it asked for has been done.
      expect(judged?.event.data).toMatchObject({ evaluationVersion: 2, recommendedAction: 'NONE' });
      expect(judged?.event.data).not.toHaveProperty('stepUpSessionId');
      const over = await eventually('session.completed', () =>
        receiver.deliveries.find(({ event }) => event.type === 'session.completed'),
      );
      expect(over.event.data).toMatchObject({ status: 'COMPLETED', sessionId, outcome: 'APPROVED' });
      for (const delivery of [judged, over]) {
        const headers = delivery?.headers as Record<string, string>;
        expect(new Webhook(secret).verify(delivery?.body ?? '', headers)).toEqual(delivery?.event);
      }
      // Nothing on the page told why it was asked for.
      await page.reload();
      await person.isAt('Verificação concluída');
    } finally {
      await receiver.close();
    }
  });

  it('is one page for every link, under a policy that allows nothing from elsewhere', async () => {
    const answer = await t.api.get(`/verify/ses_${'x'.repeat(43)}`).expect(200);
    const other = await t.api.get('/verify/anything?fbclid=1').expect(200);
    expect(other.text).toBe(answer.text);
    expect(answer.text).not.toMatch(/<style|<script(?![^>]* src=)| style=| on[a-z]+=/);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'permissions-policy': expect.stringContaining('camera=(self), microphone=()'),
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; .*frame-ancestors 'none'/,
      ),
    });
    const [script = ''] = /\/verify\/assets\/[\w.-]+\.js/.exec(answer.text) ?? [];
    const asset = await t.api.get(script).set('accept-encoding', 'br').expect(200);
    expect(asset.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
      vary: expect.stringContaining('Accept-Encoding'),
    });
    await t.api.get('/verify/assets/nothing.js').expect(404);
    await t.api.get('/verify/assets/..%2Findex.html').expect(404);
  });
});
