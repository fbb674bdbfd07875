import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { Role } from '../../src/platform/http/index.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { buildPage, openBrowser, type Visit } from '../support/browser.js';
import { approve } from '../support/approvals.js';
import { aTransaction } from '../support/builders.js';
import { CONSOLE_ADDRESSES } from '../support/console-addresses.js';
import { ConsolePerson, consoleAccount, type ConsoleAccount } from '../support/console-person.js';
import { faultsOfLayers, faultsOfScreens } from '../support/console-screens.js';
import { eventually } from '../support/eventually.js';
import { withFlow } from '../support/flows.js';
import { LISTED, withLists } from '../support/lists.js';
import { needs } from '../support/needs.js';
import { SHORT } from '../support/page-flow.js';

const PLACES = [
  ...['', 'cases', 'approvals', 'customers', 'transactions', 'sessions', 'freezes', 'coaf', 'look-backs'],
  ...[
    'figures',
    'audit',
    'rules',
    'flows',
    'lists',
    'custom-fields',
    'providers',
    'people',
    'settings',
    'apps',
  ],
  ...['webhooks', 'requests', 'dead-letters'],
];
/** Those that a role does not see. */
const HIDDEN: Readonly<Record<Role, readonly string[]>> = {
  ADMIN: ['customers'],
  COMPLIANCE_OFFICER: [],
  ANALYST: ['audit', 'people', 'apps', 'webhooks', 'requests'],
  AUDITOR: [],
  DEVELOPER: [
    ...['cases', 'customers', 'freezes', 'coaf', 'look-backs', 'figures', 'audit', 'lists', 'people'],
  ],
};

const HOSTILE = '<img src=x onerror="document.title=1"> "><script>document.title=1</script>';
needs('chromium').describe('the operator console', () => {
  let t: TestApp;
  let browser: Browser;
  let client: TestClient;
  let api: TestApi;
  let analyst: ConsoleAccount;
  let officer: ConsoleAccount;
  const opened: Visit[] = [];

  beforeAll(async () => {
    await buildPage();
    [t, browser] = await Promise.all([startTestApp(), openBrowser()]);
    client = await t.client();
    api = t.api.as(client);
    analyst = await account('Ana Lista', 'ANALYST');
    officer = await account('Otto Oficial', 'COMPLIANCE_OFFICER');
    await api
      .post('/kyt/transactions/ingest')
      .send(
        aTransaction({
          amount: 50_000,
          origin: { name: HOSTILE, country: 'BR' },
          destination: { name: HOSTILE, country: 'IR' },
          metadata: {},
        }),
      )
      .expect(202);
    await api
      .post('/kyt/transactions/ingest')
      .send(aTransaction({ type: 'CASH_DEPOSIT', channel: 'BRANCH', amount: 62_000 }))
      .expect(202);
    await withLists(t, client.organisationId);
    await withFlow(t, client.organisationId, { key: 'short', ...SHORT });
    await eventually('the communication is drafted', async () => {
      const { rows } = await t.owner.query('SELECT 1 FROM coaf_communications');
      return rows.length > 0;
    });
    await eventually('the case is open', async () => {
      const { rows } = await t.owner.query('SELECT 1 FROM reviews');
      return rows.length > 0;
    });
    await withHostileSettings();
  });

  afterAll(async () => {
    await browser.close();
    await t.close();
  });

  const account = (name: string, role: Role, mark = ''): Promise<ConsoleAccount> =>
    consoleAccount(t, client.organisationId, { name, role, mark });

  async function signIn(who: ConsoleAccount, options: { locale?: string } = {}): Promise<ConsolePerson> {
    const one = await ConsolePerson.signsIn(browser, t.url, who, options);
    opened.push(one.visit);
    return one;
  }

  const operator = async (...held: readonly Role[]): Promise<TestApi> =>
    t.api.asOperator(await t.operator({ roles: [...held], organisationId: client.organisationId }));

  /** Texts that people of the institution write are no more to be trusted than those of its customers. */
  async function withHostileSettings(): Promise<void> {
    const [first, second] = [await operator('COMPLIANCE_OFFICER'), await operator('COMPLIANCE_OFFICER')];
    const text = { 'pt-BR': HOSTILE, en: HOSTILE };
    const person = { name: HOSTILE, contact: HOSTILE };
    await (
      await operator('ADMIN')
    )
      .call('put', '/operator/privacy-notice')
      .send({
        controller: { name: HOSTILE, document: '11.222.333/0001-81' },
        ...{ purposes: [text], retention: text, biometrics: text, officer: person, helpContact: HOSTILE },
      })
      .expect(200);
    const reason = `${HOSTILE} and a reason that is long enough.`;
    const fields = [{ name: 'mcc', type: 'code', codes: [HOSTILE], history: 'KEY', label: text }];
    await approve(second, await first.post('/operator/custom-fields').send({ fields, reason }).expect(202));
    const version = '/operator/rulesets/br-first/versions/1/look-backs';
    await approve(second, await first.post(version).send({ days: 30, reason }).expect(202));
    const list = { key: 'hostile', name: HOSTILE, kind: 'WATCH', format: 'HOUSE_CSV' };
    await first.post('/operator/lists').send(list).expect(201);
    const view = { name: HOSTILE, query: 'theme=OTHER', shared: true };
    await first.post('/operator/views').send(view).expect(201);
    const admin = await operator('ADMIN');
    const app = { name: HOSTILE, publicName: HOSTILE, scopes: ['kyt:read'] };
    await admin.post('/operator/client-apps').send(app).expect(201);
    const invited = { email: 'hostile@console.example', name: HOSTILE, roles: ['ANALYST'], reason };
    await approve(
      await operator('ADMIN'),
      await admin.post('/operator/invitations').send(invited).expect(202),
    );
    const { body: cases } = await first.get('/operator/reviews').expect(200);
    const [one] = (cases as { data: { id: string }[] }).data;
    await first
      .post(`/operator/reviews/${one?.id ?? 'none'}/notes`)
      .send({ text: HOSTILE })
      .expect(201);
    // One that nobody approves yet, so that the inbox has it.
    const draft = { definition: { ...SHORT, name: text, steps: [{ id: HOSTILE, title: text }] } };
    await first.call('put', '/operator/flows/hostile/draft').send(draft).expect(200);
  }

  /** The screens of single things. */
  async function oneOfEach(): Promise<string[]> {
    const officerApi = await operator('COMPLIANCE_OFFICER');
    await officerApi.post('/operator/kyc-sessions').send({ flowKey: 'short' }).expect(201);
    await api
      .post('/kyt/transactions/ingest')
      .send(aTransaction({ destination: { name: LISTED.sanctions, country: 'BR' } }))
      .expect(202);
    await eventually('the hit is there', async () => {
      const { rows } = await t.owner.query('SELECT 1 FROM screening_hits');
      return rows.length > 0;
    });
    const paths = {
      reviews: '/cases',
      customers: '/customers',
      hits: '/hits',
      transactions: '/transactions',
      lists: '/lists',
      'kyc-sessions': '/sessions',
      'coaf/communications': '/coaf',
      'look-backs': '/look-backs',
    };
    const found = await Promise.all(
      Object.entries(paths).map(async ([list, screen]) => {
        const { body } = await officerApi.get(`/operator/${list}`).expect(200);
        const [first] = (body as { data: { id?: string; reference?: string }[] }).data;
        return `${screen}/${first?.id ?? first?.reference ?? 'none'}`;
      }),
    );
    expect(found.join()).not.toContain('none');
    return [...found, '/rules/BR-GEO-01', '/rulesets/br-first/1', '/flows/short', '/flows/hostile'];
  }

  it('proposes with the keyboard alone, and another person approves; hostile names stay text', async () => {
    const desk = await signIn(analyst);
    const { page } = desk;
    await desk.goesTo('Cases', 'c');
    await page.locator('.case-line').first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.reasons li').first().waitFor();
    await page.locator('.components', { hasText: 'Missing input' }).first().waitFor();
    let calls = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/operator/reviews/')) calls += 1;
    });
    // Four keys from an open case to a proposal.
    await page.keyboard.press('3');
    await page.keyboard.press('r');
    await page.keyboard.press('Control+Enter');
    await page.getByText('A decision awaits the second person').waitFor();
    expect(calls).toBe(1);

    const other = await signIn(officer);
    await other.goesTo('Approvals', 'a');
    await other.page.getByText('Fingerprint of the request').waitFor();
    await other.page.keyboard.press('Control+Enter');
    await eventually('the case is closed', async () => {
      const { rows } = await t.owner.query<{ status: string }>('SELECT status FROM reviews');
      return rows.some(({ status }) => status === 'CLOSED');
    });
    for (const { page: one } of [{ page }, other]) expect(await one.title()).toMatch(/ · Vigia$/);
  });

  it('keeps no token and nobody in storage or address, and a sign-out ends all tabs', async () => {
    // ASVS 6.2.6, 7.4.4, 14.3.1, 14.3.3
    const {
      page,
      visit: { context },
    } = await signIn(officer);
    const tab = await context.newPage();
    await tab.goto(`${t.url}/console/customers`);
    await tab.locator('.customer-line').first().waitFor();
    for (const one of [page, tab]) {
      const kept = await one.evaluate<string>(
        'JSON.stringify([localStorage, sessionStorage, location.href])',
      );
      expect(kept).not.toMatch(/eyJ|Maria|onerror|vrt_/);
      expect(await one.evaluate<string>('document.cookie')).not.toContain('vigia_refresh');
    }
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await tab.locator('input[type=email]').waitFor();
    await page.locator('input[type=email]').waitFor();
    expect(await page.locator('input[autocomplete=current-password]').getAttribute('type')).toBe('password');
  });

  // The other two pairs of language and theme: test/heavy/console-screens.spec.ts.
  it.each([
    ['pt-BR', 'dark'],
    ['en-US', 'light'],
  ] as const)(
    'has no axe finding and no sideways scrolling on any screen in %s, %s',
    async (locale, theme) => {
      // Each with an account of its own: a code is good once.
      const who = await account(HOSTILE, 'COMPLIANCE_OFFICER', locale);
      const { page } = await signIn(who, { locale });
      const addresses = [...CONSOLE_ADDRESSES, ...(await oneOfEach())];
      expect(await faultsOfScreens(page, addresses, theme)).toEqual([]);
      expect(await faultsOfLayers(page, theme)).toEqual([]);
    },
    // Some thirty screens, on a machine that has much else to do.
    600_000,
  );

  it.each(Object.keys(HIDDEN) as Role[])(
    'shows %s the screens of that role only, and refuses another address',
    async (role) => {
      const { page } = await signIn(await account('Rita Papel', role, 'rail'));
      await page.locator('.rail a').nth(1).waitFor();
      const links = await page.locator('.rail a').all();
      const paths = await Promise.all(links.map((link) => link.getAttribute('href')));
      expect(paths.map((path) => path?.replace(/^\/console\/?/, ''))).toEqual(
        PLACES.filter((one) => !HIDDEN[role].includes(one)),
      );
      for (const hidden of HIDDEN[role]) {
        await page.goto(`/console/${hidden}`);
        await page.getByText('Your role does not allow you to see or do this.').first().waitFor();
        expect(await page.locator('main tbody tr, main .line').count()).toBe(0);
      }
    },
  );

  it('broke no rule of its policy and called no other origin', () => {
    expect(opened.flatMap(({ complaints }) => complaints)).toEqual([]);
  });

  it('is served in no frame, with own scripts only; the cookie alone renews nothing', async () => {
    const page = await fetch(`${t.url}/console/cases/anything`);
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`frame-ancestors 'none'`);
    expect(policy).toContain(`script-src 'self';`);
    expect(policy).not.toContain('unsafe');
    const forged = await fetch(`${t.url}/operator/auth/refresh`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: 'vigia_refresh=vrt_x' },
      body: '{}',
    });
    expect(forged.status).toBe(403);
  });
});
