import type { Page } from 'playwright-core';

/** Counts a click, a field that is filled, and a key that does something; text that is typed is one field. */
const COUNTER = String.raw`(() => {
  globalThis.deeds = 0;
  let filled = null;
  const isWritten = (one) => one instanceof Element && one.closest('input, textarea, select, [contenteditable=true]');
  addEventListener('pointerdown', () => {
    deeds += 1;
    filled = null;
  }, true);
  addEventListener('input', (event) => {
    const [field] = event.composedPath();
    // A box that is ticked was clicked.
    if (field === filled || field.type === 'checkbox' || field.type === 'radio') return;
    deeds += 1;
    filled = field;
  }, true);
  addEventListener('keydown', (event) => {
    if (['Control', 'Shift', 'Alt', 'Meta'].includes(event.key)) return;
    if (event.ctrlKey || event.key === 'Enter' || !isWritten(event.composedPath()[0])) deeds += 1;
  }, true);
})()`;

/** Counts what somebody does at a page, whichever helper of a test does it. */
export class Deeds {
  private told = 0;

  private constructor(private readonly page: Page) {}

  /** Counts from now on, for as long as the page is not loaded anew. */
  static async of(page: Page): Promise<Deeds> {
    await page.evaluate(COUNTER);
    return new Deeds(page);
  }

  /** How many there were since the last time. */
  async since(): Promise<number> {
    const all = await this.page.evaluate<number>('deeds');
    const count = all - this.told;
    this.told = all;
    return count;
  }
}
