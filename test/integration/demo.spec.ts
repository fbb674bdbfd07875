import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { firstCall } from '../../launcher/welcome.js';
import { systemActor } from '../../src/features/audit/index.js';
import { clearCases } from '../../tools/demo/clear-cases.js';
import { OperatorApiClient } from '../../src/cli/operator-api-client.js';
import type { Role } from '../../src/platform/http/index.js';
import { retryAfterMs } from '../../tools/demo/demo.command.js';
import { demoLogin, demoSignIn } from '../../tools/demo/demo-sign-in.js';
import { credentialsFile } from '../../tools/demo/seed-demo.js';
import { LocalAccountsService } from '../../src/features/operators/index.js';
import { demoTransaction, newRunId, demoPurposes } from '../../tools/demo/demo-traffic.js';
import { freshSampleRates } from '../../tools/demo/sample-rates.js';
import { ExchangeRatesService } from '../../src/features/fx/index.js';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import {
  SearchIndexService,
  ListImporterService,
  sampleLists,
  ScreeningListsService,
} from '../../src/features/screening/index.js';
import { FlowsService } from '../../src/features/sessions/index.js';
import { eventually } from '../support/eventually.js';
import type { TestApi, TestClient, TransactionAnswer } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';

let t: TestApp;
let client: TestClient;
let api: TestApi;

/** An organisation as the demo's is seeded. */
beforeAll(async () => {
  t = await startTestApp();
  client = await t.client({ rules: false });
  const { organisationId } = client;
  await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
  await t.app.get(FlowsService).ensureDefaults(organisationId);
  const ctx = systemActor(organisationId, 'test');
  for (const { list, file } of sampleLists) {
    const row = await t.app.get(ScreeningListsService).findOrCreate(ctx, list);
    const importer = t.app.get(ListImporterService);
    const { id } = await importer.startImport(ctx, row, null);
    const main = Readable.from([Buffer.from(file)]);
    await importer.runImport(ctx, row, id, { main, bytesTotal: null }, { confirmation: 'NEVER' });
  }
  await t.app.get(SearchIndexService).refresh();
  await freshSampleRates(t.app, organisationId);
  api = t.api.as(client);
});

afterAll(async () => {
  await t.close();
});

async function judged(body: Record<string, unknown>): Promise<TransactionAnswer> {
  await api.ingest(body).expect(202);
  return api.settled(String(body['transactionId']));
}

describe('The demo', () => {
  it('the first call of the start is approved, with nothing missing', async () => {
    const command = firstCall({ url: '', clientId: '', clientSecret: '', now: new Date() });
    const [, body = ''] = /-d '(.*)'$/.exec(command) ?? [];
    // The decision, and not a wall of headers.
    expect(command).toMatch(/^curl -s '\/kyt\/transactions\/ingest\?wait=2000' /);
    expect(await judged(JSON.parse(body) as Record<string, unknown>)).toMatchObject({
      outcome: 'APPROVED',
      recommendedAction: 'NONE',
      nonDefensibleReasons: [],
      composition: 'COMPLETE',
      defensible: true,
      riskScore: 0,
    });
  });

  it('shows an approved transaction, one that asks for a step-up, and one that is held', async () => {
    const runId = newRunId();
    const all = await Promise.all(
      [...demoPurposes(runId).keys()].map((_, n) => judged(demoTransaction(runId, n, new Date()))),
    );
    expect(all).toMatchObject([
      { outcome: 'APPROVED', recommendedAction: 'NONE', defensible: true },
      { recommendedAction: 'STEP_UP' },
      { outcome: 'REVIEW', recommendedAction: 'HOLD', defensible: true },
    ]);
  });

  it('says what to type at the sign-in page, and waits for the next code where one was used', async () => {
    const person = { organisationId: client.organisationId, email: 'analyst@demo.example', name: 'Demo' };
    const account = await t.app
      .get(LocalAccountsService)
      .createWithCredentials({ ...person, roles: ['ANALYST'] });
    const folder = await mkdtemp(path.join(tmpdir(), 'vigia-demo-'));
    const operators = [{ email: person.email, role: 'ANALYST', ...account }];
    await writeFile(credentialsFile(folder), JSON.stringify({ baseUrl: t.url, operators }));
    const typed = (label: string): string =>
      new RegExp(`^${label}: +(\\S+)`, 'm').exec(demoSignIn(folder, 'analyst'))?.[1] ?? '';
    await t.api
      .post('/operator/auth/login')
      .send({ email: typed('E-mail'), password: typed('Password'), totp: typed('Code') })
      .expect(200);
    const token = await demoLogin(folder, 'analyst');
    await t.api.get('/operator/me').set('authorization', `Bearer ${token}`).expect(200);
    expect(() => demoSignIn(folder, 'nobody')).toThrow(
      'There is no demo operator nobody; there are: analyst.',
    );
    await rm(folder, { recursive: true });
  }, 60_000);

  it('is cleared by two of its people: no case of its own stays open, and each says who closed it', async () => {
    const { organisationId } = client;
    const [proposes, approves, reads] = await Promise.all(
      [['ANALYST'], ['COMPLIANCE_OFFICER'], ['COMPLIANCE_OFFICER']].map((roles) =>
        t.operator({ roles: roles as Role[], organisationId }),
      ),
    );
    const desk = t.api.asOperator(reads!);
    const cases = async (query: string): Promise<{ id: string; closedBy: string | null }[]> =>
      ((await desk.get(`/operator/reviews?limit=200${query}`).expect(200)).body as { data: never }).data;
    await eventually('there are cases', async () => (await cases('')).length > 0);
    const made = await cases('');
    await judged({ ...demoTransaction(newRunId(), 2, new Date()), transactionId: 'of-somebody-else' });
    await eventually('there is another case', async () => (await cases('')).length > made.length);
    const { closed, others, left } = await clearCases(
      OperatorApiClient.with(t.url, proposes!.token),
      OperatorApiClient.with(t.url, approves!.token),
    );
    expect([closed, others, [...left]]).toEqual([made.length, 1, []]);
    await eventually('one is open', async () => (await cases('')).length === 1);
    const ended = await cases('&status=CLOSED');
    expect(ended.map(({ id }) => id).sort()).toEqual(made.map(({ id }) => id).sort());
    expect(ended.every(({ closedBy }) => closedBy !== null)).toBe(true);
  });

  it('has rates of today once, and none beside those that somebody imported', async () => {
    const rates = t.app.get(ExchangeRatesService);
    const { organisationId } = client;
    const first = await rates.listNewestRates(organisationId);
    expect(first.map(({ currency }) => currency)).toContain('USD');
    await freshSampleRates(t.app, organisationId);
    expect(await rates.listNewestRates(organisationId)).toEqual(first);
  });

  it('comes again when the service says after how long, and only then', () => {
    const answer = (status: number, after?: string): Parameters<typeof retryAfterMs>[0] => ({
      status,
      headers: new Headers(after === undefined ? {} : { 'retry-after': after }),
    });
    expect([429, 503].map((status) => retryAfterMs(answer(status, '2')))).toEqual([2_000, 2_000]);
    expect([answer(429), answer(400, '2'), answer(202, '2')].map(retryAfterMs)).toEqual([null, null, null]);
  });
});
