import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import { expectError } from '../support/answers.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { approve, waitOut } from '../support/approvals.js';
import { aTransaction, cpfOf } from '../support/builders.js';
import { newUuid, publicId } from '../../src/platform/kernel/index.js';
import { eventually } from '../support/eventually.js';
import { LISTED, withLists } from '../support/lists.js';
import { databaseAsText, leaksIn } from '../support/leaks.js';

let t: TestApp;
let client: TestClient;
let integrator: TestApi;
let officer: TestApi;
let second: TestApi;
let analyst: TestApi;
let developer: TestApi;

beforeAll(async () => {
  t = await startTestApp();
  const scopes = ['kyt:ingest', 'kyt:read', 'customers:read', 'customers:write'] as const;
  client = await t.client({ rules: false, scopes: [...scopes] });
  const { organisationId } = client;
  await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
  integrator = t.api.as(client);
  officer = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
  second = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
  analyst = t.api.asOperator(await t.operator({ roles: ['ANALYST'], organisationId }));
  developer = t.api.asOperator(await t.operator({ roles: ['DEVELOPER'], organisationId }));
});

afterAll(async () => {
  await t.close();
});

interface Findings {
  readonly customers: readonly { readonly id: string; readonly name: string | null }[];
  readonly cases: readonly { readonly id: string; readonly customerName: string | null }[];
  readonly transactions: readonly { readonly id: string; readonly transactionId: string }[];
  readonly hits: readonly {
    readonly id: string;
    readonly list: string;
    readonly customerName: string | null;
  }[];
}

async function search(q: string, as = analyst): Promise<Findings> {
  const { body } = await as.get(`/operator/search?q=${encodeURIComponent(q)}`).expect(200);
  return (body as { data: Findings }).data;
}
const names = async (q: string): Promise<(string | null)[]> =>
  (await search(q)).customers.map(({ name }) => name);

/** Customers of these names; returns their ids of the institution. */
async function known(...all: readonly string[]): Promise<string[]> {
  const rows = all.map((name) => ({ externalCustomerId: `sea-${randomUUID()}`, name }));
  await integrator.call('put', '/customers/profiles').send(rows).expect(200);
  return rows.map(({ externalCustomerId }) => externalCustomerId);
}

const indexed = (): Promise<void> =>
  eventually('the names that came are findable', async () => {
    const { rows } = await t.owner.query('SELECT 1 FROM name_changes');
    return rows.length === 0;
  }).then(() => undefined);

describe('The search', () => {
  it('finds customers by names that are mistyped, begun, written otherwise, or without their accents', async () => {
    await known('João da Silva', 'Joana Selvagem Prado', 'Philipe Xavier Dantas', 'Wágner Canabarro');
    await indexed();
    expect(await names('João da Silva')).toEqual(['João da Silva']);
    expect(await names('Joao da Sliva')).toEqual(['João da Silva']);
    expect(await names('silva joao')).toEqual(['João da Silva']);
    expect(await names('JOAO SILV')).toEqual(['João da Silva']);
    expect(await names('Filipe Dantas')).toEqual(['Philipe Xavier Dantas']);
    expect(await names('vagner canabaro')).toEqual(['Wágner Canabarro']);
    expect(await names('joa')).toEqual(expect.arrayContaining(['João da Silva', 'Joana Selvagem Prado']));
    expect(await names('Joao Dantas')).toEqual([]);
    expect(await names('zz')).toEqual([]);
  });

  it('leads from a merged record to the one that stays', async () => {
    const [id] = await known('Anacleto Provisorio');
    await indexed();
    expect(await names('anacleto')).toEqual(['Anacleto Provisorio']);
    await t.owner.query('DELETE FROM name_words');
    await t.owner.query(
      `INSERT INTO name_changes SELECT id, organisation_id FROM customers ON CONFLICT DO NOTHING`,
    );
    await indexed();
    expect(await names('anacleto')).toEqual(['Anacleto Provisorio']);
    expect(id).toBeDefined();
  });

  it('finds by document, ids of the institution and of ours, account and amount, and the cases with them', async () => {
    const transactionId = `sea-${randomUUID()}`;
    const externalCustomerId = `sea-${randomUUID()}`;
    const accountReference = `acc-${randomUUID()}`;
    const body = aTransaction({
      ...{ transactionId, externalCustomerId, cpfCnpj: '39053344705', amount: 98_765.43 },
      origin: { name: 'Petronila Procurada', cpfCnpj: '39053344705', accountReference, country: 'BR' },
    });
    const { headers } = await integrator.ingest(body).expect(202);
    await integrator.settled(transactionId);
    await indexed();
    const byDocument = await search('390.533.447-05');
    expect(byDocument.customers).toHaveLength(1);
    const [customer] = byDocument.customers;
    expect(byDocument.cases.length).toBeGreaterThan(0);
    for (const q of [externalCustomerId, customer!.id]) {
      expect((await search(q)).customers).toEqual([customer]);
    }
    const own = { transactionId };
    expect((await search(transactionId)).transactions).toEqual([expect.objectContaining(own)]);
    const [found] = (await search(transactionId)).transactions;
    expect((await search(found!.id)).transactions).toEqual([found]);
    expect((await search(String(headers['x-request-id']))).transactions).toEqual([found]);
    const byAccount = await search(accountReference);
    expect(byAccount.transactions).toContainEqual(found);
    expect(byAccount.customers).toContainEqual(customer);
    const [first] = byDocument.cases;
    expect((await search(first!.id)).cases).toEqual([first]);
    for (const q of ['R$ 98.765,43', '98765,43', '98000..99000', '>= 98.000,00']) {
      expect((await search(q)).cases.map(({ id }) => id)).toContain(first!.id);
    }
    expect((await search('1..2')).cases).toEqual([]);
  });

  it('finds the hits of whoever is found by a mistyped name, and a hit by its id', async () => {
    const externalCustomerId = `sea-${randomUUID()}`;
    await withLists(t, client.organisationId);
    const body = aTransaction({
      externalCustomerId,
      origin: { name: LISTED.sanctions, cpfCnpj: cpfOf(externalCustomerId), country: 'BR' },
    });
    await integrator.ingest(body).expect(202);
    await integrator.settled(body.transactionId);
    await indexed();
    const { hits } = await search('Anacleto Sancoinado');
    expect(hits).toEqual([
      expect.objectContaining({
        ...{ list: 'sanctions', customerName: LISTED.sanctions, status: 'PENDING', mandatory: true },
      }),
    ]);
    expect((await search(hits[0]!.id)).hits).toEqual(hits);
    expect((await search(hits[0]!.id, developer)).hits).toEqual([]);
    expect((await search(publicId('hit', newUuid()))).hits).toEqual([]);
  });

  it('shows only what somebody may read, nothing of others, and refuses an empty question', async () => {
    await known('Ludovico Reservado');
    await indexed();
    expect(await names('ludovico reservado')).toEqual(['Ludovico Reservado']);
    expect(await search('ludovico reservado', developer)).toEqual({
      customers: [],
      cases: [],
      transactions: [],
      hits: [],
    });
    const stranger = await t.client();
    const other = t.api.asOperator(
      await t.operator({ roles: ['ANALYST'], organisationId: stranger.organisationId }),
    );
    expect(await search('ludovico reservado', other)).toEqual({
      ...{ customers: [], cases: [], transactions: [], hits: [] },
    });
    expectError(await analyst.get('/operator/search?q='), 400, 'VALIDATION_FAILED');
    expectError(await analyst.get('/operator/search'), 400, 'VALIDATION_FAILED');
    expectError(await analyst.get(`/operator/search?q=${'a'.repeat(201)}`), 400, 'VALIDATION_FAILED');
  });

  it('keeps no name in clear, and forgets the words of whoever is erased', async () => {
    const [id] = await known('Quiteria Apagavel');
    await known('Outra Apagavel');
    await indexed();
    const words = { first: 'quiteria', last: 'apagavel', whole: 'Quiteria Apagavel' };
    expect(leaksIn((await databaseAsText(t.owner)).text, words)).toEqual([]);
    const { customers } = await search(id!);
    const count = async (table: string): Promise<number> =>
      (await t.owner.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`)).rows[0]!.n;
    const before = { words: await count('name_words'), keys: await count('name_keys') };
    const route = `/operator/customers/${customers[0]!.id}`;
    await officer.call('put', `${route}/relationship`).send({ endedOn: '2010-01-01' }).expect(200);
    const reason = 'The person asked for it and the ten years are over.';
    const asked = await officer.post(`${route}/erase`).send({ reason }).expect(202);
    await waitOut(t, await approve(second, asked));
    expect((await search(id!)).customers).toEqual([]);
    expect(await names('quiteria')).toEqual([]);
    expect(await names('apagavel')).toEqual(['Outra Apagavel']);
    expect(await count('name_words')).toBe(before.words - 2);
    // "apagavel" is still borne by somebody; what only the erased name was found by is gone.
    expect(before.keys - (await count('name_keys'))).toBe(16);
  });
});
