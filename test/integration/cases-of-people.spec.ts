import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import type { TestApi, TestClient } from '../support/api.js';
import { expectError } from '../support/answers.js';
import { approve } from '../support/approvals.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction, cpfOf, DICT } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { withLists } from '../support/lists.js';

const WHY = 'Twelve people paid into an account that was emptied within the hour.';

let t: TestApp;
let client: TestClient;
let api: TestApi;
let analyst: TestApi;
let colleague: TestApi;

beforeAll(async () => {
  t = await startTestApp();
  client = await t.client({ rules: false });
  const { organisationId } = client;
  await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
  await withLists(t, organisationId);
  api = t.api.as(client);
  const officer = async (): Promise<TestApi> =>
    t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
  [analyst, colleague] = [await officer(), await officer()];
});

afterAll(async () => {
  await t.close();
});

interface Case {
  readonly id: string;
  readonly revision: number;
  readonly transactionCount: number;
  readonly transactions: readonly {
    readonly id: string;
    readonly transactionId: string;
    readonly related: boolean;
  }[];
}
const data = ({ body }: { readonly body: unknown }): unknown => (body as { data: unknown }).data;

const mule = cpfOf('mule');
const holder = { name: 'Paulo Laranja Exemplo', cpfCnpj: mule, accountReference: '0001/77', country: 'BR' };
const payer = (i: number): object => ({
  ...{ name: `Pagadora ${'ABCDEFGHIJKL'[i]} Exemplo`, cpfCnpj: cpfOf(`payer-${i}`), country: 'BR' },
  accountReference: `0009-${i}`,
});
const device = { deviceId: 'device-mule', ipAddress: '203.0.113.77', deviceRegistered: true };
const payment = (
  i: number,
  fields: Record<string, unknown>,
): Record<string, unknown> & { transactionId: string } =>
  aTransaction({
    ...{ transactionId: `mule-${i}`, externalCustomerId: 'mule', cpfCnpj: mule, type: 'PIX_TRANSFER' },
    occurredAt: `2026-11-19T10:${String(i).padStart(2, '0')}:00-03:00`,
    metadata: { ...device, direction: 'IN' },
    ...fields,
  });

it('twelve payments in and one out are one case, whose communication names all thirteen and everybody in them', async () => {
  const bodies = [
    ...Array.from({ length: 12 }, (_, i) =>
      payment(i, { amount: 4_500, origin: payer(i), destination: holder }),
    ),
    payment(12, {
      amount: 53_900,
      origin: holder,
      destination: {
        name: 'Receptora Exemplo',
        cpfCnpj: cpfOf('receiver'),
        accountReference: '0010-1',
        country: 'BR',
      },
      metadata: { ...device, dict: DICT, direction: 'OUT' },
    }),
  ];
  const record = { externalCustomerId: 'mule', document: mule, monthlyIncome: 20_000 };
  await analyst
    .call('put', '/operator/customers/profiles')
    .send([
      { ...record, pep: false, riskLevel: 'LOW' },
      { externalCustomerId: 'teller', document: cpfOf('teller'), name: 'Testemunha Exemplo' },
    ])
    .expect(200);
  await api.ingestBatch(bodies).expect(207);
  const all = await Promise.all(bodies.map(({ transactionId }) => api.settled(transactionId)));
  const out = all[12]!;
  expect(out.outcome).toBe('REVIEW');
  const cases = data(await analyst.get('/operator/reviews').expect(200)) as Case[];
  expect(cases).toHaveLength(1);
  const path = `/operator/reviews/${cases[0]!.id}`;
  const alerts = cases[0]!.transactionCount;
  const approvedOnes = all.filter(({ outcome }) => outcome === 'APPROVED').length;
  expect(approvedOnes).toBeGreaterThan(0);

  // The analyst adds the others, takes one out again, and puts it back.
  const listed = data(
    await analyst.get('/operator/transactions?externalCustomerId=mule&limit=50').expect(200),
  ) as { id: string; transactionId: string }[];
  expect(listed).toHaveLength(13);
  const transactions = listed.map(({ id }) => id);
  const added = data(
    await analyst.post(`${path}/transactions`).send({ transactions, reason: WHY }).expect(200),
  ) as Case;
  expect(added.transactionCount).toBe(13);
  expect(added.transactions.filter(({ related }) => related)).toHaveLength(13 - alerts);
  const one = added.transactions.find(({ related }) => related)!;
  const asked = added.transactions.find(({ related }) => !related)!;
  await analyst.post(`${path}/transactions/${one.id}/remove`).send({ reason: WHY }).expect(200);
  expectError(
    await analyst.post(`${path}/transactions/${asked.id}/remove`).send({ reason: WHY }),
    404,
    'TRANSACTION_NOT_FOUND',
  );
  const again = { transactions: [one.id], reason: WHY };
  await analyst.post(`${path}/transactions`).send(again).expect(200);

  const told = data(await analyst.get('/operator/customers?externalCustomerId=teller').expect(200)) as {
    id: string;
  }[];
  const people = { customers: [told[0]!.id], reason: WHY };
  await analyst.post(`${path}/people`).send(people).expect(200);
  const whole = data(await analyst.get(`${path}/file`).expect(200));
  expect(whole).toMatchObject({ people: [{ customerId: told[0]!.id, name: 'Testemunha Exemplo' }] });
  const { revision } = data(await analyst.get(path).expect(200)) as Case;

  const decision = { resolution: 'REJECTED', report: 'COMMUNICATE', justification: WHY, revision };
  await approve(colleague, await analyst.post(`${path}/decision`).send(decision).expect(202));
  expectError(await analyst.post(`${path}/transactions`).send(again), 409, 'STATE_CONFLICT');

  const communication = await eventually('the communication is drafted', async () => {
    const [drafted] = data(await analyst.get('/operator/coaf/communications').expect(200)) as {
      id: string;
    }[];
    return drafted?.id;
  });
  const file = analyst.get(`/operator/coaf/communications/${communication}/files/siscoaf.xml`);
  const { body: xml } = await file
    .buffer(true)
    .parse((answer, done) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        done(null, Buffer.concat(chunks));
      });
    })
    .expect(200);
  const text = (xml as Buffer).toString('latin1');
  for (const i of Array.from({ length: 12 }, (_, n) => n)) expect(text).toContain(cpfOf(`payer-${i}`));
  expect(text).toContain(cpfOf('receiver'));
  expect(text).toContain(mule);
  expect(text).toContain(cpfOf('teller'));

  // The alerts are decided, the others are as they were.
  await eventually('the decision has arrived', async () => {
    const { decision: made } = data(await api.transaction('mule-12')) as { decision: unknown };
    return made !== null;
  });
  for (const { transactionId, related } of added.transactions) {
    const { outcome } = data(await api.transaction(transactionId).expect(200)) as { outcome: string };
    expect([transactionId, outcome]).toEqual([transactionId, related ? 'APPROVED' : 'REJECTED']);
  }
});
