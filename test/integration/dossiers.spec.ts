import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CashReports } from '../../src/dossiers/index.js';
import { ExchangeRates } from '../../src/fx/index.js';
import { publicId } from '../../src/kernel/index.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction, CPF } from '../support/builders.js';
import { eventually } from '../support/eventually.js';

let t: TestApp;
let client: TestClient;
let integrator: TestApi;
let officer: TestApi;
let second: TestApi;

interface Communication {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly segment: number;
  readonly amountBrl: string | null;
  readonly dueAt: string;
  readonly customerId: string | null;
  readonly codes: number[];
  readonly problems: { field: string; code: string }[];
  readonly filing: { filingNumber: string; contentHash: string; confirmedBy: string | null } | null;
}

beforeAll(async () => {
  t = await startTestApp();
  client = await t.client();
  integrator = t.api.as(client);
  const { organisationId } = client;
  const roles = ['COMPLIANCE_OFFICER'] as const;
  officer = t.api.asOperator(await t.operator({ roles, organisationId }));
  second = t.api.asOperator(await t.operator({ roles, organisationId }));
});

afterAll(async () => {
  await t.close();
});

const data = ({ body }: { body: unknown }): unknown => (body as { data: unknown }).data;

async function evaluated(fields: Record<string, unknown>): Promise<string> {
  const body = aTransaction(fields);
  await integrator.ingest(body).expect(202);
  await integrator.settled(body.transactionId);
  const { rows } = await t.owner.query<{ id: string }>(
    'SELECT id FROM kyt_transactions WHERE transaction_id = $1',
    [body.transactionId],
  );
  return rows[0]!.id;
}

const communicationsAbout = async (ref: string): Promise<string[]> => {
  const { rows } = await t.owner.query<{ id: string }>(
    'SELECT id FROM coaf_communications WHERE transaction_ref = $1',
    [ref],
  );
  return rows.map(({ id }) => publicId('com', id));
};

const reported = (ref: string): Promise<string> =>
  eventually('a report of cash', async () => {
    const [id] = await communicationsAbout(ref);
    return id ?? false;
  });

describe('Operations in cash', () => {
  const cash = { type: 'CASH_DEPOSIT', channel: 'BRANCH', amount: 50_000 };

  it('a deposit of 50,000 makes its record, once, due on the next day on which banks are open', async () => {
    // A Thursday before the Friday of 20 November, a holiday: due at the end of Monday.
    const ref = await evaluated({ ...cash, occurredAt: '2026-11-19T15:00:00Z' });
    const id = await reported(ref);
    const one = data(await officer.get(`/operator/coaf/communications/${id}`).expect(200)) as Communication;
    expect(one).toMatchObject({
      kind: 'CASH',
      segment: 42,
      status: 'DRAFT',
      amountBrl: '50000',
      dueAt: '2026-11-24T02:59:59.999Z',
      codes: [1161],
      filing: null,
    });
    expect(one.customerId).toMatch(/^cus_/);
    // Whatever job comes again.
    await Promise.all([1, 2, 3].map(() => t.app.get(CashReports, { strict: false }).record([ref])));
    expect(await communicationsAbout(ref)).toEqual([id]);
  });

  it.each([
    ['a cent less', { ...cash, amount: 49_999.99 }],
    ['as much by PIX', { amount: 50_000 }],
    ['a foreign amount that is less in reais', { ...cash, amount: 9_000, currency: 'USD' }],
  ])('%s makes none', async (_, fields) => {
    await t.app.get(ExchangeRates, { strict: false }).import(client.organisationId, {
      source: 'test',
      rates: [{ currency: 'USD', date: new Date().toISOString().slice(0, 10), rate: '5.00' }],
      actor: { type: 'system', id: 'test' },
      requestId: null,
      correlationId: null,
    });
    const ref = await evaluated({ ...fields, occurredAt: new Date().toISOString() });
    const after = await evaluated({ ...cash, type: 'CASH_WITHDRAWAL', amount: 70_000 });
    await reported(after);
    expect(await communicationsAbout(ref)).toEqual([]);
  });

  it('what cannot be converted is recorded, for a person to look at', async () => {
    const ref = await evaluated({ ...cash, amount: 100, currency: 'CHF' });
    const id = await reported(ref);
    const one = data(await officer.get(`/operator/coaf/communications/${id}`).expect(200)) as Communication;
    expect(one.amountBrl).toBeNull();
    expect(one.problems).toContainEqual({ field: 'VlCred', code: 'MISSING' });
  });

  it('the files say what was sent in, and taking them is written down', async () => {
    const admin = await t.operator({ roles: ['ADMIN'], organisationId: client.organisationId });
    const institution = {
      taxId: '11.222.333/0001-81',
      name: 'Instituição Exemplo',
      city: 'São Paulo',
      state: 'SP',
    };
    await t.api.asOperator(admin).call('put', '/operator/coaf/institution').send(institution).expect(200);
    const ref = await evaluated({
      ...cash,
      amount: 50_000.5,
      origin: { name: 'João Exemplo', cpfCnpj: CPF.payee, country: 'BR' },
      destination: {
        name: 'Maria Exemplo',
        cpfCnpj: CPF.customer,
        accountReference: '0001-42',
        country: 'BR',
      },
    });
    const id = await reported(ref);
    const file = async (name: string): Promise<string> => {
      const answer = await officer.get(`/operator/coaf/communications/${id}/files/${name}`).buffer(true);
      expect(answer.headers['content-type']).toContain('ISO-8859-1');
      return (answer.body instanceof Buffer ? answer.body : Buffer.from(answer.text, 'latin1')).toString(
        'latin1',
      );
    };
    const xml = await file('siscoaf.xml');
    expect(xml).toContain('<CPFCNPJCom>11222333000181</CPFCNPJCom>');
    expect(xml).toContain('<VlCred>50000,50</VlCred>');
    expect(xml).toContain(`<CPFCNPJEnv>${CPF.customer}</CPFCNPJEnv>`);
    expect(xml).toContain(`<CPFCNPJEnv>${CPF.payee}</CPFCNPJEnv>`);
    expect(await file('siscoaf.xml')).toBe(xml);
    expect(await file('RIF_Ocorrencias.csv')).toContain('1;1161;');
    await officer.get(`/operator/coaf/communications/${id}/files/other.txt`).expect(404);
    const { rows } = await t.owner.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM audit_entries
       WHERE organisation_id = $1 AND action = 'dossier.exported' AND subject_type = 'dossier'`,
      [client.organisationId],
    );
    expect(rows[0]!.count).toBeGreaterThanOrEqual(3);
    const analyst = await t.operator({ roles: ['ANALYST'], organisationId: client.organisationId });
    await t.api.asOperator(analyst).get(`/operator/coaf/communications/${id}/files/siscoaf.xml`).expect(403);
  });

  it('what was filed is recorded by one person and confirmed by another; then it is frozen', async () => {
    const ref = await evaluated({ ...cash, amount: 80_000 });
    const path = `/operator/coaf/communications/${await reported(ref)}`;
    const filing = { filingNumber: '2026112000017', receivedAt: new Date().toISOString() };
    await officer.post(`${path}/filing/decision`).send({ decision: 'CONFIRM' }).expect(409);
    const ahead = new Date(Date.now() + 86_400_000).toISOString();
    await officer
      .post(`${path}/filing`)
      .send({ ...filing, receivedAt: ahead })
      .expect(400);
    await officer.post(`${path}/filing`).send(filing).expect(200);
    await officer.post(`${path}/filing`).send(filing).expect(409);
    const refused = await officer.post(`${path}/filing/decision`).send({ decision: 'CONFIRM' }).expect(403);
    expect(refused.body).toMatchObject({ error: { code: 'FOUR_EYES_REQUIRED' } });
    await second.post(`${path}/filing/decision`).send({ decision: 'REFUSE' }).expect(200);
    await officer
      .post(`${path}/filing`)
      .send({ ...filing, filingNumber: '2026112000018' })
      .expect(200);
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => second.post(`${path}/filing/decision`).send({ decision: 'CONFIRM' })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const one = data(await officer.get(path).expect(200)) as Communication;
    expect(one).toMatchObject({ status: 'FILED', filing: { filingNumber: '2026112000018' } });
    const csv = await officer.get(`${path}/files/RIF_Comunicacoes.csv`).expect(200);
    expect(csv.text).toContain('1;2026112000018;-;');
    const trail = await officer
      .get(`/operator/audit/trails/communication/${path.split('/').pop()!}`)
      .expect(200);
    expect(trail.body).toMatchObject({ data: { status: 'COMPLETE' } });
  });

  it('the year is counted, and one without any has to be stated within ten bank days', async () => {
    const of = async (year: number): Promise<unknown> =>
      data(await officer.get(`/operator/coaf/year?year=${year}`).expect(200));
    expect(await of(2025)).toEqual({
      year: 2025,
      counts: [
        { kind: 'SUSPICION', drafted: 0, filed: 0 },
        { kind: 'CASH', drafted: 0, filed: 0 },
      ],
      noOccurrence: true,
      // 1 January is a holiday; 2026 begins on a Thursday, so the tenth bank day is Thursday the 15th.
      statementDueAt: '2026-01-16T02:59:59.999Z',
    });
    const thisYear = new Date(Date.now() - 3 * 3_600_000).getUTCFullYear();
    const { rows } = await t.owner.query<{ drafted: number; filed: number }>(
      `SELECT count(*)::int AS drafted, count(*) FILTER (WHERE status = 'FILED')::int AS filed
       FROM coaf_communications WHERE organisation_id = $1 AND kind = 'CASH'
         AND extract(year FROM decided_at AT TIME ZONE 'America/Sao_Paulo') = $2`,
      [client.organisationId, thisYear],
    );
    expect(await of(thisYear)).toMatchObject({
      noOccurrence: false,
      counts: [{}, { kind: 'CASH', ...rows[0]! }],
    });
  });
});
