import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditTrail } from '../../src/features/audit/index.js';
import { system, UnitOfWork } from '../../src/platform/database/index.js';
import { scopes } from '../../src/platform/http/index.js';
import { publicId, uuidOf } from '../../src/platform/kernel/index.js';
import { SubjectKeys } from '../../src/platform/privacy/index.js';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import { defaultFlows } from '../../src/features/sessions/domain/flow/default-flows.js';
import { expectError } from '../support/answers.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { approve, waitOut } from '../support/approvals.js';
import { aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { withFlow } from '../support/flows.js';
import { withLists } from '../support/lists.js';

const WHY = 'The case cannot be judged without the office that was declared.';
const EMAIL = 'joana.ficticia@example.com';
const OFFICE = 'Vereadora da Camara Municipal de Exemplo';

let t: TestApp;
let client: TestClient;
let officer: TestApi;
let second: TestApi;
let analyst: TestApi;

beforeAll(async () => {
  t = await startTestApp();
  client = await t.client({ rules: false, scopes });
  const { organisationId } = client;
  await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
  officer = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
  second = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
  analyst = t.api.asOperator(await t.operator({ roles: ['ANALYST'], organisationId }));
  await withLists(t, organisationId);
  const steps = defaultFlows['onboarding-pf']?.steps.filter(
    ({ type }) => type === 'CONSENT' || type === 'DATA_FORM' || type === 'QUESTIONNAIRE',
  );
  const requiredChecks = ['TAX_ID', 'PROFILE', 'AGE', 'PEP_DECLARATION', 'LISTS'];
  await withFlow(t, organisationId, { ...defaultFlows['onboarding-pf'], key: 'said', steps, requiredChecks });
});

afterAll(async () => {
  await t.close();
});

interface Ended {
  readonly reference: string;
  readonly customerId: string;
  readonly result: { readonly outcome: string };
}

interface Answered {
  readonly id: string;
  readonly text: string | null;
  readonly masked: boolean;
}

/** The data of the answers here, each of which has some of these members. */
interface Data extends Ended {
  readonly status: string;
  readonly sessionId: string;
  readonly session: string;
  readonly profile: Record<string, unknown> | null;
  readonly erased: boolean;
  readonly steps: { answers: Answered[] }[];
  readonly declared: unknown;
  readonly sessions: { answers: unknown[] }[];
}
const dataOf = ({ body }: { body: unknown }): Data => (body as { data: Data }).data;

/** A session that asks for no files, submitted and checked. */
async function say(userData: Record<string, unknown>, body: object = {}): Promise<Ended> {
  const made = await officer
    .post('/operator/kyc-sessions')
    .send({ flowKey: 'said', ...body })
    .expect(201);
  const { sessionId, reference } = dataOf(made);
  await t.api
    .post(`/kyc-sessions/${sessionId}/complete`)
    .send({ userData: { privacy: true, birthDate: '1980-05-17', ...userData } })
    .expect(202);
  return eventually('the session is over', async () => {
    const read = dataOf(await officer.get(`/operator/kyc-sessions/${reference}`).expect(200));
    return read.status === 'COMPLETED' && read;
  });
}

const evidenceOf = async (reference: string): Promise<{ steps: { answers: Answered[] }[] }> =>
  dataOf(await analyst.get(`/operator/kyc-sessions/${reference}/evidence`).expect(200));
const answersIn = (evidence: { steps: { answers: Answered[] }[] }): Record<string, Answered> =>
  Object.fromEntries(evidence.steps.flatMap(({ answers }) => answers.map((one) => [one.id, one])));
const profileOf = async (id: string): Promise<Record<string, unknown> | null> =>
  dataOf(await analyst.get(`/operator/customers/${id}`).expect(200)).profile;
const NO_PEP = { pepSelf: false, pepRelated: false };

describe('What a person said in a session', () => {
  let ended: Ended;
  const said = {
    name: 'Joana Ficticia Declarante',
    cpf: '11144477735',
    email: EMAIL,
    monthlyIncome: '4800.00',
    pepSelf: true,
    pepRelated: false,
    pepOffice: OFFICE,
  };

  beforeAll(async () => {
    ended = await say(said);
    expect(ended.result.outcome).toBe('REVIEW');
  });

  it('is read from the case: income and PEP by everybody who reads sessions, documents and free texts masked', async () => {
    const { rows } = await t.owner.query<{ id: string }>('SELECT id FROM reviews WHERE session_ref = $1', [
      uuidOf('kys', ended.reference),
    ]);
    const found = dataOf(await analyst.get(`/operator/reviews/${publicId('rev', rows[0]!.id)}`).expect(200));
    expect(found.session).toBe(ended.reference);
    const evidence = await evidenceOf(found.session);
    const answers = answersIn(evidence);
    expect(answers).toMatchObject({
      monthlyIncome: { text: '4800.00', masked: false },
      pepSelf: { text: 'Sim', masked: false },
      name: { text: said.name, masked: false },
      cpf: { text: '***.444.777-**', masked: true },
      email: { text: 'j***@example.com', masked: true },
      pepOffice: { text: '***', masked: true },
      phone: { text: null, masked: false },
    });
    expect(JSON.stringify(evidence)).not.toMatch(new RegExp(`${said.cpf}|${EMAIL}|${OFFICE}`));
  });

  it('is revealed in full with a reason, a permission and an entry in the trail of the session', async () => {
    const path = `/operator/kyc-sessions/${ended.reference}/evidence/reveal`;
    expectError(await analyst.post(path).send({ reason: WHY }), 403, 'PERMISSION_DENIED');
    expectError(await officer.post(path).send({}), 400, 'VALIDATION_FAILED');
    const answers = answersIn(dataOf(await officer.post(path).send({ reason: WHY }).expect(200)));
    expect(answers).toMatchObject({
      cpf: { text: said.cpf, masked: false },
      email: { text: EMAIL },
      pepOffice: { text: OFFICE },
    });
    const subject = {
      organisationId: client.organisationId,
      type: 'session',
      id: uuidOf('kys', ended.reference)!,
    } as const;
    expect((await t.app.get(AuditTrail).trailStatus(subject)).status).toBe('COMPLETE');
    const { rows } = await t.owner.query<{ action: string; canonical: Buffer }>(
      `SELECT action FROM audit_entries WHERE subject_id = $1 ORDER BY subject_seq DESC LIMIT 1`,
      [subject.id],
    );
    expect(rows).toMatchObject([{ action: 'session.answers_revealed' }]);
  });

  it('stands in the profile with its day and session, and rules read the income', async () => {
    expect(await profileOf(ended.customerId)).toMatchObject({
      monthlyIncome: 4_800,
      pep: true,
      pepOffice: OFFICE,
      email: 'j***@example.com',
      statements: expect.arrayContaining([
        expect.objectContaining({ field: 'monthlyIncome', by: 'SESSION', ref: ended.reference }),
      ]),
    });
    const integrator = t.api.as(client);
    await integrator
      .ingest(
        aTransaction({
          transactionId: 'income-declared-in-a-session',
          cpfCnpj: said.cpf,
          type: 'ACCOUNT_CREDIT',
          amount: 24_400,
          origin: { name: 'Empresa Exemplo', cpfCnpj: '11222333000181', country: 'BR' },
          destination: { name: said.name, cpfCnpj: said.cpf, country: 'BR', accountReference: '0001-55' },
          metadata: { direction: 'IN', deviceId: 'device-9', ipAddress: '203.0.113.9' },
        }),
      )
      .expect(202);
    const settled = (await integrator.settled('income-declared-in-a-session')) as unknown as {
      components: { PROFILE: { state: string; source: string } };
      reasons: { ruleId: string }[];
    };
    expect(settled.components.PROFILE).toMatchObject({ source: 'customers' });
    expect(settled.components.PROFILE.state).not.toBe('MISSING_INPUT');
    // 24,400 in 30 days against three times 4,800.
    expect(settled.reasons.map(({ ruleId }) => ruleId)).toContain('BR-PRO-19');
  });

  it('is in the export for the person, in full', async () => {
    const own = dataOf(
      await officer.get(`/operator/customers/${ended.customerId}/subject-export`).expect(200),
    );
    expect(own.declared).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ field: 'monthlyIncome', value: '4800', by: 'SESSION' }),
        expect.objectContaining({ field: 'email', value: EMAIL }),
        expect.objectContaining({ field: 'pepOffice', value: OFFICE }),
      ]),
    );
    expect(own.sessions).toHaveLength(1);
    expect(own.sessions[0]!.answers).toEqual(
      expect.arrayContaining([
        { question: 'E-mail', answer: EMAIL },
        { question: 'Renda mensal (R$)', answer: '4800.00' },
      ]),
    );
  });
});

describe('A declaration', () => {
  it('of a later session takes the place of an earlier one, but nobody stops being exposed by saying so', async () => {
    const own = { name: 'Rui Exemplo Exposto', cpf: '28001238938', pepRelated: false };
    const first = await say({ ...own, pepSelf: true, pepOffice: OFFICE, monthlyIncome: '3000,50' });
    const { customerId } = first;
    await say({ ...own, pepSelf: false, monthlyIncome: '9000' }, { customerId });
    expect(await profileOf(customerId)).toMatchObject({ monthlyIncome: 9_000, pep: true });
  });

  it('that contradicts what is known is read at the session and taken over by nobody', async () => {
    const externalCustomerId = 'declared-by-another';
    const name = 'Iara Exemplo Primeira';
    const first = await say(
      { ...NO_PEP, name, cpf: '16899535009', monthlyIncome: '2000' },
      { externalCustomerId },
    );
    const other = { name: 'Outra Gente Diferente', cpf: '39053344705', monthlyIncome: '80000' };
    const wrong = await say({ ...NO_PEP, ...other }, { externalCustomerId });
    expect(wrong.result.outcome).toBe('REVIEW');
    expect(answersIn(await evidenceOf(wrong.reference))).toMatchObject({ monthlyIncome: { text: '80000' } });
    expect(await profileOf(first.customerId)).toMatchObject({ monthlyIncome: 2_000 });
    const path = `/operator/customers/${first.customerId}/subject-export`;
    expect(JSON.stringify((await officer.get(path).expect(200)).body)).not.toContain(other.name);
  });
});

describe('An erasure', () => {
  it('takes the answers and what was declared of them away', async () => {
    const ended = await say({
      ...{ name: 'Lia Exemplo Apagada', cpf: '52998224725', email: EMAIL, monthlyIncome: '5100' },
      ...{ pepSelf: true, pepRelated: false, pepOffice: OFFICE },
    });
    const before = await profileOf(ended.customerId);
    expect(before).toMatchObject({ monthlyIncome: 5_100, pepOffice: OFFICE, email: 'j***@example.com' });
    const path = `/operator/customers/${ended.customerId}`;
    const asked = await officer.post(`${path}/erase`).send({ reason: WHY }).expect(202);
    await approve(second, asked);
    await waitOut(t, (asked.body as { data: { id: string } }).data);
    await t.app
      .get(UnitOfWork)
      .run(system('privacy.erasure'), (tx) => t.app.get(SubjectKeys).destroyRequested(tx, 0));
    await eventually('the keys are forgotten', async () => {
      const evidence = dataOf(
        await analyst.get(`/operator/kyc-sessions/${ended.reference}/evidence`).expect(200),
      );
      return evidence.erased && Object.values(answersIn(evidence)).every(({ text }) => text === null);
    });
    expect(await profileOf(ended.customerId)).toBeNull();
    const own = dataOf(await officer.get(`${path}/subject-export`).expect(200));
    expect(own).toMatchObject({ declared: [], sessions: [] });
  });
});
