import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { startTestApp, type TestApp } from '../support/app.js';
import { buildPage, openBrowser } from '../support/browser.js';
import { aTransaction } from '../support/builders.js';
import { consoleAccount, ConsolePerson } from '../support/console-person.js';
import { eventually } from '../support/eventually.js';
import { needs } from '../support/needs.js';

const CASES = 100_000;
const TURNS = 400;
const STEP_PX = 240;
/** At 60 frames a second. */
const FRAME_MS = 1_000 / 60;
/** A longer task is noticed by people, as browsers define it. */
const LONG_TASK_MS = 50;

interface Frame {
  readonly state?: string;
  readonly affects_smoothness?: boolean;
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of processor time; only of what has a duration. */
  readonly tdur?: number;
  /** Newer Chromium says frame_reporter. */
  readonly args?: {
    readonly name?: string;
    readonly frame_reporter?: Frame;
    readonly chrome_frame_reporter?: Frame;
  };
}

/** Milliseconds of processor time of each task of the page's main thread, the longest first. */
function mainThreadTasks(events: readonly TraceEvent[]): number[] {
  const thread = ({ pid, tid }: TraceEvent): string => `${String(pid)}.${String(tid)}`;
  const main = new Set(
    events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(thread),
  );
  return events
    .filter((event) => event.name === 'RunTask' && main.has(thread(event)))
    .flatMap(({ tdur }) => (tdur === undefined ? [] : [tdur / 1_000]))
    .sort((a, b) => b - a);
}

needs('chromium').describe('the queue of an institution with 100,000 open cases', () => {
  let t: TestApp;
  let browser: Browser;
  let desk: ConsolePerson;

  beforeAll(async () => {
    await buildPage();
    [t, browser] = await Promise.all([startTestApp(), openBrowser()]);
    const client = await t.client();
    await t.api
      .as(client)
      .post('/kyt/transactions/ingest')
      .send(
        aTransaction({ amount: 50_000, destination: { name: 'Ivan Exemplo', country: 'IR' }, metadata: {} }),
      )
      .expect(202);
    await eventually('the case is open', async () => {
      const { rows } = await t.owner.query('SELECT 1 FROM reviews');
      return rows.length > 0;
    });
    const owner = await t.owner.connect();
    try {
      await owner.query(`SET session_replication_role = replica`);
      // Nobody has as many: each line of the queue counts the other cases of its customer.
      await owner.query(
        `INSERT INTO reviews
         SELECT (jsonb_populate_record(r, jsonb_build_object(
           'id', '00000000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'), 'collects', false, 'customer_id', NULL
         ))).* FROM reviews r, generate_series(1, $1::int) i`,
        [CASES - 1],
      );
      await owner.query('ANALYZE reviews');
    } finally {
      owner.release(true);
    }
    const who = { name: 'Ana Lista', role: 'ANALYST' as const };
    desk = await ConsolePerson.signsIn(browser, t.url, await consoleAccount(t, client.organisationId, who));
  }, 300_000);

  afterAll(async () => {
    await browser.close();
    await t.close();
  });

  it('scrolls through it without work that would cost a frame', async () => {
    const { page } = desk;
    await desk.goesTo('Cases', 'c');
    await page.locator('.case-line').first().waitFor();
    const box = await page.locator('.long-list').boundingBox();
    if (!box) throw new Error('the list is not drawn');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const file = join(t.settings.dataDir, 'trace.json');
    await browser.startTracing(page, {
      path: file,
      categories: ['cc', 'benchmark', 'devtools.timeline.frame', 'disabled-by-default-devtools.timeline'],
    });
    for (let turn = 0; turn < TURNS; turn += 1) {
      await page.mouse.wheel(0, STEP_PX);
      await page.evaluate('new Promise((drawn) => requestAnimationFrame(drawn))');
    }
    await browser.stopTracing();
    const { traceEvents } = JSON.parse(readFileSync(file, 'utf8')) as { traceEvents: TraceEvent[] };
    const frames = traceEvents.flatMap(
      ({ args }) => args?.frame_reporter ?? args?.chrome_frame_reporter ?? [],
    );
    const drawn = frames.filter(({ state }) => state === 'STATE_PRESENTED_ALL').length;
    const dropped = frames.filter(
      ({ state, affects_smoothness }) => state === 'STATE_DROPPED' && affects_smoothness === true,
    ).length;
    const tasks = mainThreadTasks(traceEvents);
    const [longest = Number.NaN] = tasks;
    const overFrame = tasks.filter((ms) => ms > FRAME_MS).length;
    const lines = await page.locator('.case-line').count();
    const reached = await page
      .locator('.long-list')
      .evaluate((list) => (list as { scrollTop: number }).scrollTop);
    process.stderr.write(
      `\n${String(CASES)} cases: ${String(drawn)} frames drawn, ${String(dropped)} dropped, longest task ${longest.toFixed(1)} ms, ${String(overFrame)} over a frame, ${String(lines)} lines in the page, ${String(Math.round(reached / 42))} rows down\n`,
    );
    // However long the queue is, only what is seen is drawn.
    expect(lines).toBeLessThan(80);
    expect(reached).toBeGreaterThan(10_000);
    expect(drawn).toBeGreaterThan(TURNS / 2);
    // Frames that are dropped are only told: without a graphics card the processors draw, and on two that others use as
    // well 487 and 561 of some 3,700 were dropped while no task of the page took more than 21 ms of processor time, and 10
    // of 20,574 more than a frame. What the page does is held instead.
    expect(tasks.length).toBeGreaterThan(TURNS);
    expect(longest).toBeLessThan(LONG_TASK_MS);
    expect(overFrame).toBeLessThan(TURNS / 10);
  }, 300_000);
});
