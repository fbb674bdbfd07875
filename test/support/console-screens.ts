import type { Page } from 'playwright-core';
import { axeFindings, overflowAt, PHONE } from './browser.js';
import { eventually } from './eventually.js';

/**
 * Codes of the service that a screen shows to people: outside of what is meant as code, nobody writes `NOT_DECLARED` or
 * `kyt_transactions`.
 */
const CODES = String.raw`(() => {
  const found = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    if (text.parentElement?.closest('code, kbd, pre, textarea, script, style, .code')) continue;
    const codes = /[A-Z]{2,}(?:_[A-Z0-9]+)+|(?:kyt|fx|coaf|screening)_[a-z]+|(?:system|client):[a-z]|metadata\.[a-z]/g;
    for (const [code] of text.data.matchAll(codes)) found.add(code);
  }
  return [...found];
})()`;

/** Findings of axe about screens of the console in one theme, screens that do not fit on a phone, and codes on them. */
export async function faultsOfScreens(
  page: Page,
  addresses: readonly string[],
  theme: 'light' | 'dark',
): Promise<string[]> {
  const findings: string[] = [];
  await page.emulateMedia({ colorScheme: theme });
  for (const address of addresses) {
    await page.goto(`/console${address}`);
    await page.locator('h1').first().waitFor();
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    await eventually('the theme is on', () =>
      page.evaluate<boolean>(
        `document.documentElement.dataset.theme === '${theme}' && document.getAnimations().length === 0`,
      ),
    );
    for (const one of await axeFindings(page)) findings.push(`${address} ${theme}: ${one}`);
    if ((await overflowAt(page, PHONE.width)) > 0) findings.push(`${address} scrolls sideways`);
    for (const code of await page.evaluate<string[]>(CODES)) findings.push(`${address} shows ${code}`);
    // A hostile name that became markup would have changed it.
    if ((await page.title()) === '1') findings.push(`${address}: a text has run as a script`);
  }
  return findings;
}

/** Findings of axe about what lies over a screen, and about the pages of whoever is not signed in; it signs out. */
export async function faultsOfLayers(page: Page, theme: 'light' | 'dark'): Promise<string[]> {
  const findings: string[] = [];
  const judge = async (what: string): Promise<void> => {
    await eventually('nothing moves', () => page.evaluate<boolean>('document.getAnimations().length === 0'));
    for (const one of await axeFindings(page)) findings.push(`${what} ${theme}: ${one}`);
    if ((await overflowAt(page, PHONE.width)) > 0) findings.push(`${what} scrolls sideways`);
  };
  const dialog = page.getByRole('dialog');
  const keys = [
    ['the palette', '/cases', 'Control+k'],
    ['the list of keys', '/cases', '?'],
    ['the filter', '/cases', 'f'],
    ['a form', '/sessions', 'n'],
  ] as const;
  for (const [what, address, key] of keys) {
    await page.goto(`/console${address}`);
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    await page.locator('h1').first().waitFor();
    await page.keyboard.press(key);
    await dialog.waitFor();
    await judge(what);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
  await page.getByRole('button', { name: /^(Conta|Account)/ }).click();
  await page.getByRole('menu').waitFor();
  await judge('the menu of the account');
  await page.getByRole('menuitem', { name: /^(Sair|Sign out)$/ }).click();
  await page.locator('input[type=email]').waitFor();
  await judge('the sign-in');
  for (const name of [/Tenho um convite|I have an invitation/, /Primeira conta|First account/]) {
    await page.getByRole('button', { name }).click();
    await page.locator('input[autocomplete=new-password]').waitFor();
    await judge(String(name));
    await page.getByRole('button', { name: /^(Voltar|Back)$/ }).click();
  }
  return findings;
}
