import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verifyReceipt } from '../../src/features/kyt/domain/replay.js';
import { ReceiptExportService } from '../../src/features/kyt/replay/receipt-export.service.js';
import { AT_THE_CONSOLE, ClientAppsService } from '../../src/features/auth/index.js';
import { brStarter, RulesetsService, type InputName } from '../../src/features/rules/index.js';
import { publicId } from '../../src/platform/kernel/index.js';
import { expectError } from '../support/answers.js';
import type { TestApi, TestClient, TransactionAnswer } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { approve } from '../support/approvals.js';
import { aTransaction, CPF, DICT } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { withLists } from '../support/lists.js';

let t: TestApp;
let client: TestClient;
let neighbour: TestClient;
let maker: TestApi;
let checker: TestApi;

beforeAll(async () => {
  t = await startTestApp();
  client = await t.client({ rules: false });
  neighbour = await t.client({ rules: false });
  for (const { organisationId } of [client, neighbour]) {
    await withLists(t, organisationId);
    await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
  }
  const { organisationId } = client;
  maker = t.api.asOperator(await t.operator({ organisationId, roles: ROLES }));
  checker = t.api.asOperator(await t.operator({ organisationId, roles: ROLES }));
});

afterAll(async () => {
  await t.close();
});

const device = { deviceId: 'device-1', deviceRegistered: true, ipAddress: '203.0.113.7' };
const ROLES = ['ADMIN', 'COMPLIANCE_OFFICER'] as const;
const WHY = 'The core banking system has none before March.';
const path = (): string => `/operator/client-apps/${publicId('app', client.id)}`;

async function evaluated(fields: Record<string, unknown> = {}, as = client): Promise<TransactionAnswer> {
  const body = aTransaction(fields);
  await t.api.as(as).ingest(body).expect(202);
  return t.api.as(as).settled(body.transactionId);
}

/** As the command line sets it; evaluations know within a second. */
async function sayAbsent(...withoutInputs: InputName[]): Promise<void> {
  await t.app
    .get(ClientAppsService)
    .change(client.organisationId, client.id, { withoutInputs }, AT_THE_CONSOLE);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
}

async function receiptOf(transactionId: string): Promise<{ text: string; problems: readonly string[] }> {
  const { rows } = await t.owner.query<{ id: string }>(
    'SELECT id FROM kyt_transactions WHERE transaction_id = $1',
    [transactionId],
  );
  const bundle = await t.app.get(ReceiptExportService).createBundle(client.organisationId, rows[0]!.id, 1);
  return { text: bundle.receipt, problems: verifyReceipt(bundle).problems };
}

describe('What an application does not send', () => {
  it('is asked for by one and approved by another; then it sends nobody to a person, and each result names it', async () => {
    expect(await evaluated({ metadata: {} })).toMatchObject({ outcome: 'REVIEW', withoutInputs: [] });
    const asked = await maker
      .post(`${path()}/inputs`)
      .send({ withoutInputs: ['DEVICE', 'DICT'], reason: WHY });
    expect(asked.status).toBe(202);
    expect(await evaluated({ metadata: {} })).toMatchObject({ outcome: 'REVIEW' });
    await approve(checker, asked);
    const { body } = await maker.get(path()).expect(200);
    expect(body).toMatchObject({ data: { withoutInputs: ['DICT', 'DEVICE'] } });
    const found = await eventually('evaluations know', async () => {
      const one = await evaluated({ metadata: {} });
      return one.outcome === 'APPROVED' && one;
    });
    expect(found).toMatchObject({
      ...{ verdict: 'RELEASE', defensible: true, composition: 'COMPLETE', nonDefensibleReasons: [] },
      ...{ exempt: ['DICT', 'DEVICE_IP'], withoutInputs: ['DICT', 'DEVICE'] },
      components: { DICT: { state: 'MISSING_INPUT' }, DEVICE_IP: { state: 'MISSING_INPUT' } },
      notEvaluated: expect.arrayContaining([
        { ruleId: 'BR-PIX-05', missing: ['dict.confirmedFrauds30d', 'dict.reportedFrauds30d'] },
      ]),
    });
    const { text, problems } = await receiptOf(found.transactionId);
    expect(problems).toEqual([]);
    expect(JSON.parse(text)).toMatchObject({
      formula: 5,
      exempt: ['DICT', 'DEVICE_IP'],
      withoutInputs: ['DICT', 'DEVICE'],
    });
    // Another application of another institution has said nothing.
    expect(await evaluated({ metadata: {} }, neighbour)).toMatchObject({
      outcome: 'REVIEW',
      withoutInputs: [],
    });
  });

  it('is used when it comes all the same, and the application is told', async () => {
    await sayAbsent('DICT', 'DEVICE');
    const fraud = { statistics: { KEY: { CONFIRMED_FRAUDS: { d30: 4 }, REPORTED_FRAUDS: { d30: 0 } } } };
    const body = aTransaction({ metadata: { ...device, dict: fraud } });
    const { body: receipt } = await t.api.as(client).ingest(body).expect(202);
    expect(receipt).toMatchObject({ data: { warnings: ['INPUT_SAID_MISSING'] } });
    expect(await t.api.as(client).settled(body.transactionId)).toMatchObject({
      ...{ outcome: 'REVIEW', exempt: [], withoutInputs: [] },
      reasons: [{ ruleId: 'BR-PIX-05' }],
    });
  });

  it.each([
    [
      'cannot be read',
      { ...device, dict: { statistics: { KEY: { CONFIRMED_FRAUD: { d30: 4 } } } } },
      'DICT_ERROR',
    ],
    ['is misspelt', { device_id: 'device-1', ipAddress: '203.0.113.7', dict: DICT }, 'METADATA_IGNORED'],
  ])('is needed as ever when it %s', async (_, metadata, reason) => {
    await sayAbsent('DICT', 'DEVICE');
    expect(await evaluated({ metadata })).toMatchObject({
      ...{ outcome: 'REVIEW', defensible: false },
      nonDefensibleReasons: expect.arrayContaining([reason]),
    });
  });

  it.each([
    [
      'a device without the word whether it is registered',
      ['DEVICE'],
      { amount: 900, metadata: { ...device, deviceRegistered: undefined, dict: DICT } },
      ['DEVICE'],
      [],
    ],
    [
      'no profile from R$ 10,000 on',
      ['PROFILE'],
      { type: 'TED_TRANSFER', amount: 12_000 },
      ['PROFILE'],
      ['PROFILE'],
    ],
    [
      'no document of the payee',
      ['COUNTERPARTY_DOCUMENT'],
      { destination: { name: 'João Exemplo', accountReference: '0001-77', country: 'BR' } },
      ['COUNTERPARTY_DOCUMENT'],
      [],
    ],
    ['nothing is missing', ['DICT', 'DEVICE', 'PROFILE', 'COUNTERPARTY_DOCUMENT'], {}, [], []],
  ] as const)('%s', async (_, left, fields, withoutInputs, exempt) => {
    await sayAbsent(...left);
    expect(await evaluated(fields)).toMatchObject({ defensible: true, withoutInputs, exempt });
  });

  it('a payee without a name is compared with nobody, whatever was said', async () => {
    await sayAbsent('COUNTERPARTY_DOCUMENT');
    expect(
      await evaluated({ destination: { accountReference: '0001-77', cpfCnpj: CPF.payee, country: 'BR' } }),
    ).toMatchObject({ outcome: 'REVIEW', nonDefensibleReasons: ['LISTS_PARTIAL'] });
  });

  it('approved by one person alone, it makes no result that can be defended', async () => {
    await sayAbsent();
    const alone = await t.client({ rules: false });
    await withLists(t, alone.organisationId);
    await t.app.get(RulesetsService).publish(alone.organisationId, brStarter, 'test');
    const only = t.api.asOperator(await t.operator({ organisationId: alone.organisationId, roles: ROLES }));
    const asked = await only
      .post(`/operator/client-apps/${publicId('app', alone.id)}/inputs`)
      .send({ withoutInputs: ['DICT'], reason: WHY })
      .expect(202);
    const { id, digest } = (asked.body as { data: { id: string; digest: string } }).data;
    await only.post(`/operator/approvals/${id}/approve`).send({ digest, singleControl: true }).expect(200);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await evaluated({ metadata: device }, alone)).toMatchObject({
      ...{ outcome: 'REVIEW', defensible: false, withoutInputs: ['DICT'] },
      nonDefensibleReasons: ['SINGLE_CONTROL'],
    });
  });

  it('one person takes inputs out of the list, and puts none in', async () => {
    await sayAbsent('DICT', 'DEVICE');
    expectError(
      await maker.call('patch', path()).send({ withoutInputs: ['DICT', 'PROFILE'] }),
      403,
      'FOUR_EYES_REQUIRED',
    );
    await maker
      .call('patch', path())
      .send({ withoutInputs: ['DICT'] })
      .expect(200);
    expectError(
      await maker.post(`${path()}/inputs`).send({ withoutInputs: [], reason: WHY }),
      400,
      'VALIDATION_FAILED',
    );
    expectError(
      await maker.post(`${path()}/inputs`).send({ withoutInputs: ['DICT'], reason: WHY }),
      409,
      'STATE_CONFLICT',
    );
  });
});

describe('GET /operator/inputs', () => {
  it('says by application what came, what it lacked and what that costs, and nothing of a neighbour', async () => {
    const { organisationId } = await t.client({ rules: false });
    await withLists(t, organisationId);
    await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
    const one = await t.client({ organisationId, rules: false });
    const operator = t.api.asOperator(await t.operator({ organisationId, roles: ROLES }));
    for (let i = 0; i < 3; i += 1) await evaluated({ metadata: device }, one);
    await evaluated({}, one);
    const { body } = await operator.get('/operator/inputs').expect(200);
    const { applications, rules } = (body as { data: Record<string, { id: string }[]> }).data;
    expect(applications!.map(({ id }) => id)).not.toContain(publicId('app', client.id));
    expect(applications!.find(({ id }) => id === publicId('app', one.id))).toMatchObject({
      ...{ transactions: 4, inReview: 3, inReviewIfAllSaid: 0, withoutInputs: [], richer: [] },
      inputs: [
        { input: 'DICT', said: false, came: 1, lacked: 3, costsInReview: 3 },
        { input: 'DEVICE', came: 4, lacked: 0, costsInReview: 0 },
        { input: 'PROFILE', lacked: 0 },
        { input: 'COUNTERPARTY_DOCUMENT', came: 4, lacked: 0 },
      ],
    });
    expect(rules!.find((found) => (found as unknown as { input: string }).input === 'DICT')).toMatchObject({
      rules: expect.arrayContaining(['BR-PIX-05']),
    });
    await t.app
      .get(ClientAppsService)
      .change(organisationId, one.id, { withoutInputs: ['DICT', 'DEVICE'] }, AT_THE_CONSOLE);
    const again = await operator.get('/operator/inputs?days=1').expect(200);
    expect(
      (again.body as { data: { applications: { id: string }[] } }).data.applications.find(
        ({ id }) => id === publicId('app', one.id),
      ),
    ).toMatchObject({
      ...{ transactions: 4, inReview: 0, richer: ['DICT', 'DEVICE'] },
      inputs: expect.arrayContaining([
        expect.objectContaining({ input: 'DICT', said: true, lacked: 3, costsInReview: 3 }),
      ]),
    });
  });
});
