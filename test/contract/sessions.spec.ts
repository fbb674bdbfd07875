import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { scopes } from '../../src/http/index.js';
import { WebhookEndpoints } from '../../src/webhooks/index.js';
import { ExpirySweep } from '../../src/sessions/expiry-sweep.js';
import { detailsOf, expectError, keysOf } from '../support/answers.js';
import type { TestApi, TestClient, TestOperator } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { CPF } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { aPicture } from '../support/files.js';
import { WebhookReceiver, type Delivery } from '../support/receiver.js';

/** A flow without files, so that what is tested here needs none. */
const FORM_FLOW = {
  name: { 'pt-BR': 'Dados', en: 'Data', es: 'Datos' },
  expiresInMinutes: 60,
  minimumAge: 18,
  steps: [
    {
      id: 'welcome',
      type: 'INFO',
      title: { 'pt-BR': 'Olá', en: 'Hello' },
      required: false,
      text: { 'pt-BR': 'Vamos começar.', en: 'Let us begin.' },
    },
    {
      id: 'privacy',
      type: 'CONSENT',
      title: { 'pt-BR': 'Privacidade', en: 'Privacy' },
      required: true,
      text: { 'pt-BR': 'Aviso', en: 'Notice' },
      noticeVersion: '1',
    },
    {
      id: 'person',
      type: 'DATA_FORM',
      title: { 'pt-BR': 'Você', en: 'You' },
      required: true,
      fields: [
        { id: 'name', type: 'TEXT', label: { 'pt-BR': 'Nome', en: 'Name' }, required: true, minLength: 3 },
        { id: 'cpf', type: 'CPF', label: { 'pt-BR': 'CPF', en: 'CPF' }, required: true },
        { id: 'birthDate', type: 'DATE', label: { 'pt-BR': 'Nascimento', en: 'Birth' }, required: true },
      ],
    },
    {
      id: 'pep',
      type: 'QUESTIONNAIRE',
      title: { 'pt-BR': 'PEP', en: 'PEP' },
      required: true,
      questions: [
        { id: 'pepSelf', type: 'BOOLEAN', label: { 'pt-BR': 'É PEP?', en: 'PEP?' }, required: true },
        {
          id: 'pepRelated',
          type: 'BOOLEAN',
          label: { 'pt-BR': 'Parente?', en: 'Relative?' },
          required: true,
        },
        {
          id: 'pepOffice',
          type: 'TEXT',
          label: { 'pt-BR': 'Qual cargo?', en: 'Which office?' },
          required: true,
          showIf: { answer: 'pepSelf', equals: true },
        },
      ],
    },
  ],
  requiredChecks: ['TAX_ID', 'PROFILE', 'AGE', 'PEP_DECLARATION', 'LISTS'],
} as const;

const WHOLE = {
  privacy: true,
  name: 'Maria Exemplo',
  cpf: CPF.customer,
  birthDate: '1980-05-17',
  pepSelf: false,
  pepRelated: false,
};

let t: TestApp;
let receiver: WebhookReceiver;
let client: TestClient;
let officer: TestOperator;
let api: TestApi;
let operator: TestApi;

beforeAll(async () => {
  t = await startTestApp({
    settings: {
      rateLimitSessionPerMinute: 100_000,
      rateLimitCompletePerMinute: 100_000,
      sessionSweepMs: 3_600_000,
    },
  });
  receiver = await WebhookReceiver.listen();
  client = await t.client({ scopes });
  const { organisationId, id: clientAppId } = client;
  const actor = { type: 'operator', id: 'test' } as const;
  await t.app.get(WebhookEndpoints).create({ organisationId, clientAppId, url: receiver.url, actor });
  officer = await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId });
  api = t.api;
  operator = t.api.asOperator(officer);
  await operator
    .post('/operator/flows')
    .send({ key: 'form', ...FORM_FLOW })
    .expect(201);
}, 60_000);

afterAll(async () => {
  await t.close();
  await receiver.close();
});

interface Link {
  readonly sessionId: string;
  readonly url: string;
  readonly expiresAt: string;
  readonly reference: string;
}

async function aLink(body: object = {}): Promise<Link> {
  const answer = await operator
    .post('/operator/kyc-sessions')
    .send({ flowKey: 'form', ...body })
    .expect(201);
  return (answer.body as { data: Link }).data;
}

const events = (sessionId: string, type: string): readonly Delivery[] =>
  receiver.deliveries.filter(({ event }) => event.type === type && event.data['sessionId'] === sessionId);

const complete = (sessionId: string, userData: object = WHOLE) =>
  api.post(`/kyc-sessions/${sessionId}/complete`).send({ userData });

async function ended(reference: string): Promise<Record<string, unknown>> {
  return eventually('the session is over', async () => {
    const { body } = await operator.get(`/operator/kyc-sessions/${reference}`).expect(200);
    const { data } = body as { data: Record<string, unknown> };
    return (data['status'] === 'COMPLETED' || data['status'] === 'EXPIRED') && data;
  });
}

const overdue = (reference: string): Promise<unknown> =>
  t.owner.query(
    `UPDATE kyc_sessions SET expires_at = clock_timestamp() - interval '1 second' WHERE id = $1::uuid`,
    [reference.slice(4)],
  );

describe('making a link', () => {
  it('answers 201 with session id, url and expiry, and announces the session', async () => {
    const link = await aLink({ externalCustomerId: 'customer-1', expiresInMinutes: 30 });
    expect(keysOf(link)).toEqual(['expiresAt', 'reference', 'sessionId', 'url']);
    expect(link.sessionId).toMatch(/^ses_[A-Za-z0-9_-]{43}$/);
    expect(link.url).toMatch(new RegExp(`/verify/${link.sessionId}$`));
    expect(Math.abs(Date.parse(link.expiresAt) - Date.now() - 30 * 60_000)).toBeLessThan(5_000);
    const [created] = await eventually('session.created', () => {
      const found = events(link.sessionId, 'session.created');
      return found.length > 0 && found;
    });
    expect(created?.event.data).toEqual({
      sessionId: link.sessionId,
      status: 'PENDING',
      flowName: 'Dados',
      customerId: expect.stringMatching(/^cus_[0-9a-f]{32}$/),
      trigger: 'OPERATOR',
      expiresAt: link.expiresAt,
    });
  });
});

describe('GET /kyc-sessions/:id/public', () => {
  it('is a bare object with the steps, the flow name and the branding', async () => {
    const { sessionId } = await aLink();
    const answer = await api.get(`/kyc-sessions/${sessionId}/public?lang=en`).expect(200);
    expect(keysOf(answer.body)).toEqual([
      'branding',
      'currentStepId',
      'expiresAt',
      'flowName',
      'progress',
      'status',
      'steps',
    ]);
    expect(answer.body).toMatchObject({
      flowName: 'Data',
      branding: { name: 'Loja Exemplo', logoUrl: 'https://loja.example/logo.svg', primaryColor: '#0B5FFF' },
      status: 'PENDING',
      currentStepId: 'welcome',
      progress: { done: 0, total: 3 },
    });
    const { steps } = answer.body as { steps: { id: string; order: number }[] };
    expect(steps.map(({ id, order }) => `${order} ${id}`)).toEqual([
      '1 welcome',
      '2 privacy',
      '3 person',
      '4 pep',
    ]);
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['content-language']).toBe('en');
  });
});

describe('POST /kyc-sessions/:id/complete', () => {
  it('answers 202, then 200 for the same body, then 409 for another one', async () => {
    const { sessionId, reference } = await aLink();
    const first = await complete(sessionId).expect(202);
    expect(first.body).toEqual({
      data: { sessionId, status: 'PROCESSING', submittedAt: expect.any(String) },
      error: null,
    });
    expect((await complete(sessionId).expect(200)).body).toEqual(first.body);
    expectError(await complete(sessionId, { ...WHOLE, pepRelated: true }), 409, 'SESSION_ALREADY_SUBMITTED');
    expect(await ended(reference)).toMatchObject({ status: 'COMPLETED', statusReason: 'CHECKED' });
  });

  it('names the required steps that are missing', async () => {
    const { sessionId } = await aLink();
    const error = expectError(await complete(sessionId, { name: 'Maria Exemplo' }), 400, 'STEPS_INCOMPLETE');
    expect(detailsOf(error)).toEqual([
      'steps.pep.pepRelated REQUIRED',
      'steps.pep.pepSelf REQUIRED',
      'steps.person.birthDate REQUIRED',
      'steps.person.cpf REQUIRED',
      'steps.privacy CONSENT_MISSING',
    ]);
  });

  it('is refused with 410 once the time is over, and the sweep says so', async () => {
    const { sessionId, reference } = await aLink();
    await overdue(reference);
    expectError(await complete(sessionId), 410, 'SESSION_EXPIRED');
    expect((await api.get(`/kyc-sessions/${sessionId}/public`).expect(200)).body).toEqual({
      steps: [],
      flowName: 'Dados',
      branding: expect.any(Object),
      status: 'EXPIRED',
    });
    await t.app.get(ExpirySweep).sweep();
    expect(await ended(reference)).toMatchObject({ status: 'EXPIRED', statusReason: 'TIMEOUT' });
  });
});

describe('POST /kyc-sessions/:id/upload', () => {
  it('answers 201 for a new file, 200 for the same again, and marks the step', async () => {
    const { sessionId } = await aLink({ flowKey: 'onboarding-pf' });
    const front = await aPicture(800, 600, 7).jpeg().toBuffer();
    const send = (stepId: string) =>
      api
        .post(`/kyc-sessions/${sessionId}/upload`)
        .field('stepId', stepId)
        .field('documentType', 'PASSPORT')
        .field('side', 'FRONT')
        .attach('file', front, { filename: 'front.jpg', contentType: 'image/jpeg' });
    const first = await send('document').expect(201);
    expect(first.body).toEqual({
      data: {
        artifactId: expect.stringMatching(/^art_[0-9a-f]{32}$/),
        stepId: 'document',
        kind: 'DOCUMENT',
        side: 'FRONT',
        mimeType: 'image/jpeg',
        sizeBytes: front.length,
        sha256: createHash('sha256').update(front).digest('hex'),
        linked: true,
        receivedAt: expect.any(String),
      },
      error: null,
    });
    expect((await send('document').expect(200)).body).toEqual(first.body);
    const { body } = await api.get(`/kyc-sessions/${sessionId}/public`).expect(200);
    const { steps } = body as { steps: { id: string; status: string; attempts: number }[] };
    expect(steps.find(({ id }) => id === 'document')).toMatchObject({ status: 'DONE', attempts: 1 });
    expectError(await send('person'), 400, 'VALIDATION_FAILED');
  });

  it('refuses what is no photo or PDF, and says so in the step', async () => {
    const { sessionId } = await aLink({ flowKey: 'onboarding-pf' });
    const answer = await api
      .post(`/kyc-sessions/${sessionId}/upload`)
      .attach('file', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'x.svg');
    expectError(answer, 415, 'FILE_TYPE_UNSUPPORTED');
    const { body } = await api.get(`/kyc-sessions/${sessionId}/public?lang=en`).expect(200);
    const { steps } = body as { steps: { id: string; lastRejection: { code: string } | null }[] };
    expect(steps.find(({ id }) => id === 'document')?.lastRejection?.code).toBe('FILE_TYPE_UNSUPPORTED');
  });
});
