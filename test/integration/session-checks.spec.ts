import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { renderSVG } from 'uqr';
import { AuditTrail } from '../../src/features/audit/index.js';
import { publicId, uuidOf } from '../../src/platform/kernel/index.js';
import { scopes } from '../../src/platform/http/index.js';
import { RulesetsService } from '../../src/features/rules/index.js';
import { defaultFlows } from '../../src/features/sessions/domain/flow/default-flows.js';
import { SessionDecisionsService } from '../../src/features/sessions/outcome/session-decisions.service.js';
import { WebhookEndpointsService } from '../../src/features/webhooks/index.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { approve, askedIn } from '../support/approvals.js';
import { aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { aPicture } from '../support/files.js';
import { withFlow } from '../support/flows.js';
import { LISTED, withLists } from '../support/lists.js';
import { askingFrom, QUICK_FLOW } from '../support/page-flow.js';
import { withProvider, withThreeProviders } from '../support/providers.js';
import { WebhookReceiver } from '../support/receiver.js';

type Behaviour = 'PASS' | 'FAIL' | 'UNSURE' | 'GARBAGE' | 'ERROR' | 'SLOW' | 'ENDLESS' | 'REDIRECT';

/** An institution's provider on a free port, behaving as the test says. */
class Provider {
  behaviour: Behaviour = 'PASS';
  /** The secrets that requests to each of its addresses are signed with. */
  secrets: ReadonlyMap<string, string> = new Map();
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
        const expected = createHmac('sha256', provider.secrets.get(request.url ?? '') ?? '')
          .update(`${at}.`)
          .update(body)
          .digest('hex');
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
let bare: TestApp | undefined;
let provider: Provider;
let receiver: WebhookReceiver;
let client: TestClient;
let operator: TestApi;

beforeAll(async () => {
  provider = await Provider.listen();
  receiver = await WebhookReceiver.listen();
  t = await startTestApp({
    settings: {
      rateLimitSessionPerMinute: 100_000,
    },
  });
  client = await t.client({ scopes });
  const { organisationId, id: clientAppId } = client;
  const actor = { type: 'operator', id: 'test' } as const;
  await t.app.get(WebhookEndpointsService).create({ organisationId, clientAppId, url: receiver.url, actor });
  operator = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
  provider.secrets = await withThreeProviders(t, organisationId, provider.url, 1_000);
  await withLists(t, organisationId);
  const steps = defaultFlows['onboarding-pf']?.steps.filter(
    ({ type }) => type === 'CONSENT' || type === 'DATA_FORM' || type === 'QUESTIONNAIRE',
  );
  const requiredChecks = ['TAX_ID', 'PROFILE', 'AGE', 'PEP_DECLARATION', 'LISTS'];
  await withFlow(t, organisationId, { ...defaultFlows['onboarding-pf'], key: 'said', steps, requiredChecks });
});

afterAll(async () => {
  await t.close();
  await bare?.close();
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
  /** More than one: each try that the step asks for. */
  readonly document?: Buffer | readonly Buffer[];
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

/** As often as a step asks for a better one. */
const blurredTries = (): Promise<Buffer[]> =>
  Promise.all([5, 6, 7].map((seed) => aPicture(320, 240, seed).blur(12).jpeg().toBuffer()));

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
  for (const file of [files.document ?? (await aPhoto())].flat()) await send(t, sessionId, 'document', file);
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
    const document = await blurredTries();
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
    const carriedOut = Array.from({ length: 5 }, () =>
      t.app.get(SessionDecisionsService).applyDecisions([reviewId]),
    );
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
    const document = await blurredTries();
    const ended = await onboard(person(NO_PEP), { document });
    expect(stateOf(ended, 'DOCUMENT_QUALITY')).toMatch(/^HIT .*LOW_RESOLUTION/);
    expect(ended.result?.outcome).toBe('REVIEW');
  });

  it('the same flawed picture again is taken for a person to look at, and the trail says so', async () => {
    const { sessionId, reference } = await open('onboarding-pf');
    const [blurred] = await blurredTries();
    const upload = async (): Promise<[status: number, triesLeft: number | undefined]> => {
      const { status, body } = await t.api
        .post(`/kyc-sessions/${sessionId}/upload`)
        .field('stepId', 'document')
        .attach('file', blurred!, { filename: 'photo.jpg', contentType: 'image/jpeg' });
      const { data } = body as { data: { quality?: { triesLeft: number } } };
      return [status, data.quality?.triesLeft];
    };
    expect(await upload()).toEqual([201, 2]);
    expect(await upload()).toEqual([200, 0]);
    expect(await upload()).toEqual([200, 0]);
    await send(t, sessionId, 'selfie', await aPhoto());
    await t.api
      .post(`/kyc-sessions/${sessionId}/complete`)
      .send({ userData: person(NO_PEP) })
      .expect(202);
    const ended = await end(reference);
    expect(stateOf(ended, 'DOCUMENT_QUALITY')).toMatch(/^HIT /);
    expect(ended.result?.outcome).toBe('REVIEW');
    const session = {
      organisationId: client.organisationId,
      type: 'session',
      id: uuidOf('kys', reference) ?? '',
    } as const;
    expect(await t.app.get(AuditTrail).trailStatus(session)).toMatchObject({ status: 'COMPLETE', gaps: [] });
    const { rows } = await t.owner.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM audit_entries WHERE action = 'session.upload_repeated' AND subject_id = $1`,
      [session.id],
    );
    expect(rows).toEqual([{ n: 1 }]);
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

describe('a company', () => {
  const say = (text: string): object => ({ 'pt-BR': text });
  const field = (id: string, type: string, role?: string): object => ({
    ...{ id, type, label: say(id), required: true },
    ...(role !== undefined && { role }),
  });
  const flow = {
    ...{ name: say('Empresa'), subject: 'COMPANY', expiresInMinutes: 60, minimumAge: 18 },
    steps: [
      {
        ...{ id: 'company', type: 'DATA_FORM', title: say('Empresa'), required: true },
        fields: [field('companyName', 'TEXT'), field('cnpj', 'CNPJ'), field('monthlyRevenue', 'AMOUNT')],
      },
      {
        ...{ id: 'owners', type: 'REPEATED_GROUP', title: say('Sócios'), itemTitle: say('Sócio') },
        ...{ required: true, min: 1, max: 5, people: { as: 'OWNER' } },
        fields: [field('name', 'TEXT', 'OWNER_NAME'), field('cpf', 'CPF'), field('share', 'PERCENT')],
      },
      {
        ...{ id: 'funds', type: 'DATA_FORM', title: say('Recursos'), required: true },
        ...{ when: 'answers.monthlyRevenue > 1000000', fields: [field('sourceOfFunds', 'TEXT')] },
      },
      {
        ...{ id: 'articles', type: 'DOCUMENT_CAPTURE', title: say('Contrato social'), required: true },
        acceptedDocuments: [{ type: 'ARTICLES', label: say('Contrato social'), sides: ['FRONT'] }],
      },
    ],
    requiredChecks: ['TAX_ID', 'LISTS', 'OWNERS'],
  };
  const CNPJ = '11222333000181';

  it('goes through a flow that two people published by the API alone; an owner on a list is a case with answers, files and tree', async () => {
    const path = '/operator/flows/empresa';
    const wrong = await operator.call('put', `${path}/draft`).send({
      definition: { ...flow, requiredChecks: ['LIVENESS'] },
    });
    expect(wrong.body).toMatchObject({
      data: { valid: false, problems: [{ path: 'requiredChecks[0]', code: 'NEVER_DEFENSIBLE' }] },
    });
    const tooEarly = await operator
      .post(`${path}/draft/publish`)
      .send({ revision: 1, reason: 'Companies are new.' });
    expect(tooEarly.status).toBe(400);
    const sample = { monthlyRevenue: '2000000.00' };
    await operator.call('put', `${path}/draft`).send({ definition: flow, sample, revision: 1 }).expect(200);
    const { body: difference } = await operator.get(`${path}/draft/difference`).expect(200);
    expect(difference).toMatchObject({
      data: { stepsAdded: ['company', 'owners', 'funds', 'articles'], stepsRemoved: [] },
    });
    const { body: preview } = await operator.post(`${path}/draft/preview`).expect(200);
    const shown = new URL((preview as { data: { url: string } }).data.url).pathname.split('/').at(-1) ?? '';
    const { body: page } = await t.api.get(`/kyc-sessions/${shown}/public`).expect(200);
    expect(page).toMatchObject({ preview: true, steps: flow.steps.map(({ id }) => ({ id })) });
    const asked = await operator
      .post(`${path}/draft/publish`)
      .send({ revision: 2, reason: 'Companies are new.' })
      .expect(202);
    expect((await operator.post('/operator/kyc-sessions').send({ flowKey: 'empresa' })).status).toBe(404);
    const { organisationId } = client;
    await approve(t.api.asOperator(await t.operator({ roles: ['ADMIN'], organisationId })), asked);

    const { sessionId, reference } = await open('empresa');
    const complete = (userData: object) =>
      t.api.post(`/kyc-sessions/${sessionId}/complete`).send({ userData });
    const owners = [
      { name: 'Ana Pessoa Ficticia', cpf: aCpf(), share: '60' },
      { name: LISTED.sanctions, cpf: aCpf(), share: '40' },
    ];
    const answers = { companyName: 'Empresa Exemplo Ltda', cnpj: CNPJ, monthlyRevenue: '1500000.00', owners };
    await send(t, sessionId, 'articles', await aPhoto());
    const bad = await complete({ ...answers, owners: [owners[0], { ...owners[1], cpf: '111' }] });
    expect(bad.body).toMatchObject({
      error: { details: [{ path: 'userData.owners[1].cpf', code: 'TAX_ID_INVALID' }] },
    });
    const unfinished = await complete(answers);
    expect(unfinished.body).toMatchObject({
      error: { code: 'STEPS_INCOMPLETE', details: [{ path: 'steps.funds.sourceOfFunds', code: 'REQUIRED' }] },
    });
    await complete({ ...answers, sourceOfFunds: 'Vendas' }).expect(202);
    const ended = await end(reference);
    expect([stateOf(ended, 'LISTS'), stateOf(ended, 'OWNERS')]).toEqual([
      'HIT SANCTIONS_HIT',
      'HIT PERSON_ON_LIST',
    ]);
    expect(ended.result?.outcome).toBe('REVIEW');

    const { body: tree } = await operator.get(`/operator/kyc-sessions/${reference}/people`).expect(200);
    const { people } = (tree as { data: { people: { name: string; hits: string[] }[] } }).data;
    expect(people.map(({ name, hits }) => [name, hits.length])).toEqual([
      ['Ana Pessoa Ficticia', 0],
      [LISTED.sanctions, 1],
    ]);
    const hit = people[1]?.hits[0] ?? '';
    await operator.get(`/operator/hits/${hit}`).expect(200);
    const found = await eventually('the case is there', async () => {
      const { rows } = await t.owner.query<{ id: string }>(
        `SELECT id FROM reviews WHERE kind = 'SESSION' AND session_ref = $1`,
        [uuidOf('kys', reference)],
      );
      return rows[0];
    });
    const { body: shownCase } = await operator
      .get(`/operator/reviews/${publicId('rev', found.id)}`)
      .expect(200);
    expect(shownCase).toMatchObject({ data: { session: reference, hits: [{ id: hit, status: 'PENDING' }] } });
    // The hit of an owner stays with the session, which would be approved without it.
    const apart = { hits: [hit], reason: 'Somebody else looks at the owner, at another desk.' };
    const split = await operator.post(`/operator/reviews/${publicId('rev', found.id)}/split`).send(apart);
    expect(split.body).toMatchObject({
      error: { code: 'STATE_CONFLICT', details: [{ code: 'ABOUT_A_SESSION' }] },
    });
    const { body: evidence } = await operator.get(`/operator/kyc-sessions/${reference}/evidence`).expect(200);
    const text = JSON.stringify(evidence);
    expect(text).toContain('Sócio 2');
    expect(text).not.toContain(owners[1]!.cpf);
    expect(evidence).toMatchObject({
      data: {
        steps: expect.arrayContaining([
          expect.objectContaining({
            stepId: 'articles',
            files: [expect.objectContaining({ kind: 'DOCUMENT' })],
          }),
        ]),
      },
    });
  });

  it('is judged by what stands about its owner, in transactions that name neither', async () => {
    const body = aTransaction({
      cpfCnpj: CNPJ,
      origin: { name: 'Empresa Exemplo Ltda', cpfCnpj: CNPJ, country: 'BR' },
    });
    const api = t.api.as(client);
    await api.ingest(body).expect(202);
    expect(await api.settled(body.transactionId)).toMatchObject({
      ...{ verdict: 'HOLD', components: { LISTS: { state: 'HIT', reason: 'HIT_UNDECIDED' } } },
    });
    const ordinary = aTransaction();
    await api.ingest(ordinary).expect(202);
    expect(await api.settled(ordinary.transactionId)).toMatchObject({
      components: { LISTS: { state: 'NO_HIT' } },
    });
  });

  const ownersNow = async (reference: string): Promise<number> => {
    const { rows } = await t.owner.query(
      `SELECT FROM customer_relations WHERE ended_at IS NULL
         AND company_id = (SELECT customer_id FROM kyc_sessions WHERE id = $1)`,
      [uuidOf('kys', reference)],
    );
    return rows.length;
  };

  it('keeps an owner whom one operator alone leaves out in a session through their own link', async () => {
    const { sessionId, reference } = await open('empresa');
    await send(t, sessionId, 'articles', await aPhoto());
    const owners = [{ name: 'Bia Pessoa Ficticia', cpf: aCpf(), share: '100' }];
    const userData = { companyName: 'Empresa Exemplo Ltda', cnpj: CNPJ, monthlyRevenue: '900000.00', owners };
    await t.api.post(`/kyc-sessions/${sessionId}/complete`).send({ userData }).expect(202);
    expect((await end(reference)).result?.outcome).toBe('APPROVED');
    expect(await ownersNow(reference)).toBe(3);
  });

  it('has no owner any more whom a later session does not name, once a person has approved it', async () => {
    const { sessionId, reference } = await open('empresa');
    await send(t, sessionId, 'articles', await aPhoto());
    // Forty in a hundred are nobody's: the checks approve of no such company.
    const owners = [{ name: 'Ana Pessoa Ficticia', cpf: aCpf(), share: '60' }];
    const userData = { companyName: 'Empresa Exemplo Ltda', cnpj: CNPJ, monthlyRevenue: '900000.00', owners };
    await t.api.post(`/kyc-sessions/${sessionId}/complete`).send({ userData }).expect(202);
    expect((await end(reference)).result?.outcome).toBe('REVIEW');
    const id = uuidOf('kys', reference);
    expect(await ownersNow(reference)).toBe(4);
    const found = await eventually('the case is there', async () => {
      const { rows } = await t.owner.query<{ id: string }>(
        `SELECT id FROM reviews WHERE kind = 'SESSION' AND session_ref = $1`,
        [id],
      );
      return rows[0];
    });
    const { organisationId } = client;
    const colleague = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
    const decision = {
      resolution: 'APPROVED',
      report: 'ARCHIVE',
      justification: 'The register names her alone.',
    };
    const path = `/operator/reviews/${publicId('rev', found.id)}/decision`;
    await approve(colleague, await operator.post(path).send(decision).expect(202));
    await eventually('only the named one counts', async () => {
      await t.app.get(SessionDecisionsService).applyDecisions([found.id]);
      return (await ownersNow(reference)) === 1;
    });
    const body = aTransaction({
      cpfCnpj: CNPJ,
      origin: { name: 'Empresa Exemplo Ltda', cpfCnpj: CNPJ, country: 'BR' },
    });
    const api = t.api.as(client);
    await api.ingest(body).expect(202);
    expect(await api.settled(body.transactionId)).toMatchObject({
      components: { LISTS: { state: 'NO_HIT' } },
    });
  });
});

describe('a session under review', () => {
  it('is asked for single steps again on the same link, three times at most, and the integrator is told', async () => {
    const mine = person({ ...NO_PEP, name: LISTED.pep });
    const { sessionId, reference } = await open('said');
    await t.api.post(`/kyc-sessions/${sessionId}/complete`).send({ userData: mine }).expect(202);
    await end(reference);
    const path = `/operator/kyc-sessions/${reference}/resubmissions`;
    const steps = [{ stepId: 'person', reason: 'O nome não confere com o documento.' }];
    const unknown = await operator.post(path).send({ steps: [{ ...steps[0], stepId: 'none' }] });
    expect(unknown.body).toMatchObject({ error: { details: [{ path: 'steps[0].stepId' }] } });
    for (const round of [1, 2, 3]) {
      await operator.post(path).send({ steps }).expect(202);
      const { body } = await t.api.get(`/kyc-sessions/${sessionId}/public`).expect(200);
      expect(body).toMatchObject({
        status: 'PENDING',
        resubmission: { round, of: 3 },
        steps: [{ id: 'person', required: true, lastRejection: { message: steps[0]!.reason } }],
      });
      // While somebody answers nobody asks.
      expect((await operator.post(path).send({ steps })).status).toBe(409);
      const told = await eventually(
        'session.reopened',
        () =>
          receiver.deliveries.filter(
            ({ event }) => event.type === 'session.reopened' && event.data['sessionId'] === sessionId,
          )[round - 1],
      );
      expect(told.event.data).toMatchObject({ round, steps: [{ stepId: 'person', code: 'REVIEWER' }] });
      const complete = (userData: object) =>
        t.api.post(`/kyc-sessions/${sessionId}/complete`).send({ userData });
      expect((await complete(mine)).body).toMatchObject({
        error: { details: expect.arrayContaining([expect.objectContaining({ code: 'NOT_ASKED_AGAIN' })]) },
      });
      await complete({ name: mine['name'], cpf: mine['cpf'], birthDate: mine['birthDate'] }).expect(202);
      await end(reference);
    }
    const over = await operator.post(path).send({ steps });
    expect(over.body).toMatchObject({ error: { details: [{ code: 'NO_ROUND_LEFT' }] } });
    const id = uuidOf('kys', reference) ?? '';
    const entries = await t.app
      .get(AuditTrail)
      .readEntries({ organisationId: client.organisationId, type: 'session', id });
    expect(entries.filter(({ action }) => action === 'session.reopened')).toHaveLength(3);
    const { status } = await t.app
      .get(AuditTrail)
      .trailStatus({ organisationId: client.organisationId, type: 'session', id });
    expect(status).toBe('COMPLETE');
  });
});

describe('a document that is asked for again', () => {
  it('is taken, in each round once more, also when the person has but the very picture of before', async () => {
    const { sessionId, reference } = await open('onboarding-pf');
    const picture = await aPhoto();
    const upload = async (): Promise<number> => {
      const { status } = await t.api
        .post(`/kyc-sessions/${sessionId}/upload`)
        .field('stepId', 'document')
        .attach('file', picture, { filename: 'photo.jpg', contentType: 'image/jpeg' });
      return status;
    };
    const wanting = async (): Promise<boolean[]> => {
      const { body } = await t.api.get(`/kyc-sessions/${sessionId}/public`).expect(200);
      return (body as { steps: { id: string; status: string }[] }).steps
        .filter(({ id }) => id === 'document')
        .map(({ status }) => status === 'TODO');
    };
    expect(await upload()).toBe(201);
    await send(t, sessionId, 'selfie', await aPhoto());
    const complete = (userData: object) =>
      t.api.post(`/kyc-sessions/${sessionId}/complete`).send({ userData });
    await complete(person({ ...NO_PEP, name: LISTED.pep })).expect(202);
    await end(reference);
    const steps = [{ stepId: 'document', reason: 'A foto não mostra o verso.' }];
    for (const round of [1, 2]) {
      await operator.post(`/operator/kyc-sessions/${reference}/resubmissions`).send({ steps }).expect(202);
      expect({ round, wanting: await wanting() }).toEqual({ round, wanting: [true] });
      expect((await complete({})).status).toBe(400);
      expect([await upload(), await upload()]).toEqual([200, 200]);
      expect({ round, wanting: await wanting() }).toEqual({ round, wanting: [false] });
      await complete({}).expect(202);
      expect(stateOf(await end(reference), 'DOCUMENT_QUALITY')).toMatch(/^NO_HIT/);
    }
    const id = uuidOf('kys', reference) ?? '';
    const session = { organisationId: client.organisationId, type: 'session', id } as const;
    const entries = await t.app.get(AuditTrail).readEntries(session);
    expect(entries.filter(({ action }) => action === 'session.upload_repeated')).toHaveLength(2);
    expect(await t.app.get(AuditTrail).trailStatus(session)).toMatchObject({ status: 'COMPLETE', gaps: [] });
  });
});

describe('providers of a flow', () => {
  it('are asked in its order: who is down is passed over and said so, calls are counted with their cost', async () => {
    const { organisationId } = client;
    const checks = ['DOCUMENT'] as const;
    await withProvider(t, organisationId, {
      name: 'gone-id',
      checks,
      url: 'http://127.0.0.1:1/',
      timeoutMs: 500,
    });
    const url = `${provider.url}/backup`;
    const secret = await withProvider(t, organisationId, {
      name: 'backup-id',
      checks,
      url,
      costMicros: 250_000,
    });
    provider.secrets = new Map([...provider.secrets, ['/backup', secret]]);
    const steps = defaultFlows['onboarding-pf']?.steps.filter(({ type }) => type !== 'SELFIE');
    await withFlow(t, organisationId, {
      ...defaultFlows['onboarding-pf'],
      ...{ key: 'ordered', steps, requiredChecks: ['TAX_ID', 'LISTS', 'DOCUMENT'] },
      providers: { DOCUMENT: ['gone-id', 'backup-id'] },
    });
    const { sessionId, reference } = await open('ordered');
    await send(t, sessionId, 'document', await aPhoto());
    await t.api
      .post(`/kyc-sessions/${sessionId}/complete`)
      .send({ userData: person(NO_PEP) })
      .expect(202);
    const ended = await end(reference);
    expect(ended.result?.evidence.find(({ name }) => name === 'DOCUMENT')).toMatchObject({
      ...{ state: 'NO_HIT', source: 'backup-id', remarks: ['gone-id:PROVIDER_UNREACHABLE'] },
    });
    expect(provider.asked.map(({ path, signed }) => [path, signed])).toEqual([['/backup', true]]);
    const { body } = await operator.get('/operator/providers').expect(200);
    const { providers } = (
      body as { data: { providers: { name: string; health: string; usage: object[] }[] } }
    ).data;
    const of = (wanted: string) => providers.find(({ name }) => name === wanted);
    expect(of('gone-id')).toMatchObject({ health: 'FAILING', lastFailure: 'PROVIDER_UNREACHABLE' });
    expect(of('backup-id')).toMatchObject({
      ...{ health: 'OK', usage: [{ calls: 1, failures: 0, costMicros: 250_000 }] },
    });
  });
});

describe('a provider that one person alone approved', () => {
  it('approves nobody by itself', async () => {
    // Nobody else is there who could approve it.
    const { organisationId } = await t.client({ rules: false });
    const roles = ['COMPLIANCE_OFFICER'] as const;
    const lonely = t.api.asOperator(await t.operator({ roles, organisationId }));
    await withLists(t, organisationId);
    const wanted = { name: 'alone-id', checks: ['DOCUMENT'], url: `${provider.url}/alone` };
    const asked = askedIn(
      await lonely
        .post('/operator/providers')
        .send({ ...wanted, reason: 'The contract with them begins.' })
        .expect(202),
    );
    const consent = { digest: asked.digest, singleControl: true };
    await lonely.post(`/operator/approvals/${asked.id}/approve`).send(consent).expect(200);
    const { body } = await lonely.post('/operator/providers/alone-id/secret').expect(200);
    const { secret } = (body as { data: { secret: string } }).data;
    provider.secrets = new Map([...provider.secrets, ['/alone', secret]]);
    const steps = defaultFlows['onboarding-pf']?.steps.filter(({ type }) => type !== 'SELFIE');
    await withFlow(t, organisationId, {
      ...defaultFlows['onboarding-pf'],
      ...{ key: 'alone', steps, requiredChecks: ['LISTS', 'DOCUMENT'] },
      providers: { DOCUMENT: ['alone-id'] },
    });
    const { sessionId, reference } = await open('alone', {}, lonely);
    await send(t, sessionId, 'document', await aPhoto());
    await t.api
      .post(`/kyc-sessions/${sessionId}/complete`)
      .send({ userData: person(NO_PEP) })
      .expect(202);
    const { result } = await end(reference, lonely);
    expect(result).toMatchObject({
      ...{ outcome: 'REVIEW', defensible: false, nonDefensibleReasons: ['SINGLE_CONTROL'] },
    });
    expect(result?.evidence.find(({ name }) => name === 'DOCUMENT')).toMatchObject({
      ...{ state: 'NO_HIT', source: 'alone-id', remarks: ['SINGLE_CONTROL'] },
    });
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
  await t.app.get(WebhookEndpointsService).create({ organisationId, clientAppId, url: receiver.url, actor });
  await withLists(t, organisationId);
  const officer = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
  await withFlow(t, organisationId, { key: 'quick', ...QUICK_FLOW });
  await t.app.get(RulesetsService).publish(organisationId, askingFrom(900, 'quick'), 'test');
  return { stepper, organisationId, officer };
}
