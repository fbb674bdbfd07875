import type { Browser, Page, Request } from 'playwright-core';
import type { Role } from '../../src/platform/http/index.js';
import { codeAt, LocalAccountsService } from '../../src/features/operators/index.js';
import type { TestApp } from './app.js';
import { visit, type Visit } from './browser.js';
import { eventually } from './eventually.js';

export const DESK = { width: 1280, height: 800 } as const;

export interface ConsoleAccount {
  readonly email: string;
  readonly password: string;
  readonly totpSecret: string;
}

/** An account with a password and a second factor. */
export async function consoleAccount(
  t: TestApp,
  organisationId: string,
  person: { readonly name: string; readonly role: Role; readonly mark?: string },
): Promise<ConsoleAccount> {
  const { name, role, mark = '' } = person;
  const email = `${role.toLowerCase()}${mark.toLowerCase()}@console.example`;
  const local = { organisationId, email, name, roles: [role] };
  return { email, ...(await t.app.get(LocalAccountsService).createWithCredentials(local)) };
}

/** Somebody at the console in a browser of their own: what they do there. */
export class ConsolePerson {
  readonly page: Page;

  /** The calls of the page that have no answer yet. The stream never ends. */
  private readonly underWay = new Set<Request>();

  private constructor(readonly visit: Visit) {
    this.page = visit.page;
    this.page.on('request', (request) => {
      if (!request.url().includes('/operator/stream')) this.underWay.add(request);
    });
    for (const end of ['requestfinished', 'requestfailed'] as const) {
      this.page.on(end as 'requestfinished', (request) => this.underWay.delete(request));
    }
  }

  /** Every part of the screen is there, and nothing is asked for any more. */
  async hasEverything(): Promise<void> {
    await eventually(
      'the screen has everything',
      async () => (await this.page.locator('.skeleton').count()) === 0 && this.underWay.size === 0,
    );
  }

  /** Somebody before the sign-in. */
  static async comes(
    browser: Browser,
    origin: string,
    options: Parameters<typeof visit>[2] = {},
  ): Promise<ConsolePerson> {
    const person = new ConsolePerson(
      await visit(browser, origin, { viewport: DESK, locale: 'en-US', ...options }),
    );
    // On a machine that has much else to do a step takes longer than a person would wait.
    person.page.setDefaultTimeout(60_000);
    await person.page.goto(`${origin}/console`);
    return person;
  }

  static async signsIn(
    browser: Browser,
    origin: string,
    who: ConsoleAccount,
    options: Parameters<typeof visit>[2] = {},
  ): Promise<ConsolePerson> {
    const person = await ConsolePerson.comes(browser, origin, options);
    await person.enters(who);
    return person;
  }

  async enters(who: ConsoleAccount): Promise<void> {
    const { page } = this;
    await page.locator('input[type=email]').fill(who.email);
    await page.locator('input[type=password]').fill(who.password);
    await page.keyboard.press('Enter');
    await page.locator('input.code').waitFor();
    // A code is good once: the next one, where this account has shown this one before.
    for (const aheadMs of [0, 30_000, -30_000]) {
      await page.locator('input.code').fill(codeAt(who.totpSecret, Date.now() + aheadMs));
      await page.keyboard.press('Enter');
      await page.locator('.app, [role=alert]').first().waitFor();
      if ((await page.locator('.app').count()) > 0) return;
    }
    throw new Error('the sign-in was refused');
  }

  /** Two keys one after the other; on a slow machine the second may come too late, and then both are pressed again. */
  async goesTo(title: string, key: string): Promise<void> {
    await eventually(`${title} is open`, async () => {
      if ((await this.page.title()).startsWith(title)) return true;
      // The second key alone opens something where it comes too late.
      await this.page.keyboard.press('Escape');
      await this.page.keyboard.press('g');
      await this.page.keyboard.press(key);
      return false;
    });
  }

  /** Follows a link of the rail. */
  async opens(place: string): Promise<void> {
    await this.page.locator('.rail').getByRole('link', { name: place }).click();
    await this.page.getByRole('heading', { level: 1, name: place, exact: true }).waitFor();
  }

  async press(name: string): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).first().click();
  }

  /** Fills the dialog that is open, by its labels, and sends it. */
  async fills(values: Readonly<Record<string, string>>, action: string): Promise<void> {
    const dialog = this.page.getByRole('dialog');
    for (const [label, value] of Object.entries(values)) {
      const input = dialog.getByLabel(label, { exact: true });
      if ((await input.evaluate((one) => (one as { tagName: string }).tagName)) === 'SELECT') {
        await input.selectOption(value);
      } else await input.fill(value);
    }
    // Another dialog may follow this one: what it made, shown once.
    const name = (await dialog.getAttribute('aria-labelledby')) ?? '';
    await dialog.getByRole('button', { name: action }).click();
    await this.page.locator(`[role=dialog][aria-labelledby="${name}"]`).waitFor({ state: 'detached' });
  }

  /** Approves the request of an act that waits for this person. */
  async approves(act: string): Promise<void> {
    const { page } = this;
    await this.opens('Approvals');
    await page.locator('.approval-line', { hasText: act }).first().click();
    await page.locator('.preview').getByRole('heading', { name: act }).waitFor();
    await page.getByText('Fingerprint of the request').waitFor();
    // The text that follows may be that of an earlier approval.
    const answered = page.waitForResponse((one) => one.url().endsWith('/approve'));
    await page.keyboard.press('Control+Enter');
    await answered;
    await page.getByText('Approved.').first().waitFor();
  }
}
