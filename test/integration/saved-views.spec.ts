import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { expectError } from '../support/answers.js';
import type { TestApi } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction, cpfOf } from '../support/builders.js';

let t: TestApp;

beforeAll(async () => {
  t = await startTestApp();
});

afterAll(async () => {
  await t.close();
});

const dataOf = ({ body }: { readonly body: unknown }): unknown => (body as { data: unknown }).data;

interface Saved {
  readonly id: string;
  readonly name: string;
  readonly query: string;
  readonly mine: boolean;
  readonly shared: boolean;
  readonly ownerName: string;
}
const viewsOf = async (as: TestApi): Promise<readonly Saved[]> =>
  (dataOf(await as.get('/operator/views').expect(200)) as { views: Saved[] }).views;

it('a view is kept for its owner, or shared with the house; nobody else changes it, and another house sees nothing', async () => {
  const { organisationId } = await t.client();
  const analyst = async (name: string): Promise<TestApi> =>
    t.api.asOperator(await t.operator({ roles: ['ANALYST'], organisationId, name }));
  const [ana, bruno] = [await analyst('Ana Alves'), await analyst('Bruno Brito')];
  const stranger = await t.client();
  const other = t.api.asOperator(
    await t.operator({ roles: ['ANALYST'], organisationId: stranger.organisationId }),
  );
  const save = async (body: object): Promise<string> =>
    (dataOf(await ana.post('/operator/views').send(body).expect(201)) as { id: string }).id;
  const own = await save({ name: 'Caso da Segredina', query: 'assignee=me&sort=CLOCK' });
  const shared = await save({ name: 'Large', query: 'amountFrom=10000&overdue=true', shared: true });

  expect(await viewsOf(ana)).toMatchObject([
    { id: own, name: 'Caso da Segredina', query: 'assignee=me&sort=CLOCK', mine: true, shared: false },
    { id: shared, mine: true, shared: true },
  ]);
  expect(await viewsOf(bruno)).toMatchObject([{ id: shared, mine: false, ownerName: 'Ana Alves' }]);
  expect(await viewsOf(other)).toEqual([]);

  // The list takes it as it stands.
  await ana.get('/operator/reviews?amountFrom=10000&overdue=true').expect(200);

  const changed = { name: 'Larger', query: 'amountFrom=20000', shared: true };
  expectError(await bruno.call('put', `/operator/views/${shared}`).send(changed), 404, 'VIEW_NOT_FOUND');
  expectError(await bruno.call('delete', `/operator/views/${shared}`), 404, 'VIEW_NOT_FOUND');
  expectError(await other.call('delete', `/operator/views/${shared}`), 404, 'VIEW_NOT_FOUND');
  await ana.call('put', `/operator/views/${shared}`).send(changed).expect(200);
  expect(await viewsOf(bruno)).toMatchObject([{ name: 'Larger', query: 'amountFrom=20000' }]);
  await ana.call('delete', `/operator/views/${shared}`).expect(200);
  expect(await viewsOf(bruno)).toEqual([]);

  // A name that somebody wrote stands nowhere in clear.
  const { rows } = await t.owner.query<{ text: string }>('SELECT v::text AS text FROM saved_views v');
  expect(rows).toHaveLength(1);
  expect(Buffer.from(rows[0]!.text).includes('Segredina')).toBe(false);
  expect(rows[0]!.text).not.toContain(Buffer.from('Segredina').toString('hex'));
});

it.each([
  ['colour=red', 'UNKNOWN_FIELD'],
  ['status=NEVER', 'VALUE_NOT_ALLOWED'],
  ['text=Maria', 'VALUE_NOT_ALLOWED'],
  ['customerId=cus_019364d0c0de7000a000000000000001', 'VALUE_NOT_ALLOWED'],
  ['status=OPEN&status=CLOSED', 'VALUE_NOT_ALLOWED'],
  ['Segredina', 'UNKNOWN_FIELD'],
  ['Segredina=1&Segredina=2', 'VALUE_NOT_ALLOWED'],
])('a filter that the list would not take, or that names somebody, is not kept: %s', async (query, code) => {
  const { organisationId } = await t.client();
  const analyst = t.api.asOperator(await t.operator({ roles: ['ANALYST'], organisationId }));
  const refused = await analyst.post('/operator/views').send({ name: 'Mine', query });
  expectError(refused, 400, 'VALIDATION_FAILED');
  const { error } = refused.body as { error: { details: { path: string; code: string }[] } };
  expect(error.details).toEqual([expect.objectContaining({ path: 'query', code })]);
  expect(JSON.stringify(refused.body)).not.toMatch(/colour|Segredina/);
});

it('the file of a case shows who shares things or payments with its customer, to those who may see customers', async () => {
  const client = await t.client();
  const { organisationId } = client;
  const api = t.api.as(client);
  const one = (name: string, fields: Record<string, unknown>): ReturnType<typeof aTransaction> =>
    aTransaction({
      ...{
        externalCustomerId: name,
        origin: { name: `Cliente ${name}`, cpfCnpj: cpfOf(name), country: 'BR' },
      },
      metadata: { deviceId: 'device-shared', ipAddress: '203.0.113.5', deviceRegistered: true },
      ...fields,
    });
  const bodies = [one('second', {}), one('first', { amount: 60_000 })];
  for (const body of bodies) {
    await api.ingest(body).expect(202);
    await api.settled(body.transactionId);
  }
  const analyst = t.api.asOperator(await t.operator({ roles: ['ANALYST'], organisationId }));
  const [listed] = dataOf(await analyst.get('/operator/reviews?sort=AMOUNT').expect(200)) as { id: string }[];
  const path = `/operator/reviews/${listed!.id}/file`;
  const { related } = dataOf(await analyst.get(path).expect(200)) as {
    related: { nodes: { kind: string; name: string | null; distance: number }[]; edges: object[] };
  };
  expect(related.nodes[0]).toMatchObject({ kind: 'CUSTOMER', name: 'Cliente first', distance: 0 });
  expect(related.nodes).toContainEqual(
    expect.objectContaining({ kind: 'CUSTOMER', name: 'Cliente second', distance: 1 }),
  );
  expect(related.nodes).toContainEqual(expect.objectContaining({ kind: 'DEVICE', customers: 2 }));
  expect(related.edges.length).toBeGreaterThan(1);
  const administrator = t.api.asOperator(await t.operator({ roles: ['ADMIN'], organisationId }));
  expect(dataOf(await administrator.get(path).expect(200))).toMatchObject({ customer: null, related: null });
});
