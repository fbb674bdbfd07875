import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { RulesetsService } from '../../src/features/rules/index.js';
import { WebhookEndpointsService } from '../../src/features/webhooks/index.js';
import type { TestApi } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { buildPage, openBrowser, type visit } from '../support/browser.js';
import { aTransaction, CPF } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { withFlow } from '../support/flows.js';
import { withLists } from '../support/lists.js';
import { documentPhoto, tablePhoto } from '../support/made-pictures.js';
import { needs } from '../support/needs.js';
import { CameraFile, Viewfinder } from '../support/page-camera.js';
import { askingFrom, EVERYTHING, photoFlow, SHORT, STEP_UP } from '../support/page-flow.js';
import { PagePerson } from '../support/page-person.js';
import { WebhookReceiver } from '../support/receiver.js';

interface Link {
  readonly sessionId: string;
  readonly reference: string;
}

needs('chromium').describe('the page for end users', () => {
  let t: TestApp;
  let browser: Browser;
  let operator: TestApi;
  let admin: TestApi;
  let camera: CameraFile;
  const people: PagePerson[] = [];

  beforeAll(async () => {
    await buildPage();
    camera = await CameraFile.make();
    await camera.show(await tablePhoto());
    [t, browser] = await Promise.all([startTestApp(), openBrowser(camera.path)]);
    const { organisationId } = await t.client();
    operator = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
    admin = t.api.asOperator(await t.operator({ roles: ['ADMIN'], organisationId }));
    for (const [key, flow] of Object.entries({
      everything: EVERYTHING,
      short: SHORT,
      card: photoFlow('card'),
    })) {
      await withFlow(t, organisationId, { key, ...flow });
    }
  });

  afterAll(async () => {
    await browser.close();
    await t.close();
    await camera.remove();
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

  it('leads through every kind of step at the size of a phone, without a camera, and hands everything in', async () => {
    // ASVS 3.7.1
    const { sessionId, reference } = await aLink();
    const person = await opens(sessionId);
    const { page } = person;
    const calls: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/kyc-sessions/')) calls.push(pathname.replace(sessionId, ':id'));
    });
    expect(await person.heading()).toBe('Antes de começar');
    // Who asks, what for, and how long it takes.
    expect(await page.locator('main').textContent()).toContain(
      'Loja Exemplo pede: Cadastro de pessoa física. Leva cerca de 5 minutos.',
    );
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
      'Data de nascimento: Esta data não existe. Confira o dia e o mês.',
      'País de nascimento: Escolha uma resposta.',
    ]);
    await person.fits('DATA_FORM with its faults');
    await person.saysWho();
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
    // The person sees it before it is sent: afterwards it cannot be changed.
    const answers = await page.locator('.review dl').allInnerTexts();
    expect(answers.map((text) => text.split(/\n+/))).toEqual([
      [
        ...['Nome completo', 'Maria Exemplo', 'CPF', '529.982.247-25', 'Data de nascimento', '17/05/1980'],
        ...['País de nascimento', 'Brasil'],
      ],
      [
        ...['Você ocupa um cargo público relevante?', 'Sim', 'Qual cargo?', 'Vereadora'],
        ...['De onde vêm os seus recursos?', 'Salário'],
      ],
      ['CNH', 'Frente, Verso'],
    ]);
    await person.press('Enviar');
    await person.isAt('Recebemos seus dados');
    await person.fits('the end');
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).toBe('{}');
    // The page asks for each step and each file once, and for the end: its own faults it finds itself.
    const steps = ['privacy', 'person', 'pep'].map((step) => `/kyc-sessions/:id/steps/${step}`);
    const files = ['Frente', 'Verso', 'rosto'].map(() => '/kyc-sessions/:id/upload');
    expect(calls).toEqual([...steps, ...files, '/kyc-sessions/:id/complete', '/kyc-sessions/:id/public']);

    await eventually('the session is over', async () => {
      const { body } = await operator.get(`/operator/kyc-sessions/${reference}`).expect(200);
      return (body as { data: { status: string } }).data.status === 'COMPLETED';
    });
    await page.reload();
    await person.isAt('Recebemos seus dados');
    await person.fits('COMPLETED');
  });

  it('the first tap on a button counts, though the field that is left by it is wrong', async () => {
    const { sessionId } = await aLink();
    const person = await opens(sessionId);
    const { page } = person;
    await person.goOn();
    await page.getByLabel('Li e entendi.').check();
    await person.goOn();
    await person.isAt('Dados pessoais');
    await page.getByLabel('CPF').fill('529.982.247-26');
    const button = page.getByRole('button', { name: person.texts.next, exact: true });
    await button.scrollIntoViewIfNeeded();
    const before = await button.boundingBox();
    // As a finger does it: where the button was when it went down.
    await page.mouse.move(before!.x + before!.width / 2, before!.y + 4);
    await page.mouse.down();
    expect((await button.boundingBox())?.y).toBe(before?.y);
    await page.mouse.up();
    await eventually('the tap counted', async () => (await person.faults()).length > 0);
  });

  it('tells what becomes of the data, asks single steps again with the reason, and names a number and the way back at the end', async () => {
    const words = (text: string): object => ({ 'pt-BR': text });
    await admin
      .call('put', '/operator/privacy-notice')
      .send({
        controller: { name: 'Loja Exemplo S.A.', document: '11.222.333/0001-81' },
        purposes: [words('Confirmar a sua identidade.')],
        retention: words('Dez anos.'),
        officer: { name: 'Ana Exemplo', contact: 'encarregado@loja.example' },
        biometrics: words('A foto do rosto é um dado sensível.'),
      })
      .expect(200);
    const { sessionId, reference } = await aLink('short');
    const person = await opens(sessionId);
    const { page } = person;
    await page.getByText('Loja Exemplo pede:').waitFor();
    await page.getByText('Seus dados e seus direitos').click();
    await page.getByText('A foto do rosto é um dado sensível.').waitFor();
    await person.fits('the notice');
    const isOver = (): Promise<boolean> =>
      eventually('the session is over', async () => {
        const { body } = await operator.get(`/operator/kyc-sessions/${reference}`).expect(200);
        return (body as { data: { status: string } }).data.status === 'COMPLETED';
      });
    const shown = async (): Promise<{ steps: { id: string }[]; protocol?: string }> =>
      (await t.api.get(`/kyc-sessions/${sessionId}/public`).expect(200)).body as never;
    await t.api
      .post(`/kyc-sessions/${sessionId}/complete`)
      .send({ userData: { privacy: true, pepSelf: false, income: ['SALARY'] } })
      .expect(202);
    await isOver();
    await page.reload();
    await person.isAt('Recebemos seus dados');
    const { protocol } = await shown();
    expect(protocol).toMatch(/^\d{8}-[0-9A-Z]{8}$/);
    await page.getByText(protocol ?? 'none').waitFor();
    await person.fits('the end with its number');

    const reason = 'A origem da renda não ficou clara.';
    await operator
      .post(`/operator/kyc-sessions/${reference}/resubmissions`)
      .send({ steps: [{ stepId: 'pep', reason }] })
      .expect(202);
    await page.reload();
    await page.getByText(reason).waitFor();
    expect((await shown()).steps.map(({ id }) => id)).toEqual(['pep']);
    await person.fits('a step that is asked for again');
    // The person goes to the end on the same link, and gives nothing that was not asked for.
    await page.getByLabel('Não').check();
    await page.getByLabel('Empresa própria').check();
    await person.goOn();
    await person.isAt('Conferir e enviar');
    await person.press('Enviar');
    await person.isAt('Recebemos seus dados');
    await isOver();
    await page.reload();
    await person.isAt('Recebemos seus dados');
    expect((await shown()).protocol).toBe(protocol);
    const { body } = await operator.get(`/operator/kyc-sessions/${reference}/evidence`).expect(200);
    expect(JSON.stringify(body)).toContain('Empresa própria');
    expect(JSON.stringify(body)).not.toContain('Salário');
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

  it('the camera can be used with the keyboard alone, and gives the focus back', async () => {
    await camera.show(await documentPhoto('rg', { light: 0.12 }));
    const { sessionId } = await aLink('card');
    const person = await opens(sessionId, { camera: true });
    const { page, texts } = person;
    const { capture, document: words } = texts;
    const key = (name: string): Promise<void> => page.keyboard.press(name);
    const isOn = async (name: RegExp | string): Promise<boolean> => {
      const at = await page.evaluate<string>('document.activeElement.textContent.trim()');
      return typeof name === 'string' ? at === name : name.test(at);
    };
    const has = (name: RegExp | string): Promise<boolean> =>
      eventually(`the focus is on ${String(name)}`, () => isOn(name));
    const take = new RegExp(`^${capture.take}`);
    const tabTo = async (name: RegExp | string): Promise<void> => {
      for (let i = 0; i < 12; i += 1) {
        await key('Tab');
        if (await isOn(name)) return;
      }
      throw new Error(`the keyboard does not reach ${String(name)}`);
    };
    // The page finds out first whether there is a camera.
    await page.getByRole('button', { name: take }).waitFor();
    await tabTo(take);
    await key('Enter');
    // The shutter has the focus as soon as there is a picture, and Escape leads back to where one was.
    await has(capture.shoot);
    await key('Escape');
    await has(take);
    await key('Enter');
    await has(capture.shoot);
    // Nothing behind the camera can be reached.
    const reached = new Set<string>();
    for (let i = 0; i < 6; i += 1) {
      await key('Tab');
      reached.add(await page.evaluate<string>('document.activeElement.textContent.trim()'));
    }
    expect([...reached]).toEqual(expect.arrayContaining([capture.shoot, capture.cancel, capture.automatic]));
    expect([...reached]).not.toContain(texts.next);
    await tabTo(capture.shoot);
    await key('Space');
    await page.getByRole('alert').getByText(capture.TOO_DARK).waitFor();
    await has(take);
    await camera.show(await documentPhoto('rg', { table: 'wood' }));
    await key('Enter');
    await has(capture.use);
    await key('Enter');
    await person.isReceived(words.only);
  });

  it('goes on where it was left: in the same tab with what was typed, elsewhere at the same step', async () => {
    // ASVS 14.3.3
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
    await person.saysWho();
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

  it('a computer follows the phone that it handed over to, the phone the computer, and either ends it for both', async () => {
    const { sessionId } = await aLink('short');
    const desk = await opens(sessionId, { viewport: { width: 1_280, height: 900 } });
    await desk.page.getByText('Continuar no celular').click();
    await desk.fits('the code for a phone');
    const phone = await opens(sessionId);
    await phone.page.getByLabel('Li e entendi.').check();
    await phone.goOn();
    await phone.isAt('Pessoa politicamente exposta');
    // Nobody touches the computer.
    await desk.isAt('Pessoa politicamente exposta');
    await desk.page.getByLabel('Não').check();
    await desk.page.getByLabel('Salário').check();
    await desk.goOn();
    await desk.isAt('Conferir e enviar');
    await phone.page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await phone.isAt('Conferir e enviar');
    // This device does not show again the answers of the other one.
    await phone.page.getByText(phone.texts.summary.elsewhere).waitFor();
    expect(await phone.page.locator('main').textContent()).not.toContain('Salário');
    expect(await desk.page.locator('main').textContent()).toContain('Salário');
    await phone.press('Enviar');
    await phone.isAt('Recebemos seus dados');
    await desk.isAt('Recebemos seus dados');
  });

  it('open in two tabs is sent once, and both say so; cancelled meanwhile it says that the link is over', async () => {
    const { sessionId } = await aLink('short');
    const tabs = [await opens(sessionId), await opens(sessionId)];
    for (const tab of tabs) {
      await tab.page.getByLabel('Li e entendi.').check();
      await tab.goOn();
      await tab.isAt('Pessoa politicamente exposta');
    }
    for (const tab of tabs) {
      await tab.page.getByLabel('Não').check();
      await tab.page.getByLabel(tab === tabs[0] ? 'Salário' : 'Empresa própria').check();
      await tab.goOn();
      await tab.isAt('Conferir e enviar');
    }
    for (const tab of tabs) {
      await tab.press('Enviar');
      await tab.isAt('Recebemos seus dados');
    }
    const other = await aLink('short');
    const person = await opens(other.sessionId);
    await person.page.getByLabel('Li e entendi.').check();
    await operator.post(`/operator/kyc-sessions/${other.reference}/cancel`).send({ reason: 'Twice.' });
    await person.goOn();
    await person.isAt('Este link não vale mais');
  });

  it('says before a dark picture what helps and sends none; a good one is taken by itself', async () => {
    await camera.show(await documentPhoto('rg', { light: 0.12 }));
    const { sessionId } = await aLink('card');
    const person = await opens(sessionId, { camera: true });
    const { capture, document: words } = person.texts;
    let sent = 0;
    person.page.on('request', (request) => (sent += request.url().endsWith('/upload') ? 1 : 0));
    const viewfinder = new Viewfinder(person, words.only);
    await viewfinder.open();
    await viewfinder.hears(capture.live.LIGHT);
    await person.fits('the camera');
    await viewfinder.shoot();
    expect(await viewfinder.complaint()).toBe(capture.TOO_DARK);
    expect(sent).toBe(0);
    await camera.show(await documentPhoto('rg', { table: 'wood' }));
    await viewfinder.open();
    await viewfinder.looksAtIt();
    expect(await viewfinder.use()).toBeNull();
    await person.isReceived(words.only);
    expect(sent).toBe(1);
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
    await person.saysWho();
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
    await person.saysWho();
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
    // ASVS 14.3.1
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
        .get(WebhookEndpointsService)
        .create({ organisationId, clientAppId, url: receiver.url, actor });
      await withFlow(t, organisationId, { key: 'confirm', ...STEP_UP });
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
      await person.isAt('Recebemos seus dados');
    } finally {
      await receiver.close();
    }
  });

  it('is one page for every link, under a policy that allows nothing from elsewhere', async () => {
    // ASVS 1.2.1, 3.2.2, 14.2.3
    const answer = await t.api.get(`/verify/ses_${'x'.repeat(43)}`).expect(200);
    const other = await t.api.get('/verify/anything?fbclid=1').expect(200);
    expect(other.text).toBe(answer.text);
    expect(answer.text).not.toMatch(/<style|<script(?![^>]* src=)| style=| on[a-z]+=/);
    const parts = [...answer.text.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, at]) => at ?? '');
    expect(parts.length).toBeGreaterThan(1);
    const sizeOf = async (part: string): Promise<number> => {
      const sent = await fetch(new URL(part, t.url), { headers: { 'accept-encoding': 'br' } });
      return Number(sent.headers.get('content-length'));
    };
    let bytes = Buffer.byteLength(answer.text);
    for (const part of parts) bytes += await sizeOf(part);
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThanOrEqual(75_000);
    // A camera brings the measures of pictures, and the reader of codes only where a document has one.
    const program = await t.api.get(parts.find((part) => part.endsWith('.js')) ?? '').expect(200);
    const [measures = ''] = /measure-[\w-]+\.js/.exec(program.text) ?? [];
    bytes += await sizeOf(`/verify/assets/${measures}`);
    expect(bytes).toBeLessThanOrEqual(120_000);
    const [reader = ''] = /codes-[\w-]+\.js/.exec(program.text) ?? [];
    const [wasm = ''] =
      /zxing_reader-[\w-]+\.wasm/.exec((await t.api.get(`/verify/assets/${reader}`)).text) ?? [];
    const binary = await t.api.get(`/verify/assets/${wasm}`).set('accept-encoding', 'br').expect(200);
    expect(binary.headers).toMatchObject({ 'content-type': 'application/wasm', 'content-encoding': 'br' });
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'permissions-policy': expect.stringContaining('camera=(self), microphone=()'),
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; .*frame-ancestors 'none'/,
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
