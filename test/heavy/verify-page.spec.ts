import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { TestApi } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { buildPage, openBrowser, PHONE } from '../support/browser.js';
import { CPF } from '../support/builders.js';
import { withFlow } from '../support/flows.js';
import { documentPhoto, facePhoto } from '../support/made-pictures.js';
import { needs } from '../support/needs.js';
import { CameraFile, Viewfinder } from '../support/page-camera.js';
import { EVERYTHING, QUICK_FLOW } from '../support/page-flow.js';
import { PagePerson } from '../support/page-person.js';

const LANGUAGES = [
  { locale: 'pt-BR', key: 'pt-BR' },
  { locale: 'en-GB', key: 'en' },
  { locale: 'es-MX', key: 'es' },
] as const;
const [PERSON] = QUICK_FLOW.steps;
const INCOME = { id: 'monthlyIncome', type: 'AMOUNT', label: { 'pt-BR': 'Renda' }, required: false };
const DESK = { width: 1_280, height: 900 };

/** Answers everything up to the picture of a passport. */
async function upToThePassport(person: PagePerson): Promise<void> {
  const { page } = person;
  await person.goOn();
  await page.getByLabel('Li e entendi.').check();
  await person.goOn();
  await page.locator('#input-name').fill('Maria Exemplo');
  await page.locator('#input-cpf').fill(CPF.customer);
  await page.locator('#input-birthDate').fill('17/05/1980');
  await page.locator('#input-birthCountry').selectOption('BR');
  await person.goOn();
  await page.getByLabel('Não').check();
  await page.getByLabel('Salário').check();
  await person.goOn();
  await page.getByLabel('Passaporte').check();
}

needs('chromium').describe('the page for end users, in every language and with a camera', () => {
  let t: TestApp;
  let browser: Browser;
  let operator: TestApi;
  let camera: CameraFile;

  beforeAll(async () => {
    await buildPage();
    camera = await CameraFile.make();
    await camera.show(await facePhoto({ seed: 12 }));
    [t, browser] = await Promise.all([startTestApp(), openBrowser(camera.path)]);
    const { organisationId } = await t.client();
    operator = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
    await withFlow(t, organisationId, { key: 'everything', ...EVERYTHING });
    const steps = [{ ...PERSON, fields: [...PERSON!.fields, INCOME] }];
    await withFlow(t, organisationId, { key: 'income', ...QUICK_FLOW, steps });
  }, 90_000);

  afterAll(async () => {
    await browser.close();
    await t.close();
    await camera.remove();
  });

  async function aLink(asked: object = { flowKey: 'everything' }): Promise<string> {
    const answer = await operator.post('/operator/kyc-sessions').send(asked).expect(201);
    return (answer.body as { data: { sessionId: string } }).data.sessionId;
  }

  describe.each(LANGUAGES)('in $key', ({ locale, key }) => {
    it.each([
      ['a phone', PHONE],
      ['a computer', DESK],
    ])(
      'every step fits %s, with nothing for axe to find, and photos come from the camera',
      async (_, viewport) => {
        const person = await PagePerson.opens(browser, t.url, await aLink(), {
          locale,
          viewport,
          camera: true,
        });
        const { page, texts } = person;
        // Pictures are drawn without a graphics card here, and six of these run one after the other.
        page.setDefaultTimeout(30_000);
        const steps = EVERYTHING.steps as readonly { id: string; title: Record<string, string> }[];
        const step = async (id: string): Promise<void> => {
          const title = steps.find((one) => one.id === id)?.title[key] ?? '';
          await person.isAt(title);
          await person.fits(`${id}, ${key}`);
        };
        const shoot = async (what: string, seen: Buffer): Promise<void> => {
          await camera.show(seen);
          const viewfinder = new Viewfinder(person, what);
          await viewfinder.open();
          await person.fits(`the camera, ${key}`);
          await viewfinder.shoot();
          await viewfinder.looksAtIt();
          await person.fits(`the photo, ${key}`);
          await viewfinder.use();
          await person.isReceived(what);
        };
        // From so far away nothing is taken by itself.
        const far = { seed: 12, fill: 0.3 };

        await step('welcome');
        await person.goOn();
        await step('privacy');
        await page.getByLabel(texts.consent).check();
        await person.goOn();
        await step('person');
        await person.goOn();
        await person.fits(`person with its faults, ${key}`);
        await page.locator('#input-name').fill('Maria Exemplo');
        await page.locator('#input-cpf').fill(CPF.customer);
        await page.locator('#input-birthDate').fill('17/05/1980');
        await page.locator('#input-birthCountry').selectOption('BR');
        await person.goOn();
        await step('pep');
        await page.getByLabel(texts.hints.yes, { exact: true }).check();
        await page.locator('#input-pepOffice').fill('X');
        await page.locator('#input-income-SALARY').check();
        await person.goOn();
        await step('document');
        await page.locator('#document-CNH').check();
        await shoot(texts.document.FRONT, await documentPhoto('cnh', far));
        await shoot(texts.document.BACK, await documentPhoto('cnhBack', far));
        await person.goOn();
        await step('selfie');
        await shoot(texts.selfie.only, await facePhoto({ seed: 12 }));
        await person.goOn();
        await step('address');
        await person.press(texts.skip);
        await person.isAt(texts.summary.title);
        if (viewport === DESK) {
          await page.getByText(texts.phone.title).click();
          await page.getByRole('img', { name: texts.phone.code }).waitFor();
        }
        await person.fits(`the last look, ${key}`);
        await person.press(texts.summary.send);
        await person.isAt(texts.notices.finished.title);
        expect(person.visit.complaints).toEqual([]);
        await person.context.close();
      },
      120_000,
    );
  });

  it('a picture larger than the service takes is made smaller before it is sent', async () => {
    const person = await PagePerson.opens(browser, t.url, await aLink());
    const { page } = person;
    await upToThePassport(person);
    const answer = page.waitForResponse('**/upload');
    await person.give('Foto do documento', { width: 9_000, height: 4_500 });
    await person.isReceived('Foto do documento');
    expect((await answer).status()).toBe(201);
    const { data } = (await (await answer).json()) as { data: { sizeBytes: number; mimeType: string } };
    expect(data.mimeType).toBe('image/jpeg');
    expect(data.sizeBytes).toBeLessThanOrEqual(3 * 1_048_576);
    await person.context.close();
  }, 60_000);

  it('says that the camera was refused and goes on with a file', async () => {
    const person = await PagePerson.opens(browser, t.url, await aLink());
    const { page, texts } = person;
    await page.evaluate(
      `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'))`,
    );
    await upToThePassport(person);
    await page.getByRole('button', { name: texts.capture.take }).click();
    await page.getByText(texts.capture.DENIED).waitFor();
    await person.fits('without the camera');
    await person.give('Foto do documento');
    await person.isReceived('Foto do documento');
    await person.context.close();
  }, 60_000);

  it('shows an income that somebody else has filled in, however much they filled in, and sends what the person made of it', async () => {
    const prefill = {
      ...{ name: 'Maria Exemplo', cpf: CPF.customer, birthDate: '1980-05-17' },
      monthlyIncome: '900000',
    };
    const person = await PagePerson.opens(browser, t.url, await aLink({ flowKey: 'income', prefill }));
    const { page } = person;
    await person.isAt('Você');
    const shown = page.getByLabel('Renda');
    expect(await shown.inputValue()).toBe('900000');
    await page.getByText(person.texts.prefilled.shown).waitFor();
    expect(await page.getByText(person.texts.prefilled.known).count()).toBe(3);
    await person.fits('an income of somebody else');
    await shown.fill('1.500,00');
    const saved = page.waitForRequest((request) => request.method() === 'PUT');
    await person.goOn();
    expect((await saved).postDataJSON()).toEqual({ userData: { monthlyIncome: '1500.00' } });
    // The value is theirs now.
    await person.press(person.texts.back);
    await person.isAt('Você');
    expect(await page.getByText(person.texts.prefilled.shown).count()).toBe(0);
    await person.context.close();
  }, 60_000);
});
