import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { renderSVG } from 'uqr';
import { AuditTrail } from '../../src/audit/index.js';
import { publicId, uuidOf } from '../../src/kernel/index.js';
import { scopes } from '../../src/http/index.js';
import { RulesetsService } from '../../src/rules/index.js';
import { defaultFlows } from '../../src/sessions/domain/flow/default-flows.js';
import { SessionDecisions } from '../../src/sessions/outcome/session-decisions.service.js';
import { WebhookEndpoints } from '../../src/webhooks/index.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { approve } from '../support/approvals.js';
import { aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { aPicture } from '../support/files.js';
import { LISTED, withLists } from '../support/lists.js';
import { askingFrom, QUICK_FLOW } from '../support/page-flow.js';
import { WebhookReceiver } from '../support/receiver.js';

const SECRET = 'a secret that is shared with the provider';

type Behaviour = 'PASS' | 'FAIL' | 'UNSURE' | 'GARBAGE' | 'ERROR' | 'SLOW' | 'ENDLESS' | 'REDIRECT';

/** An institution's provider on a free port, behaving as the test says. */
class Provider {
  behaviour: Behaviour = 'PASS';
  readonly asked: {
    readonly path: string;
    readonly signed: boolean;
    readonly body: Record<string, unknown>;
  }[] = [];

  private constructor(private readonly server: Server) {}

  static async listen(): Promise<Provider> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks);
        const at = String(request.headers['x-vigia-timestamp']);
        const expected = createHmac('sha256', SECRET).update(`${at}.`).update(body).digest('hex');
        provider.asked.push({
          path: request.url ?? '',
          signed: request.headers['x-vigia-signature'] === `v1=${expected}`,
          body: JSON.parse(body.toString('utf8')) as Record<string, unknown>,
        });
        const json = (value: object): unknown =>
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
        switch (provider.behaviour) {
          case 'PASS':
          case 'UNSURE':
            return json({ verdict: provider.behaviour });
          case 'FAIL':
            return json({ verdict: 'FAIL', reason: 'NOT_THE_SAME_PERSON' });
          case 'GARBAGE':
            return response.writeHead(200).end('<html>');
          case 'ERROR':
            return response.writeHead(500).end();
          case 'REDIRECT':
            return response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
          case 'ENDLESS':
            return response.writeHead(200).end('x'.repeat(200_000));
          case 'SLOW':
            return undefined;
        }
      });
    });
    const provider = new Provider(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return provider;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

interface Evidence {
  readonly name: string;
  readonly state: string;
  readonly reason: string | null;
  readonly required: boolean;
}

interface Ended {
  readonly status: string;
  readonly customerId: string;
  readonly reference: string;
  readonly decision: { readonly outcome: string; readonly by: string } | null;
  readonly result: {
    readonly outcome: string;
    readonly riskScore?: number;
    readonly composition: string;
    readonly defensible: boolean;
    readonly nonDefensibleReasons: readonly string[];
    readonly evidence: readonly Evidence[];
  } | null;
}

let t: TestApp;
let bare: TestApp;
let provider: Provider;
let receiver: WebhookReceiver;
let client: TestClient;
let operator: TestApi;

beforeAll(async () => {
  provider = await Provider.listen();
  receiver = await WebhookReceiver.listen();
  t = await startTestApp({
    settings: {
      checkDocumentUrl: `${provider.url}/document`,
      checkFaceMatchUrl: `${provider.url}/face`,
      checkLivenessUrl: `${provider.url}/liveness`,
      checkProviderSecret: SECRET,
      checkProviderTimeoutMs: 400,
      rateLimitSessionPerMinute: 100_000,
    },
  });
  client = await t.client({ scopes });
  const { organisationId, id: clientAppId } = client;
  const actor = { type: 'operator', id: 'test' } as const;
  await t.app.get(WebhookEndpoints).create({ organisationId, clientAppId, url: receiver.url, actor });
  operator = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
  await withLists(t, organisationId);
  const steps = defaultFlows['onboarding-pf']?.steps.filter(
    ({ type }) => type === 'CONSENT' || type === 'DATA_FORM' || type === 'QUESTIONNAIRE',
  );
  const requiredChecks = ['TAX_ID', 'PROFILE', 'AGE', 'PEP_DECLARATION', 'LISTS'];
  await operator
    .post('/operator/flows')
    .send({ ...defaultFlows['onboarding-pf'], key: 'said', steps, requiredChecks })
    .expect(201);
});

afterAll(async () => {
  await t.close();
  await bare.close();
  await provider.close();
  await receiver.close();
});

beforeEach(() => {
  provider.behaviour = 'PASS';
  provider.asked.length = 0;
});

/** CPFs with right check digits, a new one each time. */
let next = 100_000_000;
function aCpf(): string {
  next += 7_919;
  const base = String(next);
  const digit = (text: string): number => {
    const sum = [...text].reduce((total, one, i) => total + Number(one) * (text.length + 1 - i), 0);
    return sum % 11 < 2 ? 0 : 11 - (sum % 11);
  };
  const first = digit(base);
  return `${base}${first}${digit(`${base}${first}`)}`;
}

const person = (fields: object = {}): Record<string, unknown> => ({
  privacy: true,
  name: 'Ana Pessoa Ficticia',
  cpf: aCpf(),
  birthDate: '1980-05-17',
  ...fields,
});

const NO_PEP = { pepSelf: false, pepRelated: false };

interface Files {
  readonly document?: Buffer;
  readonly selfie?: Buffer;
}

let shade = 0;
/** A picture with as many edges as a card has, another one each time; and with a QR code, when it says something. */
const aPhoto = async (code?: string): Promise<Buffer> => {
  shade += 1;
  const lines = Array.from({ length: 60 }, (_, i) => {
    const [x, y] = [(i % 10) * 80, Math.floor(i / 10) * 105];
    return `<rect x="${x}" y="${y}" width="40" height="52" fill="rgb(${(i * 31 + shade) % 256},40,${(shade * 7) % 256})"/>
      <path d="M${x} ${y} l60 90 M${x + 20} ${y} l40 90" stroke="#222" stroke-width="3"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="630"><rect width="800" height="630" fill="#ddd"/>${lines.join('')}</svg>`;
  const photo = sharp(Buffer.from(svg));
  if (code !== undefined) {
    const input = await sharp(Buffer.from(renderSVG(code)))
      .resize(300, 300)
      .toBuffer();
    photo.composite([{ input, left: 480, top: 310 }]);
  }
  return photo.jpeg({ quality: 85 }).toBuffer();
};

async function open(
  flowKey: string,
  body: object = {},
  as = operator,
): Promise<{ sessionId: string; reference: string }> {
  const answer = await as
    .post('/operator/kyc-sessions')
    .send({ flowKey, ...body })
    .expect(201);
  return (answer.body as { data: { sessionId: string; reference: string } }).data;
}

async function send(on: TestApp, sessionId: string, stepId: string, file: Buffer): Promise<void> {
  await on.api
    .post(`/kyc-sessions/${sessionId}/upload`)
    .field('stepId', stepId)
    .attach('file', file, { filename: 'photo.jpg', contentType: 'image/jpeg' })
    .expect(201);
}

async function end(reference: string, as = operator): Promise<Ended> {
  return eventually('the session is over', async () => {
    const { body } = await as.get(`/operator/kyc-sessions/${reference}`).expect(200);
    const { data } = body as { data: Ended };
    return data.status === 'COMPLETED' && data;
  });
}

/** A whole onboarding. */
async function onboard(
  answers: Record<string, unknown>,
  files: Files = {},
  body: object = {},
): Promise<Ended> {
  const { sessionId, reference } = await open('onboarding-pf', body);
  await send(t, sessionId, 'document', files.document ?? (await aPhoto()));
  await send(t, sessionId, 'selfie', files.selfie ?? (await aPhoto()));
  await t.api.post(`/kyc-sessions/${sessionId}/complete`).send({ userData: answers }).expect(202);
  return end(reference);
}

/** A session that asks for no files. */
async function say(answers: Record<string, unknown>, body: object = {}): Promise<Ended> {
  const { sessionId, reference } = await open('said', body);
  await t.api.post(`/kyc-sessions/${sessionId}/complete`).send({ userData: answers }).expect(202);
  return end(reference);
}

const stateOf = (ended: Ended, name: string): string => {
  const found = ended.result?.evidence.find((one) => one.name === name);
  return `${found?.state ?? 'ABSENT'} ${found?.reason ?? ''}`.trim();
};

describe('a session in which everything is well', () => {
  it('is approved, defensible, with every component answered', async () => {
    const ended = await onboard(person(NO_PEP));
    expect(ended.result?.evidence.filter(({ state, required }) => required && state !== 'NO_HIT')).toEqual(
      [],
    );
    expect(ended.result).toMatchObject({
      outcome: 'APPROVED',
      riskScore: 0,
      composition: 'COMPLETE',
      defensible: true,
      nonDefensibleReasons: [],
    });
    expect(provider.asked.map(({ path, signed }) => `${path} ${signed}`).sort()).toEqual([
      '/document true',
      '/face true',
      '/liveness true',
    ]);
  });
});

describe('what the person says', () => {
  it.each([
    ['a person below the minimum age', { birthDate: '2015-01-01' }, 'AGE', 'HIT UNDER_AGE', 'REJECTED'],
    [
      'somebody politically exposed',
      { pepSelf: true, pepOffice: 'x' },
      'PEP_DECLARATION',
      'HIT PEP_DECLARED',
      'REVIEW',
    ],
    [
      'somebody related to one',
      { pepRelated: true, pepRelation: 'FAMILY' },
      'PEP_DECLARATION',
      'HIT PEP_RELATION_DECLARED',
      'REVIEW',
    ],
    ['a name on a sanctions list', { name: LISTED.sanctions }, 'LISTS', 'HIT SANCTIONS_HIT', 'REVIEW'],
  ])('%s', async (_, fields, name, state, outcome) => {
    const ended = await say(person({ ...NO_PEP, ...fields }));
    expect(stateOf(ended, name)).toBe(state);
    expect(ended.result?.outcome).toBe(outcome);
  });

  it('contradicts what was known: inconsistent, and never approved', async () => {
    const externalCustomerId = 'known-1';
    await say(person(NO_PEP), { externalCustomerId });
    const ended = await say(person({ ...NO_PEP, name: 'Outra Gente Diferente' }), { externalCustomerId });
    expect(stateOf(ended, 'PROFILE')).toBe('HIT DOCUMENT_DIFFERS');
    expect(ended.result).toMatchObject({ outcome: 'REVIEW', composition: 'INCONSISTENT', defensible: false });
  });

  it('names somebody who is a customer already: the session and its files are theirs', async () => {
    const cpf = aCpf();
    const first = await onboard(person({ ...NO_PEP, cpf }));
    const second = await onboard(person({ ...NO_PEP, cpf }));
    expect(second.customerId).toBe(first.customerId);
    expect(second.result?.outcome).toBe('APPROVED');
    const { rows } = await t.owner.query(
      `SELECT DISTINCT a.customer_id::text AS id FROM artifacts a
      JOIN kyc_sessions s ON s.id = a.owner_id WHERE s.customer_id = $1::uuid`,
      [first.customerId.slice(4)],
    );
    expect(rows.map(({ id }: { id: string }) => `cus_${id.replaceAll('-', '')}`)).toEqual([first.customerId]);
    // The record that was made for the second link went into that of the person.
    const { rows: merged } = await t.owner.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM customers WHERE merged_into = $1',
      [uuidOf('cus', first.customerId)],
    );
    expect(merged).toEqual([{ n: 1 }]);
  });
});

describe('a person decides about a session', () => {
  it('its outcome follows, once, with another event; what the checks found stays', async () => {
    const { organisationId } = client;
    const colleague = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
    const document = await aPicture(320, 240, 5).blur(12).jpeg().toBuffer();
    const ended = await onboard(person(NO_PEP), { document });
    expect(ended.result?.outcome).toBe('REVIEW');
    const { rows } = await t.owner.query<{ id: string; session: string }>(
      `SELECT id, session_ref AS session FROM reviews WHERE kind = 'SESSION' AND session_ref = $1`,
      [uuidOf('kys', ended.reference)],
    );
    expect(rows).toHaveLength(1);
    const { id: reviewId, session } = rows[0]!;
    const path = `/operator/reviews/${publicId('rev', reviewId)}`;
    const decision = {
      resolution: 'APPROVED',
      report: 'ARCHIVE',
      justification: 'The branch has seen the document.',
    };
    await approve(colleague, await operator.post(`${path}/decision`).send(decision).expect(202));
    const carriedOut = Array.from({ length: 5 }, () => t.app.get(SessionDecisions).carryOut([reviewId]));
    await Promise.all(carriedOut);
    const read = async (): Promise<Ended> => {
      const { body } = await operator.get(`/operator/kyc-sessions/${ended.reference}`).expect(200);
      return (body as { data: Ended }).data;
    };
    await eventually('the outcome follows', async () => (await read()).result?.outcome === 'APPROVED');
    const after = await read();
    expect(after.decision).toMatchObject({ outcome: 'APPROVED', by: 'PERSON' });
    expect(after.result).toEqual({ ...ended.result, outcome: 'APPROVED' });
    const stored = await t.owner.query<{ outcome: string; effects: number; decisions: number }>(
      `SELECT outcome, (SELECT count(*)::int FROM review_effects WHERE review_id = $2) AS effects,
              (SELECT count(*)::int FROM kyc_session_decisions WHERE session_id = $1) AS decisions
       FROM kyc_sessions WHERE id = $1`,
      [session, reviewId],
    );
    expect(stored.rows).toEqual([{ outcome: 'REVIEW', effects: 0, decisions: 1 }]);
    const about = await t.owner.query<{ sequence: number; type: string }>(
      `SELECT sequence, type FROM events WHERE resource_id = $1 ORDER BY sequence`,
      [session],
    );
    expect(about.rows).toEqual([
      { sequence: 1, type: 'session.created' },
      { sequence: 2, type: 'session.completed' },
      { sequence: 3, type: 'session.completed' },
    ]);
    const trail = () => t.app.get(AuditTrail).trailStatus({ organisationId, type: 'session', id: session });
    expect(await trail()).toMatchObject({ status: 'COMPLETE', length: 4 });
    // A change of the stored decision is found out.
    await t.owner.query(`UPDATE kyc_session_decisions SET outcome = 'REJECTED' WHERE session_id = $1`, [
      session,
    ]);
    expect((await trail()).status).not.toBe('COMPLETE');
    await t.owner.query(`UPDATE kyc_session_decisions SET outcome = 'APPROVED' WHERE session_id = $1`, [
      session,
    ]);
  });
});

describe('what the files say', () => {
  it('a blurred or small picture of a document is for a person to look at', async () => {
    const document = await aPicture(320, 240, 5).blur(12).jpeg().toBuffer();
    const ended = await onboard(person(NO_PEP), { document });
    expect(stateOf(ended, 'DOCUMENT_QUALITY')).toMatch(/^HIT .*LOW_RESOLUTION/);
    expect(ended.result?.outcome).toBe('REVIEW');
  });

  it('a code on the document that names its holder agrees; whatever else it says is never a pass', async () => {
    const cpf = aCpf();
    const withPoints = cpf.replace(/(...)(...)(...)(..)/, '$1.$2.$3-$4');
    const codeOf = async (document: Buffer): Promise<{ ended: Ended; state: string }> => {
      const ended = await onboard(person({ ...NO_PEP, cpf }), { document });
      return { ended, state: stateOf(ended, 'DOCUMENT_CODE') };
    };
    for (const text of [`https://example.test/cnh?cpf=${cpf}`, `DOC;${withPoints};1980`]) {
      const { ended, state } = await codeOf(await aPhoto(text));
      expect(state).toBe('NO_HIT CODE_AGREES');
      expect(ended.result?.outcome).toBe('APPROVED');
    }
    const stranger = await codeOf(await aPhoto(`https://example.test/cnh?cpf=${aCpf()}`));
    expect(stranger.state).toBe('HIT CODE_NAMES_SOMEBODY_ELSE');
    expect(stranger.ended.result).toMatchObject({ outcome: 'REVIEW', riskScore: 60 });
    // Eleven digits that are no CPF, and no digits at all.
    for (const text of ['12345678900', 'garbage \u0007 <script>']) {
      expect((await codeOf(await aPhoto(text))).state).toBe('PARTIAL CODE_NAMES_NOBODY');
    }
    expect((await codeOf(await aPhoto())).state).toBe('MISSING_INPUT NO_CODE_READ');
    // A code of which a thumb covers the middle cannot be read: that says nothing about its holder.
    const thumb = { create: { width: 190, height: 190, channels: 3, background: '#a86' } } as const;
    const covered = await sharp(await aPhoto(`https://example.test/cnh?cpf=${cpf}`))
      .composite([{ input: thumb, left: 535, top: 365 }])
      .jpeg()
      .toBuffer();
    expect((await codeOf(covered)).state).toBe('MISSING_INPUT NO_CODE_READ');
  });

  it('the same file in the dossier of somebody else is a hit', async () => {
    const document = await aPhoto();
    await onboard(person(NO_PEP), { document });
    const ended = await onboard(person(NO_PEP), { document });
    expect(stateOf(ended, 'DUPLICATE_ARTIFACT')).toBe('HIT SAME_FILE_OF_ANOTHER_CUSTOMER');
    expect(ended.result?.outcome).toBe('REVIEW');
  });

  it('a selfie that is the picture of the document is a hit', async () => {
    const picture = await aPhoto();
    const ended = await onboard(person(NO_PEP), { document: picture, selfie: picture });
    expect(stateOf(ended, 'DUPLICATE_ARTIFACT')).toBe('HIT SELFIE_IS_ANOTHER_FILE');
    expect(ended.result?.outcome).toBe('REVIEW');
  });
});

describe('providers', () => {
  it.each([
    ['FAIL', 'HIT NOT_THE_SAME_PERSON'],
    ['UNSURE', 'PARTIAL PROVIDER_UNSURE'],
    ['GARBAGE', 'ERROR PROVIDER_MALFORMED'],
    ['SLOW', 'ERROR PROVIDER_TIMEOUT'],
    ['ENDLESS', 'ERROR PROVIDER_TOO_LARGE'],
    ['REDIRECT', 'ERROR PROVIDER_STATUS'],
  ] as const)('%s is never a pass', async (behaviour, state) => {
    provider.behaviour = behaviour;
    const ended = await onboard(person(NO_PEP));
    for (const name of ['DOCUMENT', 'FACE_MATCH', 'LIVENESS']) expect(stateOf(ended, name)).toBe(state);
    expect(ended.result?.outcome).toBe('REVIEW');
    expect(ended.result?.defensible).toBe(behaviour === 'FAIL');
  });

  it('a provider that keeps failing is left alone for a while, which is an error too', async () => {
    // Five failures in a row, of which the cases before have made some.
    provider.behaviour = 'ERROR';
    await onboard(person(NO_PEP));
    const ended = await onboard(person(NO_PEP));
    expect(stateOf(ended, 'FACE_MATCH')).toMatch(/^ERROR PROVIDER_(STATUS|CIRCUIT_OPEN)$/);
    const last = await onboard(person(NO_PEP));
    expect(stateOf(last, 'FACE_MATCH')).toBe('ERROR PROVIDER_CIRCUIT_OPEN');
  });

  it('an absent one leaves its check without input: not defensible', async () => {
    bare = await startTestApp({ settings: { rateLimitSessionPerMinute: 100_000 } });
    const other = await bare.client({ scopes });
    const officer = bare.api.asOperator(
      await bare.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId: other.organisationId }),
    );
    await withLists(bare, other.organisationId);
    const { sessionId, reference } = await open('onboarding-pf', {}, officer);
    await send(bare, sessionId, 'document', await aPhoto());
    await send(bare, sessionId, 'selfie', await aPhoto());
    await bare.api
      .post(`/kyc-sessions/${sessionId}/complete`)
      .send({ userData: person(NO_PEP) })
      .expect(202);
    const ended = await end(reference, officer);
    expect(stateOf(ended, 'DOCUMENT')).toBe('MISSING_INPUT PROVIDER_ABSENT');
    expect(ended.result).toMatchObject({
      outcome: 'REVIEW',
      composition: 'PARTIAL',
      defensible: false,
      nonDefensibleReasons: ['DOCUMENT_MISSING_INPUT', 'FACE_MATCH_MISSING_INPUT', 'LIVENESS_MISSING_INPUT'],
    });
    const { rows } = await bare.owner.query('SELECT kind FROM reviews');
    expect(rows).toEqual([{ kind: 'SESSION' }]);
  });
});

describe('a rule that asks for a session', () => {
  it('opens it with the evaluation, and the transaction is evaluated again when it is over', async () => {
    const { stepper } = await aStepper();
    const api = t.api.as(stepper);
    const body = aTransaction({ amount: 950 });
    await api.ingest(body).expect(202);
    await api.settled(body.transactionId);
    const [, completed] = await receiver.about(body.transactionId, 2);
    const sessionId = String(completed?.event.data['stepUpSessionId']);
    expect(sessionId).toMatch(/^ses_[A-Za-z0-9_-]{43}$/);
    expect(completed?.event.data).toMatchObject({
      verdict: 'CHALLENGE',
      outcome: 'CHALLENGED',
      recommendedAction: 'STEP_UP',
      nextAction: { type: 'STEP_UP_SESSION', sessionId },
    });
    const created = await eventually('session.created', () =>
      receiver.deliveries.find(
        ({ event }) => event.type === 'session.created' && event.data['sessionId'] === sessionId,
      ),
    );
    expect(created.event.data).toMatchObject({ trigger: 'STEP_UP', status: 'PENDING' });
    const minutes = (Date.parse(String(created.event.data['expiresAt'])) - Date.now()) / 60_000;
    expect(minutes > 28 && minutes <= 60).toBe(true);
    // A second transaction of the same customer waits for the same session.
    const again = aTransaction({ amount: 960, externalCustomerId: body['externalCustomerId'] });
    await api.ingest(again).expect(202);
    await api.settled(again.transactionId);
    const [, second] = await receiver.about(again.transactionId, 2);
    expect(second?.event.data['stepUpSessionId']).toBe(sessionId);

    await t.api
      .post(`/kyc-sessions/${sessionId}/complete`)
      .send({ userData: { name: 'Maria Exemplo', cpf: body['cpfCnpj'], birthDate: '1980-05-17' } })
      .expect(202);
    const done = await eventually('session.completed', () =>
      receiver.deliveries.find(
        ({ event }) => event.type === 'session.completed' && event.data['sessionId'] === sessionId,
      ),
    );
    expect(done.event.data).toMatchObject({ status: 'COMPLETED', outcome: 'APPROVED', defensible: true });
    for (const { transactionId } of [body, again]) {
      const deliveries = await receiver.about(transactionId, 3);
      expect(deliveries[2]?.event.data).toMatchObject({ evaluationVersion: 2, verdict: 'RELEASE' });
    }
    // A customer who has just been verified is not asked again.
    const next = aTransaction({ amount: 970, externalCustomerId: body['externalCustomerId'] });
    await api.ingest(next).expect(202);
    const [, third] = await receiver.about(next.transactionId, 2);
    expect(third?.event.data).toMatchObject({ evaluationVersion: 1, verdict: 'RELEASE' });
    expect(third?.event.data).not.toHaveProperty('stepUpSessionId');
  });

  it('holds it when the session came to no approval, opens no other by itself, and follows the person who decides', async () => {
    const { stepper, organisationId, officer } = await aStepper();
    const body = aTransaction({ amount: 950 });
    await t.api.as(stepper).ingest(body).expect(202);
    const [, asked] = await receiver.about(body.transactionId, 2);
    const sessionId = String(asked?.event.data['stepUpSessionId']);
    // Somebody else has the phone: the document is not that of the customer whose transaction it is.
    await t.api
      .post(`/kyc-sessions/${sessionId}/complete`)
      .send({ userData: { name: 'Outra Pessoa Ficticia', cpf: aCpf(), birthDate: '1980-05-17' } })
      .expect(202);
    const [, , judged] = await receiver.about(body.transactionId, 3);
    expect(judged?.event.data).toMatchObject({
      evaluationVersion: 2,
      verdict: 'HOLD',
      outcome: 'REVIEW',
      recommendedAction: 'HOLD',
      nextAction: null,
    });
    expect(judged?.event.data).not.toHaveProperty('stepUpSessionId');
    const over = receiver.deliveries.find(
      ({ event }) => event.type === 'session.completed' && event.data['sessionId'] === sessionId,
    );
    expect(over?.event.data).toMatchObject({ status: 'COMPLETED', outcome: 'REVIEW' });
    const { rows } = await t.owner.query(
      'SELECT count(*)::int AS n FROM kyc_sessions WHERE organisation_id = $1',
      [organisationId],
    );
    expect(rows).toEqual([{ n: 1 }]);

    const cases = await officer.get('/operator/reviews?kind=SESSION').expect(200);
    const [{ id } = { id: '' }] = (cases.body as { data: { id: string }[] }).data;
    const proposed = await officer
      .post(`/operator/reviews/${id}/decision`)
      .send({ resolution: 'APPROVED', report: 'ARCHIVE', justification: 'The customer came to the branch.' })
      .expect(202);
    const colleague = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
    await approve(colleague, proposed);
    const deliveries = await receiver.about(body.transactionId, 4);
    expect(deliveries[3]?.event.data).toMatchObject({ evaluationVersion: 3, verdict: 'RELEASE' });
  });
});

/** An application whose transactions from 900 on ask for a session, and who decides about it. */
async function aStepper(): Promise<{
  stepper: TestClient;
  organisationId: string;
  officer: TestApi;
}> {
  const stepper = await t.client({ scopes, rules: false });
  const { organisationId, id: clientAppId } = stepper;
  const actor = { type: 'operator', id: 'test' } as const;
  await t.app.get(WebhookEndpoints).create({ organisationId, clientAppId, url: receiver.url, actor });
  await withLists(t, organisationId);
  const officer = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
  await officer
    .post('/operator/flows')
    .send({ key: 'quick', ...QUICK_FLOW })
    .expect(201);
  await t.app.get(RulesetsService).publish(organisationId, askingFrom(900, 'quick'), 'test');
  return { stepper, organisationId, officer };
}
