import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import { uuidOf } from '../../src/platform/kernel/index.js';
import { expectError } from '../support/answers.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { anArtifact } from '../support/artifacts.js';
import { aTransaction, cpfOf } from '../support/builders.js';
import { aPicture } from '../support/files.js';

let t: TestApp;
let client: TestClient;
let integrator: TestApi;
let analyst: TestApi;

beforeAll(async () => {
  t = await startTestApp();
  client = await t.client({ rules: false });
  const { organisationId } = client;
  await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
  integrator = t.api.as(client);
  analyst = t.api.asOperator(await t.operator({ roles: ['ANALYST'], organisationId }));
});

afterAll(async () => {
  await t.close();
});

interface Node {
  readonly id: string;
  readonly kind: string;
  readonly distance: number;
  readonly customerId: string | null;
  readonly name: string | null;
  readonly customers: number | null;
  readonly cut: boolean;
}
interface Relations {
  readonly nodes: readonly Node[];
  readonly edges: readonly {
    from: string;
    to: string;
    kind: string;
    count: number;
    lastTransactionId: string;
  }[];
  readonly cut: boolean;
}

async function pays(
  who: string,
  to: string,
  { device, account, ip }: { device?: string; account?: string; ip?: string } = {},
): Promise<string> {
  const cpfCnpj = cpfOf(who);
  const body = aTransaction({
    externalCustomerId: who,
    origin: {
      ...{ name: `Pessoa ${who}`, cpfCnpj, country: 'BR' },
      ...(account !== undefined && { accountReference: account }),
    },
    destination: { name: `Pessoa ${to}`, cpfCnpj: cpfOf(to), country: 'BR' },
    metadata: { deviceId: device ?? randomUUID(), ipAddress: ip ?? '198.51.100.9' },
  });
  await integrator.ingest(body).expect(202);
  const { receiptId } = (await integrator.settled(body.transactionId)) as unknown as { receiptId?: string };
  return receiptId ?? '';
}

async function customerId(who: string): Promise<string> {
  const { body } = await analyst.get(`/operator/customers?externalCustomerId=${who}`).expect(200);
  return (body as { data: { id: string }[] }).data[0]!.id;
}
async function relationsOf(who: string): Promise<Relations> {
  const { body } = await analyst.get(`/operator/customers/${await customerId(who)}/relations`).expect(200);
  return (body as { data: Relations }).data;
}

describe('The relations of a customer', () => {
  it('are who shares a device or an account and who pays whom, two steps far, with counts', async () => {
    const run = randomUUID().slice(0, 8);
    const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((one) => `rel-${run}-${one}`) as [
      string,
      string,
      string,
      string,
      string,
    ];
    const stranger = `rel-${run}-x`;
    const device = randomUUID();
    const account = `acc-${run}`;
    const ips = ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4', '203.0.113.5'];
    await pays(a, stranger, { device, ip: ips[0]! });
    await pays(a, stranger, { device, ip: ips[0]! });
    await pays(b, stranger + 'b', { device, account, ip: ips[1]! });
    await pays(c, stranger + 'c', { account, ip: ips[2]! });
    // Two steps from a, and what lies behind is three.
    await pays(d, c, { ip: ips[3]! });
    await pays(e, a, { ip: ips[4]! });
    const { nodes, edges, cut } = await relationsOf(a);
    expect(cut).toBe(false);
    expect(nodes[0]).toMatchObject({ kind: 'CUSTOMER', customerId: await customerId(a), distance: 0 });
    const people = new Map(
      nodes.filter((one) => one.customerId !== null).map((one) => [one.customerId, one]),
    );
    expect(people.get(await customerId(b))).toMatchObject({ distance: 1 });
    expect(people.get(await customerId(c))).toMatchObject({ distance: 2 });
    expect(people.get(await customerId(e))).toMatchObject({ distance: 1 });
    expect([...people.keys()]).not.toContain(await customerId(d));
    const shared = nodes.find(({ kind }) => kind === 'DEVICE');
    expect(shared).toMatchObject({ customers: 2, cut: false, distance: 1, customerId: null });
    const own = edges.find(({ from, to }) => from === nodes[0]!.id && to === shared!.id);
    expect(own).toMatchObject({ kind: 'USES', count: 2 });
    expect(own!.lastTransactionId).toMatch(/^txn_[0-9a-f]{32}$/);
    expect(nodes.filter(({ kind }) => kind === 'ACCOUNT')).toHaveLength(1);
    expect(edges.find(({ kind, to }) => kind === 'PAYS' && to === nodes[0]!.id)).toMatchObject({
      from: people.get(await customerId(e))!.id,
      count: 1,
    });
    // An address and a picture of one document are shared as well, and named by neither.
    const documents = await Promise.all([a, e].map(async (who) => uuidOf('cus', await customerId(who))));
    const file = await aPicture(64, 64, 9).png().toBuffer();
    for (const customer of documents) {
      await anArtifact(t, client.organisationId, { customerId: customer, file });
    }
    await pays(b, stranger, { ip: ips[0]! });
    const more = await relationsOf(a);
    expect(more.nodes.filter(({ kind }) => kind === 'ADDRESS' || kind === 'DOCUMENT')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'ADDRESS', customers: 2, distance: 1, customerId: null }),
        expect.objectContaining({ kind: 'DOCUMENT', customers: 2, distance: 1, customerId: null }),
      ]),
    );
    const paper = more.nodes.find(({ kind }) => kind === 'DOCUMENT');
    expect(more.edges.filter(({ to, kind }) => to === paper!.id && kind === 'SHOWS')).toHaveLength(2);
    const shown = JSON.stringify({ nodes, edges, more });
    for (const who of [a, b, c, e]) expect(shown).not.toContain(cpfOf(who));
    expect(shown).not.toContain(account);
  });

  it("are bounded where a thing is everybody's, and none where nothing is shared", async () => {
    const run = randomUUID().slice(0, 8);
    const terminal = randomUUID();
    for (let i = 0; i < 30; i += 1) {
      await pays(`hub-${run}-${i}`, `hub-${run}-p${i}`, { device: terminal, ip: `198.51.100.${i + 20}` });
    }
    const { nodes, cut } = await relationsOf(`hub-${run}-0`);
    expect(nodes.find(({ kind }) => kind === 'DEVICE')).toMatchObject({ customers: 30, cut: true });
    expect(nodes.filter(({ kind }) => kind === 'CUSTOMER').length).toBeLessThanOrEqual(60);
    expect(cut).toBe(true);
    await pays(`alone-${run}`, `alone-${run}-payee`, { ip: '192.0.2.77' });
    expect(await relationsOf(`alone-${run}`)).toMatchObject({
      nodes: [{ distance: 0 }],
      edges: [],
      cut: false,
    });
  });

  it('are of the own organisation only', async () => {
    const stranger = await t.client();
    const other = t.api.asOperator(
      await t.operator({ roles: ['ANALYST'], organisationId: stranger.organisationId }),
    );
    const mine = `own-${randomUUID()}`;
    await pays(mine, `${mine}-payee`);
    expectError(
      await other.get(`/operator/customers/${await customerId(mine)}/relations`),
      404,
      'CUSTOMER_NOT_FOUND',
    );
    expectError(await analyst.get('/operator/customers/cus_nobody/relations'), 404, 'CUSTOMER_NOT_FOUND');
  });
});
