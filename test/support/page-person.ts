import { expect } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { en } from '../../web/src/texts/en.js';
import { es } from '../../web/src/texts/es.js';
import { pt, type Texts } from '../../web/src/texts/pt.js';
import { CPF } from './builders.js';
import { aPhoto, axeFindings, NARROW, overflowAt, visit, type Visit } from './browser.js';
import { eventually } from './eventually.js';

const TEXTS: Readonly<Record<string, Texts>> = { 'pt-BR': pt, 'en-GB': en, 'es-MX': es };

/** Somebody with a link in a browser: what such a person does on the page. */
export class PagePerson {
  readonly page: Page;
  readonly context: BrowserContext;
  /** The page's own texts, in the person's language. */
  readonly texts: Texts;

  private constructor(
    readonly visit: Visit,
    locale: string,
  ) {
    this.page = visit.page;
    this.context = visit.context;
    this.texts = TEXTS[locale] ?? pt;
  }

  /** Opens a link and waits until something is there. */
  static async opens(
    browser: Browser,
    origin: string,
    sessionId: string,
    options: Parameters<typeof visit>[2] = {},
  ): Promise<PagePerson> {
    const person = new PagePerson(await visit(browser, origin, options), options.locale ?? 'pt-BR');
    await person.page.goto(`/verify/${sessionId}`);
    await person.heading();
    return person;
  }

  async heading(): Promise<string> {
    return (await this.page.locator('h1').textContent()) ?? '';
  }

  async press(name: string): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).click();
  }

  goOn(): Promise<void> {
    return this.press(this.texts.next);
  }

  /** Waits for a step by its heading. */
  async isAt(title: string): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
  }

  /** Returns the faults that the page shows. */
  faults(): Promise<string[]> {
    return this.page.getByRole('alert').getByRole('link').allTextContents();
  }

  /** Fills in the form about the person of the flow with everything. */
  async saysWho(): Promise<void> {
    await this.page.getByLabel('Nome completo').fill('Maria Exemplo');
    await this.page.getByLabel('CPF').fill(CPF.customer);
    await this.page.getByLabel('Data de nascimento').fill('17051980');
    await this.page.getByLabel('País de nascimento').selectOption('BR');
  }

  /** Chooses a photo as a file and uses it. */
  async give(what: string, size: Parameters<typeof aPhoto>[1] = {}): Promise<void> {
    const box = this.page.getByRole('region', { name: what, exact: true });
    await box.locator('input[type=file]').setInputFiles(await aPhoto(this.page, { text: what, ...size }));
    await box.getByRole('button', { name: this.texts.capture.use }).click();
  }

  /** Waits until the service has a file. */
  async isReceived(what: string): Promise<void> {
    const box = this.page.getByRole('region', { name: what, exact: true });
    // The service reads files in a process that gives way to others: on a busy machine it takes its time.
    await box.getByText(this.texts.capture.sent).waitFor({ timeout: 60_000 });
  }

  /** Nothing that axe finds, in the light or the dark, and nothing beside a narrow screen, which is a wide one at 400 %, or at 200 %. */
  async fits(where: string): Promise<void> {
    const overflow = await overflowAt(this.page, NARROW.width);
    const atTwice = await overflowAt(this.page, 2 * NARROW.width);
    const axe = await axeFindings(this.page);
    await this.turns('dark');
    // Colours are all that is other there.
    const dark = await axeFindings(this.page, 'color-contrast');
    await this.turns('light');
    expect({ where, overflow, atTwice, axe, dark }).toEqual({
      ...{ where, overflow: 0, atTwice: 0, axe: [], dark: [] },
    });
  }

  /** The colours of a brand are set by the page itself, a moment after the theme. */
  private async turns(colorScheme: 'dark' | 'light'): Promise<void> {
    const strong = `getComputedStyle(document.documentElement).getPropertyValue('--strong')`;
    const before = await this.page.evaluate<string>(strong);
    await this.page.emulateMedia({ colorScheme });
    // By asking: the policy of the page lets no function wait in it.
    await eventually(
      `the colours are ${colorScheme}`,
      async () => (await this.page.evaluate<string>(strong)) !== before,
    );
  }
}
