import type { Page } from 'playwright-core';
import { axeFindings, overflowAt, PHONE } from './browser.js';
import { eventually } from './eventually.js';

/** Findings of axe about screens of the console in one theme, and screens that do not fit on a phone. */
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
  }
  return findings;
}
