import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { scopes } from '../../src/platform/http/index.js';
import { WebhookEndpointsService } from '../../src/features/webhooks/index.js';
import { UnitOfWork } from '../../src/platform/database/index.js';
import { publicId, uuidOf } from '../../src/platform/kernel/index.js';
import { SessionWorkRepository } from '../../src/features/sessions/store/session-work.repository.js';
import { ExpirySweepService } from '../../src/features/sessions/outcome/expiry-sweep.service.js';
import { detailsOf, expectError, keysOf } from '../support/answers.js';
import type { TestApi, TestClient, TestOperator } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { approve } from '../support/approvals.js';
import { CPF, PERSON_ANSWERS } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { aPicture } from '../support/files.js';
import { HEIC } from '../support/hostile-files.js';
import { aDocument } from '../support/made-pdfs.js';
import { withFlow } from '../support/flows.js';
import { later } from '../support/needs.js';
import { WebhookReceiver, type Delivery } from '../support/receiver.js';
import { storedEvents } from '../support/stored-events.js';

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
  await t.app.get(WebhookEndpointsService).create({ organisationId, clientAppId, url: receiver.url, actor });
  officer = await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId });
  api = t.api;
  operator = t.api.asOperator(officer);
  await withFlow(t, organisationId, { key: 'form', ...FORM_FLOW });
});

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

const complete = (sessionId: string, userData: object = PERSON_ANSWERS) =>
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
    // ASVS 11.5.1
    const before = Date.now();
    const link = await aLink({ externalCustomerId: 'customer-1', expiresInMinutes: 30 });
    const after = Date.now();
    expect(keysOf(link)).toEqual(['expiresAt', 'reference', 'sessionId', 'url']);
    expect(link.sessionId).toMatch(/^ses_[A-Za-z0-9_-]{43}$/);
    expect(link.url).toMatch(new RegExp(`/verify/${link.sessionId}$`));
    const madeAt = Date.parse(link.expiresAt) - 30 * 60_000;
    expect([madeAt >= before - 1_000, madeAt <= after + 1_000]).toEqual([true, true]);
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
    // ASVS 2.3.1
    const { sessionId, reference } = await aLink();
    const first = await complete(sessionId).expect(202);
    expect(first.body).toEqual({
      data: { sessionId, status: 'PROCESSING', submittedAt: expect.any(String) },
      error: null,
    });
    expect((await complete(sessionId).expect(200)).body).toEqual(first.body);
    expectError(
      await complete(sessionId, { ...PERSON_ANSWERS, pepRelated: true }),
      409,
      'SESSION_ALREADY_SUBMITTED',
    );
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
    await t.app.get(ExpirySweepService).sweep();
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

  it('takes one file for both sides and as selfie, each of them once', async () => {
    const { sessionId } = await aLink({ flowKey: 'onboarding-pf' });
    // One scan of both sides, or the wrong picture twice: either way it is where the person sent it.
    const scan = await aPicture(800, 600, 8).jpeg().toBuffer();
    const send = async (fields: Record<string, string>): Promise<[number, string]> => {
      const { status, body } = await api
        .post(`/kyc-sessions/${sessionId}/upload`)
        .field(fields)
        .attach('file', scan, { filename: 'scan.jpg', contentType: 'image/jpeg' });
      return [status, (body as { data: { artifactId: string } }).data.artifactId];
    };
    const licence = { stepId: 'document', documentType: 'CNH' };
    const places = [{ ...licence, side: 'FRONT' }, { ...licence, side: 'BACK' }, { stepId: 'selfie' }];
    const ids: string[] = [];
    for (const place of places) {
      const [status, id] = await send(place);
      expect(status).toBe(201);
      expect(await send(place)).toEqual([200, id]);
      ids.push(id);
    }
    expect(new Set(ids).size).toBe(3);
    const { body } = await api.get(`/kyc-sessions/${sessionId}/public`).expect(200);
    const { steps } = body as { steps: { id: string; status: string; attempts: number }[] };
    expect(steps.filter(({ attempts }) => attempts > 0)).toMatchObject([
      { id: 'document', status: 'DONE', attempts: 2 },
      { id: 'selfie', status: 'DONE', attempts: 1 },
    ]);
  });

  it('takes a file that was sent again without a step for the one it has, not for the next step', async () => {
    const { sessionId } = await aLink({ flowKey: 'onboarding-pf' });
    const picture = await aPicture(800, 600, 9).jpeg().toBuffer();
    const send = (side?: string) => {
      const request = api.post(`/kyc-sessions/${sessionId}/upload`);
      if (side !== undefined) request.field('side', side);
      return request.attach('file', picture, { filename: 'photo.jpg', contentType: 'image/jpeg' });
    };
    const first = await send('FRONT').expect(201);
    expect(first.body).toMatchObject({ data: { stepId: 'document', side: 'FRONT' } });
    expect((await send('FRONT').expect(200)).body).toEqual(first.body);
    expect((await send().expect(200)).body).toEqual(first.body);
    const back = await send('BACK').expect(201);
    expect((await send('BACK').expect(200)).body).toEqual(back.body);
  });

  it('answers linked: false when the dossier is not there, and a case asks an operator to link it', async () => {
    const { sessionId, reference } = await aLink({ flowKey: 'onboarding-pf' });
    const session = reference.slice(4);
    const customerOf = async (): Promise<string> => {
      const { rows } = await t.owner.query<{ id: string }>(
        'SELECT customer_id AS id FROM kyc_sessions WHERE id = $1::uuid',
        [session],
      );
      return rows[0]?.id ?? '';
    };
    const customerId = await customerOf();
    // A record that a restored backup has lost: no key of the database allows it otherwise.
    await t.owner.query(
      'ALTER TABLE kyc_sessions DROP CONSTRAINT kyc_sessions_customer_id_organisation_id_fkey',
    );
    await t.owner.query('UPDATE kyc_sessions SET customer_id = $2 WHERE id = $1::uuid', [
      session,
      randomUUID(),
    ]);
    const artifacts: string[] = [];
    for (const seed of [81, 82]) {
      const { body } = await api
        .post(`/kyc-sessions/${sessionId}/upload`)
        .attach('file', await aPicture(800, 600, seed).jpeg().toBuffer(), 'photo.jpg')
        .expect(201);
      const { data } = body as { data: { artifactId: string; linked: boolean } };
      expect(data.linked).toBe(false);
      artifacts.push(data.artifactId);
    }
    const tasks = await operator.get('/operator/reviews?kind=DATA_GAP&queue=data-quality').expect(200);
    expect((tasks.body as { data: unknown[] }).data).toMatchObject([
      { kind: 'DATA_GAP', status: 'OPEN', queue: 'data-quality', session: reference, customerId: null },
    ]);
    // The operator finds the dossier, and links the files to it.
    for (const id of artifacts) {
      const { body } = await operator.get(`/operator/artifacts/${id}`).expect(200);
      expect(body).toMatchObject({ data: { linked: false, unlinkedReason: 'CUSTOMER_NOT_FOUND' } });
      await operator
        .post(`/operator/artifacts/${id}/link`)
        .send({ customerId: publicId('cus', customerId) })
        .expect(200);
    }
    await t.owner.query('UPDATE kyc_sessions SET customer_id = $2 WHERE id = $1::uuid', [
      session,
      customerId,
    ]);
    await t.owner.query(
      `ALTER TABLE kyc_sessions
       ADD CONSTRAINT kyc_sessions_customer_id_organisation_id_fkey
         FOREIGN KEY (customer_id, organisation_id) REFERENCES customers`,
    );
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

describe('a selfie', () => {
  it('is a picture: a PDF is refused with words of its own, a HEIC photo with what to do', async () => {
    const { sessionId } = await aLink({ flowKey: 'onboarding-pf' });
    const send = (file: Buffer, step: string) =>
      api.post(`/kyc-sessions/${sessionId}/upload`).field('stepId', step).attach('file', file, 'x.pdf');
    const rejection = async (step: string): Promise<unknown> => {
      const { body } = await api.get(`/kyc-sessions/${sessionId}/public?lang=en`).expect(200);
      const { steps } = body as { steps: { id: string; lastRejection: unknown }[] };
      return steps.find(({ id }) => id === step)?.lastRejection;
    };
    const document = await send(aDocument(), 'document');
    expect(document.status).toBe(201);
    // The back of the document, and again: without a step a PDF goes past the selfie.
    for (const title of ['/Title (back)', '/Title (another)']) {
      const file = aDocument([], { info: title });
      const answer = await api.post(`/kyc-sessions/${sessionId}/upload`).attach('file', file, 'x');
      expect((answer.body as { data: { stepId: string } }).data.stepId).not.toBe('selfie');
      expect(answer.status).toBe(201);
    }
    const selfie = await send(aDocument(), 'selfie');
    expectError(selfie, 415, 'FILE_TYPE_UNSUPPORTED');
    expect(selfie.body).toMatchObject({ error: { details: [{ path: 'file', code: 'PICTURE_REQUIRED' }] } });
    expect(await rejection('selfie')).toEqual({
      code: 'PICTURE_REQUIRED',
      message: 'A photo (JPEG, PNG, WebP) is needed here, not a PDF.',
    });
    const heic = await send(HEIC, 'selfie');
    expectError(heic, 415, 'FILE_TYPE_UNSUPPORTED');
    expect(await rejection('selfie')).toMatchObject({
      code: 'HEIC',
      message: expect.stringContaining('JPEG'),
    });
  });
});

describe('who may make and see sessions', () => {
  it('an application needs the scope sessions:create, which none has by itself', async () => {
    const without = await t.client({ scopes: ['kyt:ingest', 'sessions:read'] });
    expectError(
      await api.as(without).post('/kyc-sessions').send({ flowKey: 'step-up' }),
      403,
      'SCOPE_INSUFFICIENT',
    );
    const made = await api.as(client).post('/kyc-sessions').send({ flowKey: 'form' }).expect(201);
    const { reference, sessionId } = (made.body as { data: Link }).data;
    const seen = await api.as(client).get(`/kyc-sessions/${sessionId}`).expect(200);
    expect(seen.body).toMatchObject({ data: { reference, trigger: 'API', status: 'PENDING' } });
    expectError(await api.as(without).get(`/kyc-sessions/${reference}`), 404, 'SESSION_NOT_FOUND');
  });

  it('an auditor sees the session and not the link that opens it', async () => {
    const { reference } = await aLink();
    const { organisationId } = client;
    const auditor = t.api.asOperator(await t.operator({ roles: ['AUDITOR'], organisationId }));
    const { body } = await auditor.get(`/operator/kyc-sessions/${reference}`).expect(200);
    expect(body).toMatchObject({ data: { reference, sessionId: null, url: null } });
  });

  it('a customer is read by id, without name and full document', async () => {
    const { reference, sessionId } = await aLink({ externalCustomerId: 'customer-9' });
    await complete(sessionId, { ...PERSON_ANSWERS, cpf: CPF.payee }).expect(202);
    const { customerId } = await ended(reference);
    const { body } = await api
      .as(client)
      .get(`/customers/${String(customerId)}`)
      .expect(200);
    expect(body).toEqual({
      data: {
        customerId,
        externalCustomerId: 'customer-9',
        externalCustomerIds: ['customer-9'],
        documentMasked: '***.444.777-**',
        personType: 'NATURAL',
        assurance: 'DOCUMENT',
        identifiedAt: expect.any(String),
      },
      error: null,
    });
  });
});

describe('ids that open nothing', () => {
  it.each([
    'ses_short',
    `ses_${'A'.repeat(43)}`,
    'kys_019364d0c0de7000a000000000000001',
    '%00',
    'ses_..%2F..',
  ])('%s is answered as any unknown one, on every endpoint', async (id) => {
    expectError(await api.get(`/kyc-sessions/${id}/public`), 404, 'SESSION_NOT_FOUND');
    expectError(await complete(id), 404, 'SESSION_NOT_FOUND');
    expectError(
      await api.post(`/kyc-sessions/${id}/upload`).attach('file', Buffer.from('x'), 'x.png'),
      404,
      'SESSION_NOT_FOUND',
    );
  });

  later('are not hit by guessing', async () => {
    const guess = () => api.get(`/kyc-sessions/ses_${randomBytes(32).toString('base64url')}/public`);
    for (let round = 0; round < 10; round += 1) {
      const answers = await Promise.all(Array.from({ length: 50 }, guess));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    }
  });

  it('stand in no log line, whatever was done with the session', () => {
    // Every test of this file has used ids; the collector of the suite looks for their form as well.
    expect(t.log.join('')).not.toMatch(/ses_[A-Za-z0-9_-]{20}/);
  });
});

describe('going on later', () => {
  it('keeps each step, shows nothing of it, and submits what was kept', async () => {
    const { sessionId } = await aLink();
    const save = (step: string, userData: object) =>
      api.call('put', `/kyc-sessions/${sessionId}/steps/${step}`).send({ userData });
    await save('privacy', { privacy: true }).expect(200);
    expectError(await save('person', { name: 'Maria Exemplo' }), 400, 'STEPS_INCOMPLETE');
    expectError(await save('person', { name: 'Maria Exemplo', pepSelf: true }), 400, 'VALIDATION_FAILED');
    expectError(await save('person', { cpf: '12345678900' }), 400, 'VALIDATION_FAILED');
    expectError(await save('nothing', {}), 404, 'STEP_NOT_FOUND');
    const { name, cpf, birthDate } = PERSON_ANSWERS;
    const saved = await save('person', { name, cpf, birthDate }).expect(200);
    expect(saved.text).not.toContain(name);
    expect(saved.text).not.toContain(cpf);
    expect(saved.body).toMatchObject({ data: { currentStepId: 'pep', progress: { done: 2, total: 3 } } });
    await save('pep', { pepSelf: false, pepRelated: false }).expect(200);
    await complete(sessionId, {}).expect(202);
    expectError(await save('privacy', { privacy: true }), 409, 'SESSION_ALREADY_SUBMITTED');
    const view = await api.get(`/kyc-sessions/${sessionId}/public`).expect(200);
    expect(view.body).toMatchObject({ steps: [] });
  });
});

describe('ending a session', () => {
  it('cancelled by an operator: EXPIRED, announced, and gone for whoever has the link', async () => {
    const { sessionId, reference } = await aLink();
    const answer = await operator.post(`/operator/kyc-sessions/${reference}/cancel`).expect(200);
    expect(answer.body).toMatchObject({ data: { status: 'EXPIRED', statusReason: 'CANCELLED' } });
    expectError(await complete(sessionId), 410, 'SESSION_EXPIRED');
    expectError(await operator.post(`/operator/kyc-sessions/${reference}/cancel`), 409, 'STATE_CONFLICT');
    const [over] = await eventually('session.completed', () => {
      const found = events(sessionId, 'session.completed');
      return found.length > 0 && found;
    });
    expect(over?.event.data).toEqual({
      sessionId,
      status: 'EXPIRED',
      customerId: expect.any(String),
      completedAt: expect.any(String),
    });
  });

  it('another attempt is linked to the one before and keeps its customer', async () => {
    const first = await aLink({ externalCustomerId: 'customer-again' });
    const body = { previousSessionId: first.reference };
    expectError(
      await operator.post('/operator/kyc-sessions').send({ flowKey: 'form', ...body }),
      409,
      'STATE_CONFLICT',
    );
    await operator.post(`/operator/kyc-sessions/${first.reference}/cancel`).expect(200);
    const second = await aLink(body);
    const one = (reference: string) => operator.get(`/operator/kyc-sessions/${reference}`).expect(200);
    const [before, after] = [await one(first.reference), await one(second.reference)];
    const { customerId } = (before.body as { data: { customerId: string } }).data;
    expect(after.body).toMatchObject({
      data: { attempt: 2, previousReference: first.reference, customerId },
    });
  });

  it('200 submissions at once have one effect', async () => {
    const { sessionId, reference } = await aLink();
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        complete(
          sessionId,
          i % 2 === 0 ? PERSON_ANSWERS : { ...PERSON_ANSWERS, pepRelated: true, pepOffice: undefined },
        ),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(1);
    expect([...new Set(statuses)].sort()).toEqual([200, 202, 409]);
    await ended(reference);
    await eventually('session.completed', () => events(sessionId, 'session.completed').length > 0);
    const { rows } = await t.owner.query(
      `SELECT action FROM audit_entries WHERE subject_type = 'session' AND subject_id::uuid = $1::uuid
       ORDER BY subject_seq`,
      [reference.slice(4)],
    );
    expect(rows.map(({ action }: { action: string }) => action)).toEqual([
      'session.created',
      'session.submitted',
      'session.completed',
    ]);
    expect(events(sessionId, 'session.completed')).toHaveLength(1);
  });

  it('the sweep and a late submission never both win', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { sessionId, reference } = await aLink();
      await t.owner.query(
        `UPDATE kyc_sessions SET expires_at = clock_timestamp() + interval '25 milliseconds' WHERE id = $1::uuid`,
        [reference.slice(4)],
      );
      const sweeping = (async () => {
        for (let i = 0; i < 10; i += 1) await t.app.get(ExpirySweepService).sweep();
      })();
      const late = await Promise.all(Array.from({ length: 5 }, () => complete(sessionId)));
      await sweeping;
      await t.app.get(ExpirySweepService).sweep();
      const { status } = await ended(reference);
      const won = late.some((answer) => answer.status === 202);
      expect(status).toBe(won ? 'COMPLETED' : 'EXPIRED');
      expect(late.filter((answer) => answer.status === 202).length).toBe(won ? 1 : 0);
    }
  });

  it('an overtaken worker changes nothing: the fence decides', async () => {
    const { sessionId, reference } = await aLink();
    const work = t.app.get(SessionWorkRepository);
    const id = uuidOf('kys', reference);
    if (id === null) throw new Error('a reference that is none');
    await complete(sessionId).expect(202);
    await ended(reference);
    // As it was when a worker died before its commit, and another one had taken the lease since.
    await t.owner.query(
      `INSERT INTO kyc_session_work (session_id, organisation_id, fence) VALUES ($1, $2, 7)`,
      [id, client.organisationId],
    );
    const overtaken = { sessionId: id, organisationId: client.organisationId, fence: '6', attempts: 1 };
    const done = await t.app.get(UnitOfWork).run(client.organisationId, (tx) => work.finish(tx, overtaken));
    expect(done).toBe(false);
    await t.owner.query(`DELETE FROM kyc_session_work WHERE session_id = $1`, [id]);
  });
});

describe('flows', () => {
  it('names every place that is wrong', async () => {
    const [welcome, privacy, person, pep] = FORM_FLOW.steps;
    const answer = await operator.post('/operator/flows').send({
      ...FORM_FLOW,
      key: 'wrong',
      reason: 'Nothing in it is right.',
      expiresInMinutes: 1,
      steps: [
        { ...welcome, required: true },
        { ...privacy, title: { en: 'Privacy' } },
        { ...person, fields: [{ ...person.fields[0], type: 'DATE' }, person.fields[1], person.fields[1]] },
        { ...pep, showIf: { answer: 'later', equals: true }, id: 'person', surprise: 1 },
      ],
      requiredChecks: ['TAX_ID', 'TAX_ID', 'NOTHING'],
    });
    expect(detailsOf(expectError(answer, 400, 'VALIDATION_FAILED'))).toEqual([
      'expiresInMinutes TOO_SMALL',
      'requiredChecks ITEMS_NOT_UNIQUE',
      'requiredChecks[2] VALUE_NOT_ALLOWED',
      'steps[0].required VALUE_NOT_ALLOWED',
      'steps[1].title.pt-BR REQUIRED',
      'steps[2].fields[0].type VALUE_NOT_ALLOWED',
      'steps[2].fields[2].id NOT_UNIQUE',
      'steps[3].id NOT_UNIQUE',
      'steps[3].showIf.answer NOT_ASKED_BEFORE',
      'steps[3].surprise UNKNOWN_FIELD',
    ]);
  });

  it('takes a next version of a shipped flow, with the members that every flow has and no other', async () => {
    const { body } = await operator.get('/operator/flows/minimal').expect(200);
    const { definition } = (body as { data: { definition: { steps: object[] } } }).data;
    const privacy = FORM_FLOW.steps[1];
    const next = { ...FORM_FLOW, requiredChecks: [], steps: [privacy, ...definition.steps] };
    const path = '/operator/flows/minimal/versions';
    const reason = 'The notice of privacy comes first.';
    const asked = await operator
      .post(path)
      .send({ ...next, reason })
      .expect(202);
    expect(asked.body).toMatchObject({ data: { after: { stepsAdded: ['privacy'], definition: next } } });
    const wrong = { subject: 'NOBODY', providers: { DOCUMENT: 'acme' }, resubmitOn: [{ step: 'selfie' }] };
    const refused = await operator.post(path).send({ ...next, ...wrong, reason });
    expect(detailsOf(expectError(refused, 400, 'VALIDATION_FAILED'))).toEqual([
      'providers.DOCUMENT TYPE_INVALID',
      'resubmitOn[0].check REQUIRED',
      'resubmitOn[0].message REQUIRED',
      'subject VALUE_NOT_ALLOWED',
    ]);
  });

  it('a new version is for new sessions only', async () => {
    await withFlow(t, officer.organisationId, { ...FORM_FLOW, key: 'versions' });
    const old = await aLink({ flowKey: 'versions' });
    const named = { ...FORM_FLOW, name: { 'pt-BR': 'Outros dados' } };
    const path = '/operator/flows/versions/versions';
    const reason = 'Another name for the same questions.';
    const asked = await operator
      .post(path)
      .send({ ...named, reason })
      .expect(202);
    expect(asked.body).toMatchObject({
      data: { act: 'flow.publish', reason, before: { version: 1 }, after: { version: 2, definition: named } },
    });
    const { body: still } = await operator.get('/operator/flows/versions').expect(200);
    expect(still).toMatchObject({ data: { version: 1 } });
    const { organisationId } = officer;
    const second = await t.operator({ roles: ['ADMIN'], organisationId });
    await approve(t.api.asOperator(second), asked);
    const { body: published } = await operator.get('/operator/flows/versions').expect(200);
    expect(published).toMatchObject({
      data: { version: 2, createdBy: `operator:${publicId('opr', officer.id)}` },
    });
    const again = await operator.post(path).send({ ...named, reason });
    expect(detailsOf(expectError(again, 409, 'STATE_CONFLICT'))).toEqual(['UNCHANGED']);
    const taken = await operator.post('/operator/flows').send({ ...named, key: 'versions', reason });
    expect(detailsOf(expectError(taken, 409, 'STATE_CONFLICT'))).toEqual(['key TAKEN']);
    const flowName = async ({ sessionId }: Link): Promise<unknown> =>
      ((await api.get(`/kyc-sessions/${sessionId}/public`).expect(200)).body as { flowName: string })
        .flowName;
    expect(await flowName(old)).toBe('Dados');
    expect(await flowName(await aLink({ flowKey: 'versions' }))).toBe('Outros dados');
  });
});

it('every event that these sessions led to fits its published schema', async () => {
  const { types, violations } = await storedEvents(t);
  expect(violations).toEqual([]);
  expect([...types.keys()]).toEqual(expect.arrayContaining(['session.created', 'session.completed']));
});
