import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditTrail } from '../../src/features/audit/index.js';
import { uuidOf } from '../../src/platform/kernel/index.js';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import { expectError } from '../support/answers.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { approve, askedIn, decideOn } from '../support/approvals.js';
import { aTransaction, cpfOf } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { aReportingInstitution } from '../support/institution.js';

const WHY = 'The customer service knows better than the register.';

let t: TestApp;
let client: TestClient;
let integrator: TestApi;
let officer: TestApi;
let second: TestApi;
let analyst: TestApi;

beforeAll(async () => {
  t = await startTestApp();
  client = await t.client({ rules: false });
  const { organisationId } = client;
  await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
  integrator = t.api.as(client);
  officer = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
  second = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
  analyst = t.api.asOperator(await t.operator({ roles: ['ANALYST'], organisationId }));
});

afterAll(async () => {
  await t.close();
});

interface Content {
  readonly id: string;
  readonly status: string;
  readonly revision: number;
  readonly drafted: readonly string[];
  readonly details: string;
  readonly credit: string;
  readonly from: string;
  readonly codes: readonly { code: number; text: string | null }[];
  readonly parties: readonly Record<string, unknown>[];
  readonly edits: readonly { revision: number; fields: readonly string[]; reason: string }[];
}
const dataOf = (answer: { body: unknown }): Content => (answer.body as { data: Content }).data;
const path = (id: string, step: string): string => `/operator/coaf/communications/${id}/${step}`;
const trailOf = async (id: string): Promise<string> => {
  const subject = {
    organisationId: client.organisationId,
    type: 'communication',
    id: uuidOf('com', id)!,
  } as const;
  return (await t.app.get(AuditTrail).trailStatus(subject)).status;
};

/** The communication that a deposit in cash makes by itself. */
async function aCashDraft(): Promise<string> {
  const who = `cash-${randomUUID()}`;
  const body = aTransaction({
    ...{ type: 'CASH_DEPOSIT', channel: 'BRANCH', amount: 60_000, externalCustomerId: who },
    origin: { name: 'Depositante Ficticio', cpfCnpj: cpfOf(`${who}-d`), country: 'BR' },
    destination: {
      name: 'Titular Ficticia',
      cpfCnpj: cpfOf(who),
      accountReference: '0001-77',
      country: 'BR',
    },
  });
  await integrator.ingest(body).expect(202);
  await integrator.settled(body.transactionId);
  const { customers } = (
    (await officer.get(`/operator/customers?externalCustomerId=${who}`).expect(200)).body as {
      data: { id: string }[];
    }
  ).data.reduce<{ customers: string[] }>((all, { id }) => ({ customers: [...all.customers, id] }), {
    customers: [],
  });
  return eventually('the deposit is drafted', async () => {
    const { body: found } = await officer.get(`/operator/coaf/communications?customerId=${customers[0]}`);
    return (found as { data: { id: string }[] }).data[0]?.id;
  });
}

describe('A communication to COAF', () => {
  it('is edited with reasons, member by member, and frozen as filed', async () => {
    const id = await aCashDraft();
    const before = dataOf(await officer.get(path(id, 'content')).expect(200));
    expect(before).toMatchObject({ status: 'DRAFT', revision: 0, credit: '60000.00', edits: [] });
    expect(before.drafted).toContain('details');
    expect(before.parties.length).toBe(2);
    // Ids are hexadecimal, and may have eleven digits in a row.
    expect(JSON.stringify(before)).not.toMatch(/(?<![0-9a-f])\d{11}(?![0-9a-f])/);
    const cpfCnpj = cpfOf('somebody else');
    const edit = {
      ...{
        revision: 0,
        reason: WHY,
        codes: [1163, 1161],
        details: 'DEPÓSITO FRACIONADO',
        credit: '60000.50',
      },
      ...{ from: '2026-11-01', to: '2026-11-20' },
      parties: [
        { position: 1, pep: false, account: '7-7' },
        { taxId: cpfCnpj, name: 'Procuradora Ficticia', role: 'ATTORNEY' },
      ],
    };
    const after = dataOf(await officer.post(path(id, 'edits')).send(edit).expect(200));
    expect(after).toMatchObject({
      ...{ revision: 1, details: 'DEPÓSITO FRACIONADO', credit: '60000.50', from: '2026-11-01' },
      codes: [{ code: 1161 }, { code: 1163 }],
      parties: [
        { position: 1, name: before.parties[0]!['name'], pep: false, account: '7-7' },
        { position: 2, name: 'Procuradora Ficticia', role: 'ATTORNEY', roleText: 'Procurador' },
      ],
      edits: [{ revision: 1, reason: WHY }],
    });
    expect(after.drafted).not.toContain('details');
    expect(after.drafted).toContain('debit');
    // The revision that was seen is not the present one.
    expectError(await officer.post(path(id, 'edits')).send(edit), 409, 'STATE_CONFLICT');
    const next = { revision: 1, reason: WHY };
    for (const [fields, at] of [
      [{}, ''],
      [{ to: '2026-10-31' }, 'to'],
      [{ from: '2026-02-30' }, 'from'],
      [{ credit: '-1' }, 'credit'],
      [{ parties: [{ position: 9 }] }, 'parties'],
      [{ parties: [{ taxId: '11111111111' }] }, 'parties[0].taxId'],
    ] as const) {
      const { body, status } = await officer.post(path(id, 'edits')).send({ ...next, ...fields });
      expect({
        status,
        path: (body as { error: { details: { path: string }[] } }).error.details[0]?.path,
      }).toEqual({
        status: 400,
        path: at,
      });
    }
    const xml = await officer
      .get(path(id, 'files/siscoaf.xml'))
      .buffer()
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          done(null, Buffer.concat(chunks).toString('latin1'));
        });
      });
    expect(String(xml.body)).toContain('<CodEnq>1163</CodEnq>');
    expect(String(xml.body)).toContain(cpfCnpj);
    const early = { filingNumber: '2026112000017', receivedAt: '2026-11-20T14:00:00Z' };
    const tooEarly = expectError(
      await officer.post(path(id, 'filing')).send(early),
      400,
      'VALIDATION_FAILED',
    );
    expect(tooEarly.details).toMatchObject([{ path: 'receivedAt', code: 'TOO_EARLY' }]);
    const unnamed = await officer
      .post(path(id, 'filing'))
      .send({ ...early, receivedAt: new Date().toISOString() });
    const { details } = expectError(unnamed, 409, 'STATE_CONFLICT');
    expect(details).toMatchObject([{ path: 'institution', code: 'INSTITUTION_MISSING' }]);
    await aReportingInstitution(t, client.organisationId);
    const filing = { filingNumber: '2026112000017', receivedAt: new Date().toISOString() };
    const asked = await officer.post(path(id, 'filing')).send(filing).expect(202);
    // Who approves reads what is filed, who is named, how much, and what was changed in the draft by whom and why.
    const { body: shown } = await second.get(`/operator/approvals/${askedIn(asked).id}`).expect(200);
    expect((shown as { data: { summary: unknown } }).data.summary).toMatchObject({
      communication: {
        ...{ from: '2026-11-01', to: '2026-11-20', credit: '60000.50', codes: [1161, 1163] },
        details: 'DEPÓSITO FRACIONADO',
        parties: [
          { name: before.parties[0]!['name'] },
          { name: 'Procuradora Ficticia', role: 'ATTORNEY', documentMasked: expect.stringContaining('***') },
        ],
        edits: [{ revision: 1, reason: WHY, editedBy: expect.stringMatching(/^opr_/) }],
      },
    });
    await approve(second, asked);
    expectError(await officer.post(path(id, 'edits')).send({ ...next, details: 'X' }), 409, 'STATE_CONFLICT');
    expect(dataOf(await officer.get(path(id, 'content')).expect(200))).toMatchObject({
      ...{ status: 'FILED', details: 'DEPÓSITO FRACIONADO', revision: 1 },
      edits: [{ reason: WHY }],
    });
    expect(await trailOf(id)).toBe('COMPLETE');
  });

  it('that is wrong is dismissed by two people, and not when it was edited in between', async () => {
    const id = await aCashDraft();
    expectError(await officer.post(path(id, 'dismissal')).send({}), 400, 'VALIDATION_FAILED');
    const stale = await officer.post(path(id, 'dismissal')).send({ reason: WHY }).expect(202);
    await officer.post(path(id, 'edits')).send({ revision: 0, reason: WHY, details: 'ERRADO' }).expect(200);
    const request = `/operator/approvals/${askedIn(stale).id}`;
    const { digest } = askedIn(await second.get(request).expect(200));
    expectError(await second.post(`${request}/approve`).send({ digest }), 409, 'STATE_CONFLICT');
    expect(dataOf(await officer.get(path(id, 'content')))).toMatchObject({ status: 'DRAFT' });
    await officer.post(`${request}/withdraw`).send({ reason: WHY }).expect(200);
    const asked = await officer.post(path(id, 'dismissal')).send({ reason: WHY }).expect(202);
    await approve(second, asked);
    expect(dataOf(await officer.get(path(id, 'content')))).toMatchObject({ status: 'DISMISSED' });
    expectError(
      await officer.post(path(id, 'edits')).send({ revision: 1, reason: WHY, details: 'X' }),
      409,
      'STATE_CONFLICT',
    );
    const filing = { filingNumber: '1', receivedAt: new Date().toISOString() };
    expectError(await officer.post(path(id, 'filing')).send(filing), 409, 'STATE_CONFLICT');
    expect(await trailOf(id)).toBe('COMPLETE');
  });

  it('about a case has a narrative of what happened, marked as drafted', async () => {
    const who = `nar-${randomUUID()}`;
    const body = aTransaction({
      ...{ externalCustomerId: who, amount: 250_000, type: 'TED_TRANSFER' },
      origin: { name: 'Titular Narrada', cpfCnpj: cpfOf(who), country: 'BR' },
    });
    await integrator.ingest(body).expect(202);
    await integrator.settled(body.transactionId);
    const [found] = (
      (await analyst.get(`/operator/search?q=${who}`).expect(200)).body as {
        data: { cases: { id: string }[] };
      }
    ).data.cases;
    const decision = { resolution: 'REJECTED', report: 'COMMUNICATE', justification: WHY.repeat(3) };
    await analyst.post(`/operator/reviews/${found!.id}/decision`).send(decision).expect(202);
    await decideOn(second, found!.id, 'approve');
    const id = await eventually('the case is drafted', async () => {
      const { body: page } = await officer.get('/operator/coaf/communications?kind=SUSPICION').expect(200);
      return (page as { data: { id: string; reviewId: string }[] }).data.find(
        ({ reviewId }) => reviewId === found!.id,
      )?.id;
    });
    const content = dataOf(await officer.get(path(id, 'content')).expect(200));
    expect(content.drafted).toContain('details');
    expect(content.details).toMatch(
      /^Em \d\d\/\d\d\/\d{4}, Titular Narrada movimentou 1 débito de R\$ 250\.000,00, a 1 beneficiário\./,
    );
    expect(content.details).toContain('Análise: ');
  });
});
