import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { systemActor, AuditTrail } from '../../src/features/audit/index.js';
import { ClientAppsService } from '../../src/features/auth/index.js';
import { CustomerIdentificationService } from '../../src/features/customers/index.js';
import { UnitOfWork } from '../../src/platform/database/index.js';
import { publicId, uuidOf } from '../../src/platform/kernel/index.js';
import { ReviewDecisionsService } from '../../src/features/kyt/operations/review-decisions.service.js';
import { reviewFlow, type ReviewStatus, type Theme } from '../../src/features/reviews/domain/review.js';
import {
  ReviewEffectsService,
  ReviewsService,
  type OpenedReview,
  type CaseAlert,
} from '../../src/features/reviews/index.js';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import {
  SearchIndexService,
  ListImporterService,
  type NewList,
  ScreeningListsService,
} from '../../src/features/screening/index.js';
import { WebhookEndpointsService } from '../../src/features/webhooks/index.js';
import { expectError } from '../support/answers.js';
import type { TestApi, TestClient } from '../support/api.js';
import { aStep } from '../support/tamper.js';
import { isHeavy } from '../support/timing.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { approve, askedIn, decideOn, waitOut } from '../support/approvals.js';
import { aTransaction, CPF } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { aPicture } from '../support/files.js';
import { WebhookReceiver } from '../support/receiver.js';
import { again, later, promisedLater, runsInPart } from '../support/needs.js';

let t: TestApp;
let receiver: WebhookReceiver;
let client: TestClient;
let integrator: TestApi;
let analyst: TestApi;
let colleague: TestApi;

beforeAll(async () => {
  t = await startTestApp();
  receiver = await WebhookReceiver.listen();
  client = await t.client({ rules: false });
  const { organisationId, id: clientAppId } = client;
  await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
  const actor = { type: 'operator', id: 'test' } as const;
  await t.app.get(WebhookEndpointsService).create({ organisationId, clientAppId, url: receiver.url, actor });
  integrator = t.api.as(client);
  const officer = { roles: ['COMPLIANCE_OFFICER'], organisationId } as const;
  analyst = t.api.asOperator(await t.operator(officer));
  colleague = t.api.asOperator(await t.operator(officer));
  await fill(
    organisationId,
    { key: 'sanctions', kind: 'SANCTIONS', format: 'HOUSE_CSV' },
    'key;name;kind;birthDate;type;value\ns1;Anacleto Sancionado Ficticio;PERSON;;;\n',
  );
  await fill(organisationId, { key: 'pep', kind: 'PEP', format: 'CGU_PEP_CSV' }, pepFile('Não informada'));
});

afterAll(async () => {
  await t.close();
  await receiver.close();
});

const BY = { type: 'system', id: 'test' } as const;
const MANY = isHeavy ? 200 : 50;
const WHY = 'Salary of the same employer for three years, with payslips.';
const FALSE_ALARM = { resolution: 'FALSE_POSITIVE', report: 'ARCHIVE', justification: WHY } as const;
const REFUSAL = { resolution: 'REJECTED', report: 'COMMUNICATE', justification: WHY } as const;

/** The list of politically exposed persons, with one person whose grace ends then. */
const pepFile = (graceEnds: string, others: readonly string[] = []): string =>
  [
    'CPF;Nome_PEP;Sigla_Função;Descrição_Função;Nível_Função;Nome_Órgão;Data_Início_Exercício;Data_Fim_Exercício;Data_Fim_Carência',
    `***.${CPF.customer.slice(3, 6)}.${CPF.customer.slice(6, 9)}-**;HELENA MARIA DA SILVA;PREF;PREFEITA;;MUN. DE EXEMPLO;01/01/2021;Não informada;${graceEnds}`,
    ...others.map(
      (name, i) =>
        `***.00${i}.001-**;${name};VER;VEREADOR;;MUN. DE EXEMPLO;01/01/2021;Não informada;Não informada`,
    ),
    '',
  ].join('\n');

async function fill(organisationId: string, list: Omit<NewList, 'name'>, file: string): Promise<void> {
  const ctx = systemActor(organisationId, 'test');
  const row = await t.app.get(ScreeningListsService).findOrCreate(ctx, { ...list, name: list.key });
  const importer = t.app.get(ListImporterService);
  const { id } = await importer.startImport(ctx, row, null);
  const main = Readable.from([Buffer.from(file)]);
  await importer.runImport(ctx, row, id, { main, bytesTotal: null }, { confirmation: 'NEVER' });
  await t.app.get(SearchIndexService).refresh();
}

async function organisation(): Promise<string> {
  const name = `rev-${randomBytes(4).toString('hex')}`;
  return t.app.get(ClientAppsService).ensureOrganisation(name, name);
}

async function aCustomer(organisationId: string): Promise<string> {
  const [identified] = await t.app.get(CustomerIdentificationService).identify([
    {
      organisationId,
      clientAppId: null,
      externalCustomerId: `c-${randomUUID()}`,
      taxId: null,
      name: null,
      birthDate: null,
      by: 'OPERATOR',
      requestId: null,
      correlationId: 'test',
      traceparent: null,
    },
  ]);
  return identified!.customerId;
}

const aRequest = (
  organisationId: string,
  customerId: string | null,
  fields: Partial<CaseAlert> = {},
): CaseAlert => ({
  organisationId,
  kind: 'SCORE',
  theme: 'STRUCTURING',
  customerId,
  clientAppId: null,
  priority: 'HIGH',
  riskScore: 70,
  occurredAt: new Date(),
  requestId: null,
  correlationId: null,
  ...fields,
});

const open = (...requests: CaseAlert[]): Promise<OpenedReview[]> =>
  t.app.get(UnitOfWork).run(
    requests.map(({ organisationId }) => organisationId),
    async (tx) => {
      // A case is opened, or joined, by a step of something else.
      for (const of of new Set(requests.map(({ organisationId }) => organisationId))) await aStep(t, tx, of);
      return t.app.get(ReviewsService).openCases(tx, requests, BY);
    },
  );

const anAlert = (): Pick<CaseAlert, 'transaction'> => ({
  transaction: { ref: randomUUID(), evaluationVersion: 1 },
});

/** A case of the organisation of the analysts, by its public id. */
async function aCase(fields: Partial<CaseAlert> = {}): Promise<string> {
  const { organisationId } = client;
  const [opened] = await open(aRequest(organisationId, await aCustomer(organisationId), fields));
  return publicId('rev', opened!.reviewId);
}

interface ReviewAnswer {
  readonly id: string;
  readonly kind: string;
  readonly status: ReviewStatus;
  readonly priority: string;
  readonly hits: { id: string; status: string }[];
  readonly transactions: { id: string; outcome: string }[];
  readonly [name: string]: unknown;
}
const path = (id: string, step = ''): string => `/operator/reviews/${id}${step === '' ? '' : `/${step}`}`;
const read = async (id: string): Promise<ReviewAnswer> => {
  const { body } = await analyst.get(path(id)).expect(200);
  return (body as { data: ReviewAnswer }).data;
};
const trailOf = async (organisationId: string, id: string): Promise<string> =>
  (await t.app.get(AuditTrail).trailStatus({ organisationId, type: 'review', id: uuidOf('rev', id) ?? id }))
    .status;

let last = 0;
async function submitted(fields: Record<string, unknown>): Promise<string> {
  last += 1;
  const transactionId = `rev-${last}`;
  const body = aTransaction({
    transactionId,
    externalCustomerId: `customer-${last}`,
    amount: 100,
    ...fields,
  });
  await integrator.ingest(body).expect(202);
  await integrator.settled(transactionId);
  return transactionId;
}
const shown = async (transactionId: string): Promise<Record<string, unknown>> => {
  const { body } = await integrator.transaction(transactionId).expect(200);
  return (body as { data: Record<string, unknown> }).data;
};
/** A transaction of the politically exposed person. */
const exposed = (): Promise<string> =>
  submitted({ origin: { name: 'Helena M. da Silva', cpfCnpj: CPF.customer, country: 'BR' } });

async function succeeds(by: TestApi, id: string, step: Parameters<typeof decideOn>[2]): Promise<void> {
  expect((await decideOn(by, id, step))?.status).toBe(200);
}

async function dismiss(hitId: string): Promise<void> {
  const disposition = { disposition: 'DISMISSED_FALSE_POSITIVE', justification: WHY };
  const proposed = await analyst.post(`/operator/hits/${hitId}/proposals`).send(disposition).expect(202);
  await approve(colleague, proposed);
}

describe('Opening', () => {
  it('opens a case with its audit entry for each customer and theme, in one go', async () => {
    const organisationId = await organisation();
    const customerId = await aCustomer(organisationId);
    const alert = (theme: Theme): CaseAlert => aRequest(organisationId, customerId, { theme, ...anAlert() });
    const opened = await open(...(['FRAUD', 'STRUCTURING', 'GEOGRAPHY', 'FRAUD'] as const).map(alert));
    expect(opened.map((one) => one.opened)).toEqual([true, true, true, false]);
    expect(opened[3]!.reviewId).toBe(opened[0]!.reviewId);
    const { rows } = await t.owner.query(
      'SELECT theme, linked, points FROM reviews WHERE organisation_id = $1 ORDER BY theme',
      [organisationId],
    );
    expect(rows).toEqual([
      { theme: 'FRAUD', linked: 2, points: 140 },
      { theme: 'GEOGRAPHY', linked: 1, points: 70 },
      { theme: 'STRUCTURING', linked: 1, points: 70 },
    ]);
    for (const { reviewId } of opened) expect(await trailOf(organisationId, reviewId)).toBe('COMPLETE');
  });

  it('of another alert joins the case about the customer and the theme, until a decision is proposed', async () => {
    const { organisationId } = client;
    const customerId = await aCustomer(organisationId);
    const alert = async (fields: Partial<CaseAlert> = {}): Promise<OpenedReview> =>
      (await open(aRequest(organisationId, customerId, fields)))[0]!;
    const { reviewId } = await alert({ priority: 'LOW' });
    const id = publicId('rev', reviewId);
    // Also while somebody works on it; the gravest alert gives the priority, a possible sanction its hour.
    await analyst.post(path(id, 'assign')).send({ assigneeId: 'me' }).expect(200);
    expect(await alert({ kind: 'SCORE', priority: 'CRITICAL', sanctions: true })).toEqual({
      reviewId,
      opened: false,
    });
    expect(await read(id)).toMatchObject({
      ...{
        kind: 'SCORE',
        priority: 'CRITICAL',
        points: 140,
        collects: true,
        status: 'IN_ANALYSIS',
        revision: 2,
      },
      responseDeadline: expect.any(String),
    });
    await analyst.post(path(id, 'decision')).send(FALSE_ALARM).expect(202);
    const next = await alert();
    expect(next).toEqual({ reviewId: expect.not.stringMatching(reviewId), opened: true });
    // A proposal that is sent back does not compete with the case that takes alerts now.
    await succeeds(analyst, id, 'withdraw');
    expect(await alert()).toEqual({ ...next, opened: false });
    expect([(await read(id))['collects'], await trailOf(organisationId, reviewId)]).toEqual([
      false,
      'COMPLETE',
    ]);
  });

  it('of more alerts than anybody can oversee begins another case', async () => {
    const organisationId = await organisation();
    const customerId = await aCustomer(organisationId);
    const many = Array.from({ length: 501 }, () => aRequest(organisationId, customerId, anAlert()));
    const opened = [
      ...(await open(...many.slice(0, 499))),
      ...(await open(many[499]!)),
      ...(await open(many[500]!)),
    ];
    expect(opened.filter((one) => one.opened)).toHaveLength(2);
    expect(opened[499]!.reviewId).toBe(opened[0]!.reviewId);
    expect(opened[500]!.opened).toBe(true);
  });

  it('tells whoever asks twice the same case', async () => {
    const organisationId = await organisation();
    const request = aRequest(organisationId, null, {
      transaction: { ref: randomUUID(), evaluationVersion: 1 },
    });
    const [first] = await open(request);
    expect(await open(request)).toEqual([{ reviewId: first!.reviewId, opened: false }]);
  });

  it('is one case for a customer and a theme, also when 40 ask at once', async () => {
    const organisationId = await organisation();
    const customerId = await aCustomer(organisationId);
    const asked = await Promise.all(
      Array.from({ length: 40 }, () => open(aRequest(organisationId, customerId, anAlert()))),
    );
    expect(new Set(asked.flat().map(({ reviewId }) => reviewId)).size).toBe(1);
    expect(asked.flat().filter((one) => one.opened)).toHaveLength(1);
    const { rows } = await t.owner.query(
      `SELECT r.linked, count(x.*)::int AS links FROM reviews r JOIN review_transactions x ON x.review_id = r.id
       WHERE r.organisation_id = $1 GROUP BY r.id, r.linked`,
      [organisationId],
    );
    expect(rows).toEqual([{ linked: 40, links: 40 }]);
  });

  it('takes what is still missing in another evaluation of its transaction, also when work on it has begun', async () => {
    const organisationId = await organisation();
    const customerId = await aCustomer(organisationId);
    const ref = randomUUID();
    const gap = (evaluationVersion: number): CaseAlert =>
      aRequest(organisationId, customerId, { kind: 'DATA_GAP', transaction: { ref, evaluationVersion } });
    const [first] = await open(gap(1));
    await t.owner.query(`UPDATE reviews SET status = 'IN_ANALYSIS' WHERE id = $1`, [first!.reviewId]);
    expect(await open(gap(2))).toEqual([{ reviewId: first!.reviewId, opened: false }]);
  });
});

describe('A transaction that needs a person', () => {
  it('opens a case with its evaluation; the outcome follows the decision, the evaluation stays', async () => {
    const transactionId = await exposed();
    const before = await shown(transactionId);
    expect(before).toMatchObject({ outcome: 'REVIEW', reviewRequired: true, decision: null });
    const id = String(before['reviewId']);
    const review = await read(id);
    expect(review).toMatchObject({ kind: 'HIT', status: 'OPEN', priority: 'HIGH', queue: 'screening' });
    expect(review.transactions).toEqual([expect.objectContaining({ transactionId, outcome: 'REVIEW' })]);
    expect(review.hits).toEqual([expect.objectContaining({ status: 'PENDING', mandatory: true })]);

    // A hit that nobody has decided about blocks what would let it pass, and nothing else.
    const refused = await analyst.post(path(id, 'decision')).send(FALSE_ALARM);
    expectError(refused, 409, 'MANDATORY_REVIEW_OPEN');
    expect(refused.body.error.details).toEqual([expect.objectContaining({ code: review.hits[0]!.id })]);
    await dismiss(review.hits[0]!.id);
    await analyst.post(path(id, 'decision')).send(FALSE_ALARM).expect(202);

    // The list says something else of the person now: the hit waits again, and the approval with it.
    await fill(
      client.organisationId,
      { key: 'pep', kind: 'PEP', format: 'CGU_PEP_CSV' },
      pepFile('31/12/2040'),
    );
    await eventually('the hit waits again', async () => (await read(id)).hits[0]!.status === 'PENDING');
    expectError((await decideOn(colleague, id, 'approve'))!, 409, 'MANDATORY_REVIEW_OPEN');
    await dismiss(review.hits[0]!.id);
    await succeeds(colleague, id, 'approve');

    await eventually(
      'the outcome follows',
      async () => (await shown(transactionId))['outcome'] === 'APPROVED',
    );
    const after = await shown(transactionId);
    expect(after).toMatchObject({
      reviewRequired: false,
      reviewId: id,
      decision: { outcome: 'APPROVED', by: 'PERSON' },
      evaluationVersion: before['evaluationVersion'],
      receiptHash: before['receiptHash'],
      riskScore: before['riskScore'],
      defensible: before['defensible'],
    });
    const events = (await receiver.about(transactionId, 3)).map(({ event }) => event);
    const completed = events.filter(({ type }) => type === 'kyt.transaction.pipeline.completed');
    expect(
      completed.map(({ sequence, data }) => [sequence, data['outcome'], data['evaluationVersion']]),
    ).toEqual([
      [2, 'REVIEW', 1],
      [3, 'APPROVED', 1],
    ]);
    expect(completed.map(({ data }) => data['reviewId'])).toEqual([id, id]);
    const txn = uuidOf('txn', review.transactions[0]!.id)!;
    const { organisationId } = client;
    expect(
      await t.app.get(AuditTrail).trailStatus({ organisationId, type: 'transaction', id: txn }),
    ).toMatchObject({ status: 'COMPLETE', length: 3 });
    expect(await trailOf(organisationId, id)).toBe('COMPLETE');
  });

  it('carries a decision out once, however often the job comes', async () => {
    const transactionId = await submitted({ externalCustomerId: undefined, cpfCnpj: undefined, origin: {} });
    const { reviewId } = await shown(transactionId);
    const id = String(reviewId);
    await analyst.post(path(id, 'decision')).send(REFUSAL).expect(202);
    await succeeds(colleague, id, 'approve');
    await t.app.get(ReviewDecisionsService).applyDecisions([uuidOf('rev', id)!]);
    await eventually('rejected', async () => (await shown(transactionId))['outcome'] === 'REJECTED');
    const { rows } = await t.owner.query(
      'SELECT count(*)::int AS n FROM review_effects WHERE review_id = $1',
      [uuidOf('rev', id)],
    );
    expect(rows).toEqual([{ n: 0 }]);
    expect(await t.app.get(ReviewEffectsService).findPendingDecisions('KYT', [uuidOf('rev', id)!])).toEqual(
      [],
    );
    const file = await read(id);
    expect(file).toMatchObject({ status: 'CLOSED', reportDecision: 'COMMUNICATE' });
    expect(new Date(String(file['reportDeadline'])).getTime()).toBeGreaterThan(Date.now());
    expect(file['retainUntil']).toMatch(/^20[34]\d-01-01$/);
  });

  it('refuses a decision on a trail with a gap, and names it', async () => {
    const transactionId = await submitted({ externalCustomerId: undefined, cpfCnpj: undefined, origin: {} });
    const { reviewId } = await shown(transactionId);
    const id = String(reviewId);
    const [transaction] = (await read(id)).transactions;
    const owner = await t.owner.connect();
    try {
      await owner.query('ALTER TABLE audit_entries DISABLE TRIGGER USER');
      await owner.query(
        `DELETE FROM audit_entries WHERE subject_type = 'transaction' AND subject_id = $1 AND subject_seq = 2`,
        [uuidOf('txn', transaction!.id)],
      );
    } finally {
      await owner.query('ALTER TABLE audit_entries ENABLE TRIGGER USER');
      owner.release();
    }
    const refused = await analyst.post(path(id, 'decision')).send(REFUSAL);
    expectError(refused, 409, 'AUDIT_TRAIL_INCOMPLETE');
    expect(refused.body.error.details[0]).toMatchObject({
      path: `transaction:${transaction!.id}`,
      code: 'MISSING_EVENTS',
    });
  });
});

describe('A change of a list', () => {
  it('opens a case about a customer without any transaction', async () => {
    const { organisationId } = client;
    await submitted({ origin: { name: 'Quirino Leopoldo Amarante', country: 'BR' }, cpfCnpj: undefined });
    await fill(
      organisationId,
      { key: 'sanctions', kind: 'SANCTIONS', format: 'HOUSE_CSV' },
      'key;name;kind;birthDate;type;value\ns1;Anacleto Sancionado Ficticio;PERSON;;;\ns2;Quirino Leopoldo Amarante;PERSON;;;\n',
    );
    const found = await eventually('a case about the hit', async () => {
      const { body } = await analyst.get('/operator/reviews?kind=HIT&priority=CRITICAL').expect(200);
      return (body as { data: ReviewAnswer[] }).data.find((one) => one['transactionCount'] === 0);
    });
    expect(found).toMatchObject({ status: 'OPEN', queue: 'screening' });
    const opened = new Date(String(found['openedAt'])).getTime();
    expect(new Date(String(found['responseDeadline'])).getTime() - opened).toBe(3_600_000);
    expect((await read(found.id)).hits).toEqual([expect.objectContaining({ listKind: 'SANCTIONS' })]);
    const { rows } = await t.owner.query('SELECT count(*)::int AS n FROM screening_hits WHERE awaits_case');
    expect(rows).toEqual([{ n: 0 }]);
  });
});

describe('Four eyes', () => {
  const maker403 = async (id: string): Promise<void> => {
    expectError((await decideOn(analyst, id, 'approve'))!, 403, 'FOUR_EYES_REQUIRED');
    expectError((await decideOn(analyst, id, 'refuse'))!, 403, 'FOUR_EYES_REQUIRED');
  };

  it('nobody approves or sends back their own proposal: reassigned, withdrawn, sent back or taken up again', async () => {
    const id = await aCase();
    await analyst.post(path(id, 'decision')).send(FALSE_ALARM).expect(202);
    await maker403(id);
    await colleague.post(path(id, 'assign')).send({ assigneeId: 'me' }).expect(200);
    await maker403(id);
    await analyst.post(path(id, 'notes')).send({ text: 'It is urgent.' }).expect(201);
    const unknown = { text: 'With a file.', artifactIds: [publicId('art', randomUUID())] };
    expectError(await analyst.post(path(id, 'notes')).send(unknown), 404, 'ARTIFACT_NOT_FOUND');
    await maker403(id);
    expectError((await decideOn(colleague, id, 'withdraw'))!, 409, 'STATE_CONFLICT');
    await succeeds(analyst, id, 'withdraw');
    await analyst.post(path(id, 'decision')).send(REFUSAL).expect(202);
    await maker403(id);
    await succeeds(colleague, id, 'refuse');
    expect(await read(id)).toMatchObject({ status: 'IN_ANALYSIS', resolution: null });
    await analyst.post(path(id, 'decision')).send(FALSE_ALARM).expect(202);
    await maker403(id);
    await succeeds(colleague, id, 'approve');

    const { body } = await analyst.post(path(id, 'reopen')).send({ reason: WHY }).expect(201);
    const again = (body as { data: ReviewAnswer }).data;
    expect(again).toMatchObject({ status: 'OPEN', reopenedFrom: id });
    expectError(await colleague.post(path(id, 'reopen')).send({ reason: WHY }), 409, 'STATE_CONFLICT');
    await analyst.post(path(again.id, 'decision')).send(FALSE_ALARM).expect(202);
    await maker403(again.id);
    expect(await read(id)).toMatchObject({ status: 'CLOSED', resolution: 'FALSE_POSITIVE' });
    const { organisationId } = client;
    expect(await trailOf(organisationId, id)).toBe('COMPLETE');
    expect(await trailOf(organisationId, again.id)).toBe('COMPLETE');
  });

  promisedLater('of many who close at once one does', async () => {
    // ASVS 2.3.4
    const id = await aCase();
    await analyst.post(path(id, 'decision')).send(FALSE_ALARM).expect(202);
    const { approvalId } = await read(id);
    const request = `/operator/approvals/${String(approvalId)}`;
    const { digest } = askedIn(await colleague.get(request).expect(200));
    const answers = await Promise.all(
      Array.from({ length: MANY }, () => colleague.post(`${request}/approve`).send({ digest })),
    );
    const count = (status: number): number => answers.filter((answer) => answer.status === status).length;
    // A call that finds no connection in time is told to come again.
    expect({ closed: count(200), refused: count(409) + count(503) }).toEqual({
      closed: 1,
      refused: MANY - 1,
    });
    const { body } = await analyst.get(path(id, 'timeline')).expect(200);
    const actions = (body.data.entries as { action: string }[]).map(({ action }) => action);
    expect(actions).toEqual(['review.opened', 'review.begun', 'review.decided', 'review.closed']);
    expect(body.data.trailStatus).toBe('COMPLETE');
  });
});

/** The state that each audit action leaves a case in; null when it stays where it is. */
const LEAVES: Readonly<Record<string, ReviewStatus | null>> = {
  'review.begun': 'IN_ANALYSIS',
  'review.info_requested': 'AWAITING_INFO',
  'review.info_received': 'IN_ANALYSIS',
  'review.decided': 'PENDING_APPROVAL',
  'review.returned': 'IN_ANALYSIS',
  'review.closed': 'CLOSED',
  'review.assigned': null,
  'review.noted': null,
  'review.reopened': null,
};

again(
  'whatever random operators do in whatever order, no case makes a step that its life does not allow',
  async () => {
    // ASVS 2.3.1
    const steps: readonly (readonly [string, object])[] = [
      ['assign', { assigneeId: 'me' }],
      ['notes', { text: 'Looked at the statement of account.' }],
      ['request-info', { text: 'Asked for the contract.' }],
      ['info', { text: 'The contract is here.' }],
      ['decision', FALSE_ALARM],
      ['decision', REFUSAL],
      ['withdraw', {}],
      ['approve', {}],
      ['refuse', {}],
      ['reopen', { reason: WHY }],
    ];
    const walk = fc.array(fc.tuple(fc.nat(steps.length - 1), fc.boolean()), { minLength: 10, maxLength: 18 });
    const seen = new Set<ReviewStatus>();
    await fc.assert(
      fc.asyncProperty(walk, async (taken) => {
        const id = await aCase();
        for (const [step, mine] of taken) {
          const [name, body] = steps[step]!;
          const by = mine ? analyst : colleague;
          const answer =
            name === 'withdraw' || name === 'approve' || name === 'refuse'
              ? await decideOn(by, id, name)
              : await by.post(path(id, name)).send(body);
          expect([200, 201, 202, 403, 409]).toContain(answer?.status ?? 409);
        }
        const { body } = await analyst.get(path(id, 'timeline')).expect(200);
        let at: ReviewStatus = 'OPEN';
        let maker = '';
        const written = body.data.entries as { action: string; actor: string }[];
        for (const { action, actor } of written.slice(1)) {
          const to = LEAVES[action];
          expect(to).toBeDefined();
          if (action === 'review.decided') maker = actor;
          if (action === 'review.closed') expect(actor).not.toBe(maker);
          if (to) {
            expect({ from: at, to, legal: reviewFlow.allows(at, to) }).toEqual({ from: at, to, legal: true });
            at = to;
            seen.add(to);
          }
        }
        expect((await read(id)).status).toBe(at);
        expect(body.data.trailStatus).toBe('COMPLETE');
      }),
      // Assigned, asked, answered, decided, approved: the states are seen, whatever few others are drawn.
      { numRuns: 1 + runsInPart(30), examples: [[[0, 2, 3, 5, 7].map((step) => [step, step !== 7])]] },
    );
    expect(seen.size).toBeGreaterThanOrEqual(3);
  },
);

describe('A file of a case', () => {
  later('is uploaded, named by a note, downloaded, foreign to others, and gone with its person', async () => {
    const { organisationId } = client;
    const customerId = await aCustomer(organisationId);
    const id = await aCase({ customerId });
    const picture = await aPicture(64, 64, 3).png().toBuffer();
    const send = (file: Buffer, as = analyst): ReturnType<TestApi['post']> =>
      as.post(path(id, 'attachments')).attach('file', file, 'contract.png');
    const stored = (await send(picture)).body as { data: { id: string; linked: boolean } };
    expect(stored.data).toMatchObject({ ownerType: 'REVIEW', kind: 'ATTACHMENT', linked: true });
    const { id: artifactId } = stored.data;
    const repeated = await send(picture);
    expect([repeated.status, (repeated.body as { data: { id: string } }).data.id]).toEqual([200, artifactId]);
    expectError(await send(Buffer.from('MZ not a picture')), 415, 'FILE_TYPE_UNSUPPORTED');
    const note = { text: 'The contract that the branch has sent.', artifactIds: [artifactId] };
    await analyst.post(path(id, 'notes')).send(note).expect(201);
    const file = await read(id);
    expect(file['notes']).toEqual([expect.objectContaining({ text: note.text, artifactIds: [artifactId] })]);
    const content = `/operator/artifacts/${artifactId}/content`;
    const original = `/operator/artifacts/${artifactId}/original`;
    const { body } = await analyst
      .post(original)
      .send({ reason: 'A copy for the branch, as it came.' })
      .expect(200);
    expect(picture.equals(body as Buffer)).toBe(true);
    expect(await trailOf(organisationId, id)).toBe('COMPLETE');

    // To another organisation it is as if there had never been such a case or file.
    const stranger = t.api.asOperator(
      await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId: await organisation() }),
    );
    expectError(await send(picture, stranger), 404, 'REVIEW_NOT_FOUND');
    expectError(await stranger.get(content), 404, 'ARTIFACT_NOT_FOUND');
    const own = publicId('rev', (await open(aRequest(await organisation(), null)))[0]!.reviewId);
    expectError(await stranger.post(path(own, 'notes')).send(note), 404, 'REVIEW_NOT_FOUND');

    const erase = `/operator/customers/${publicId('cus', customerId)}/erase`;
    const asked = await analyst.post(erase).send({ reason: 'The person has asked for it.' }).expect(202);
    await waitOut(t, await approve(colleague, asked));
    expectError(await analyst.get(content), 410, 'ARTIFACT_GONE');
    expect((await read(id))['notes']).toEqual([expect.objectContaining({ text: null })]);
    expect(await trailOf(organisationId, id)).toBe('COMPLETE');
  });
});

describe('The queue', () => {
  it('shows the most urgent first, page by page, and finds by what a case is about', async () => {
    const { organisationId } = client;
    const queue = `q-${randomBytes(3).toString('hex')}`;
    const customerId = await aCustomer(organisationId);
    const ids: string[] = [];
    const themes = ['FRAUD', 'SCREENING', 'CUSTOMER'] as const;
    for (const [i, priority] of (['LOW', 'CRITICAL', 'MEDIUM'] as const).entries()) {
      const request = aRequest(organisationId, customerId, { priority, queue, theme: themes[i]! });
      const [opened] = await open(request);
      ids.push(publicId('rev', opened!.reviewId));
    }
    const page = async (
      query: string,
    ): Promise<{ data: ReviewAnswer[]; page: { nextCursor: string | null } }> =>
      (await analyst.get(`/operator/reviews?queue=${queue}${query}`).expect(200)).body as {
        data: ReviewAnswer[];
        page: { nextCursor: string | null };
      };
    const first = await page('&limit=2');
    expect(first.data.map(({ id }) => id)).toEqual([ids[1], ids[2]]);
    const second = await page(`&limit=2&cursor=${first.page.nextCursor ?? ''}`);
    expect(second.data.map(({ id }) => id)).toEqual([ids[0]]);
    expect((await page('&theme=SCREENING')).data.map(({ id }) => id)).toEqual([ids[1]]);
    expect((await page('&assignee=none')).data).toHaveLength(3);
    expect((await page(`&customerId=${publicId('cus', customerId)}`)).data).toHaveLength(3);
    expect((await page('&overdue=true')).data).toEqual([]);
    await t.owner.query(`UPDATE reviews SET due_at = now() - interval '1 minute' WHERE id = $1`, [
      uuidOf('rev', ids[0]!),
    ]);
    expect((await page('&overdue=true')).data.map(({ id }) => id)).toEqual([ids[0]]);
  });

  it('shares cases out to whoever has the fewest, and gives many to one', async () => {
    const other = await t.client();
    const { organisationId } = other;
    const roster = [];
    for (let i = 0; i < 3; i += 1) roster.push(await t.operator({ roles: ['ANALYST'], organisationId }));
    const lead = t.api.asOperator(roster[0]!);
    const opened = await open(...Array.from({ length: 7 }, () => aRequest(organisationId, null)));
    const preview = { automatic: true, preview: true };
    const { body: previewed } = await lead.post('/operator/reviews/assignments').send(preview).expect(200);
    expect(previewed.data).toMatchObject({ preview: true, assignments: { length: 7 }, refused: [] });
    const { body: unassigned } = await lead.get('/operator/reviews?assignee=none').expect(200);
    expect(unassigned.data).toHaveLength(7);
    const { body } = await lead.post('/operator/reviews/assignments').send({ automatic: true }).expect(200);
    const given = new Map<string, number>();
    for (const { assigneeId } of body.data.assignments) {
      given.set(assigneeId, (given.get(assigneeId) ?? 0) + 1);
    }
    expect([...given.values()].sort()).toEqual([2, 2, 3]);
    const assigneeId = publicId('opr', roster[1]!.id);
    const reviewIds = opened.map(({ reviewId }) => publicId('rev', reviewId));
    const bulk = await lead.post('/operator/reviews/assignments').send({ reviewIds, assigneeId }).expect(200);
    expect(bulk.body.data).toMatchObject({
      preview: false,
      assignments: { length: 7 },
      left: [],
      refused: [],
    });
    // One answer for each: of one that has ended, and one that there is not.
    const merge = { review: reviewIds[0], reason: WHY };
    await lead.post(path(reviewIds[1]!, 'merge')).send(merge).expect(200);
    const nobodys = publicId('rev', randomUUID());
    const some = {
      reviewIds: [...reviewIds.slice(0, 2), nobodys],
      assigneeId: publicId('opr', roster[2]!.id),
    };
    const mixed = await lead.post('/operator/reviews/assignments').send(some).expect(200);
    expect(mixed.body.data).toMatchObject({
      assignments: [{ reviewId: reviewIds[1], assigneeId: some.assigneeId }],
      refused: expect.arrayContaining([
        { reviewId: reviewIds[0], code: 'CLOSED' },
        { reviewId: nobodys, code: 'REVIEW_NOT_FOUND' },
      ]),
    });
    const stranger = publicId('opr', randomUUID());
    expectError(
      await lead.post('/operator/reviews/assignments').send({ reviewIds, assigneeId: stranger }),
      400,
      'VALIDATION_FAILED',
    );
  });

  it('has the cases of somebody again who is disabled or may not work on them any more', async () => {
    const { organisationId } = await t.client();
    const [ana, leaver, mover] = [
      await t.operator({ roles: ['ADMIN', 'ANALYST'], organisationId }),
      await t.operator({ roles: ['ANALYST'], organisationId }),
      await t.operator({ roles: ['ANALYST', 'DEVELOPER'], organisationId }),
    ];
    const admin = t.api.asOperator(ana);
    const opened = await open(...Array.from({ length: 3 }, () => aRequest(organisationId, null)));
    const ids = opened.map(({ reviewId }) => publicId('rev', reviewId));
    const give = (reviewIds: string[], to: string): Promise<unknown> =>
      admin
        .post('/operator/reviews/assignments')
        .send({ reviewIds, assigneeId: publicId('opr', to) })
        .expect(200);
    await give(ids.slice(0, 2), leaver.id);
    await give(ids.slice(2), mover.id);
    const unassigned = async (): Promise<string[]> =>
      (
        (await admin.get('/operator/reviews?assignee=none').expect(200)).body as { data: { id: string }[] }
      ).data.map(({ id }) => id);
    expect(await unassigned()).toEqual([]);

    const operator = (id: string): string => `/operator/operators/${publicId('opr', id)}`;
    const kept = await admin.call('patch', operator(mover.id)).send({ name: 'M' }).expect(200);
    expect(kept.body.data).toMatchObject({ casesReturned: 0 });
    const moved = await admin
      .call('patch', operator(mover.id))
      .send({ roles: ['DEVELOPER'] })
      .expect(200);
    expect(moved.body.data).toMatchObject({ casesReturned: 1, roles: ['DEVELOPER'] });
    const left = await admin
      .post(`${operator(leaver.id)}/disable`)
      .send({})
      .expect(200);
    expect(left.body.data).toMatchObject({ casesReturned: 2, status: 'DISABLED' });
    expect((await unassigned()).sort()).toEqual([...ids].sort());
    const shared = await admin.post('/operator/reviews/assignments').send({ automatic: true }).expect(200);
    expect(shared.body.data.assignments).toHaveLength(3);
  });

  it('takes a case of a person about a transaction, with its reason', async () => {
    const transactionId = await submitted({
      origin: { name: 'Maria Exemplo', cpfCnpj: CPF.customer, country: 'BR' },
    });
    const { rows } = await t.owner.query<{ id: string }>(
      'SELECT id FROM kyt_transactions WHERE transaction_id = $1',
      [transactionId],
    );
    const transaction = publicId('txn', rows[0]!.id);
    const { body } = await analyst
      .post('/operator/reviews')
      .send({ transaction, reason: WHY, priority: 'HIGH' })
      .expect(201);
    expect(body.data).toMatchObject({
      kind: 'MANUAL',
      transactions: [{ id: transaction, transactionId }],
      notes: [{ kind: 'REASON', text: WHY }],
    });
    const nobodys = publicId('txn', randomUUID());
    expectError(
      await analyst.post('/operator/reviews').send({ transaction: nobodys, reason: WHY }),
      404,
      'TRANSACTION_NOT_FOUND',
    );
    expectError(await analyst.post('/operator/reviews').send({ reason: WHY }), 400, 'VALIDATION_FAILED');
  });
});

describe('Two cases that tell of one thing', () => {
  const step = async (by: TestApi, id: string, name: string, body: object): Promise<ReviewAnswer> => {
    const answer = await by.post(path(id, name)).send({ reason: WHY, ...body });
    expect([200, 201]).toContain(answer.status);
    return (answer.body as { data: ReviewAnswer }).data;
  };

  it('are one case, which decides everything in it once; both the merge and the split are undone', async () => {
    const customerId = publicId('cus', await aCustomer(client.organisationId));
    const opened = async (): Promise<{ id: string; transactionId: string; txn: string }> => {
      const transactionId = await submitted({
        externalCustomerId: undefined,
        cpfCnpj: undefined,
        origin: {},
      });
      const { rows } = await t.owner.query<{ id: string }>(
        'SELECT id FROM kyt_transactions WHERE transaction_id = $1',
        [transactionId],
      );
      const txn = publicId('txn', rows[0]!.id);
      const { body } = await analyst
        .post('/operator/reviews')
        .send({ transaction: txn, customerId, reason: WHY })
        .expect(201);
      return { id: (body as { data: ReviewAnswer }).data.id, transactionId, txn };
    };
    const [one, other, third] = [await opened(), await opened(), await opened()];
    const about = async (id: string): Promise<string[]> => {
      const { transactions } = await read(id);
      return transactions.map((found) => found.id).sort();
    };

    const merged = await step(analyst, one.id, 'merge', { review: other.id });
    expect(merged).toMatchObject({ transactionCount: 2, merged: [other.id], points: expect.any(Number) });
    expect(merged['notes']).toHaveLength(3);
    expect(await read(other.id)).toMatchObject({ status: 'MERGED', mergedInto: one.id, transactionCount: 0 });
    expectError(await analyst.post(path(other.id, 'decision')).send(FALSE_ALARM), 409, 'STATE_CONFLICT');
    expect(await step(analyst, other.id, 'unmerge', {})).toMatchObject({ status: 'OPEN', mergedInto: null });
    expect([await about(one.id), await about(other.id)]).toEqual([[one.txn], [other.txn]]);
    await step(analyst, one.id, 'merge', { review: other.id });
    await step(analyst, one.id, 'merge', { review: third.id });

    const part = await step(colleague, one.id, 'split', { transactions: [third.txn] });
    expect(part).toMatchObject({ kind: 'MANUAL', splitFrom: one.id, customerId, transactionCount: 1 });
    const whole = await read(one.id);
    expect(part['analysisDeadline']).toBe(whole['analysisDeadline']);
    expectError(
      await analyst.post(path(part.id, 'split')).send({ transactions: [third.txn], reason: WHY }),
      409,
      'STATE_CONFLICT',
    );
    expectError(
      await analyst.post(path(one.id, 'split')).send({ transactions: [third.txn], reason: WHY }),
      404,
      'TRANSACTION_NOT_FOUND',
    );
    await step(analyst, one.id, 'merge', { review: part.id });
    await step(analyst, third.id, 'unmerge', {});
    expect([await about(one.id), await about(third.id)]).toEqual([[one.txn, other.txn].sort(), [third.txn]]);

    // People of other cases are added; a case of somebody else is not merged.
    const brother = await aCustomer(client.organisationId);
    const brothers = publicId('cus', brother);
    expectError(
      await analyst
        .post(path(one.id, 'merge'))
        .send({ review: await aCase({ customerId: brother }), reason: WHY }),
      409,
      'STATE_CONFLICT',
    );
    const added = await step(analyst, one.id, 'people', { customers: [brothers, customerId] });
    expect(added['people']).toEqual([expect.objectContaining({ customerId: brothers })]);
    expect((await step(analyst, one.id, `people/${brothers}/remove`, {}))['people']).toEqual([]);
    await step(analyst, one.id, 'people', { customers: [brothers] });
    const stranger = publicId('cus', randomUUID());
    expectError(
      await analyst.post(path(one.id, 'people')).send({ customers: [stranger], reason: WHY }),
      404,
      'CUSTOMER_NOT_FOUND',
    );

    await analyst.post(path(one.id, 'decision')).send(REFUSAL).expect(202);
    expectError(
      await analyst.post(path(one.id, 'merge')).send({ review: third.id, reason: WHY }),
      409,
      'STATE_CONFLICT',
    );
    expectError(await analyst.post(path(other.id, 'unmerge')).send({ reason: WHY }), 409, 'STATE_CONFLICT');
    await succeeds(colleague, one.id, 'approve');
    for (const { transactionId } of [one, other]) {
      const events = (await receiver.about(transactionId, 3)).map(({ event }) => event);
      const outcomes = events
        .filter(({ type }) => type === 'kyt.transaction.pipeline.completed')
        .map(({ data }) => data['outcome']);
      expect([transactionId, ...outcomes]).toEqual([transactionId, 'REVIEW', 'REJECTED']);
    }
    expect((await shown(third.transactionId))['outcome']).toBe('REVIEW');
    for (const { id } of [one, other, third, part]) {
      expect([id, await trailOf(client.organisationId, id)]).toEqual([id, 'COMPLETE']);
    }
    const { body } = await analyst.get(`/operator/reviews?customerId=${customerId}`).expect(200);
    expect((body as { data: ReviewAnswer[] }).data.map(({ id }) => id)).toEqual([third.id]);
  });

  again('lose no alert, whatever workers and analysts do at once: each is in exactly one case', async () => {
    const { organisationId } = client;
    const families = ['FRAUD', 'STRUCTURING', 'SCREENING'] as const;
    const alert = fc.record({
      who: fc.nat(2),
      theme: fc.constantFrom(...families),
      riskScore: fc.integer({ min: 1, max: 100 }),
    });
    const act = fc.record({
      step: fc.constantFrom('merge', 'split', 'unmerge'),
      one: fc.nat(20),
      other: fc.nat(20),
    });
    const rounds = fc.array(
      fc.record({
        alerts: fc.array(alert, { minLength: 1, maxLength: 8 }),
        acts: fc.array(act, { maxLength: 3 }),
      }),
      { minLength: 1, maxLength: 4 },
    );
    const two = [...families.slice(0, 2), ...families.slice(0, 2)];
    const elsewhere = [{ who: 2, theme: families[2], riskScore: 1 }];
    // Chance alone may find no step that is allowed: nobody else is at these cases when they are split and merged.
    const oneOfEach = [
      { alerts: two.map((theme) => ({ who: 0, theme, riskScore: 7 })), acts: [] },
      { alerts: elsewhere, acts: [{ step: 'split' as const, one: 0, other: 0 }] },
      { alerts: elsewhere, acts: [{ step: 'merge' as const, one: 0, other: 1 }] },
    ];
    const done = { merge: 0, split: 0, unmerge: 0 };
    await fc.assert(
      fc.asyncProperty(rounds, async (taken) => {
        const people = await Promise.all([0, 1, 2].map(() => aCustomer(organisationId)));
        const sent: { ref: string; theme: Theme; customerId: string; riskScore: number }[] = [];
        const cases = async (): Promise<{ id: string; status: string }[]> => {
          const { rows } = await t.owner.query<{ id: string; status: string }>(
            'SELECT id, status FROM reviews WHERE customer_id = ANY ($1) ORDER BY id',
            [people],
          );
          return rows;
        };
        for (const { alerts, acts } of taken) {
          const known = await cases();
          const requests = alerts.map(({ who, theme, riskScore }) => {
            const ref = randomUUID();
            sent.push({ ref, theme, customerId: people[who]!, riskScore });
            return aRequest(organisationId, people[who]!, {
              ...{ theme, riskScore, transaction: { ref, evaluationVersion: 1 } },
            });
          });
          const half = Math.ceil(requests.length / 2);
          const byHand = acts.map(async ({ step: name, one, other }) => {
            if (known.length === 0) return;
            const first = known[one % known.length]!.id;
            const second = known[other % known.length]!.id;
            const { rows } = await t.owner.query<{ ref: string }>(
              'SELECT transaction_ref AS ref FROM review_transactions WHERE review_id = $1 ORDER BY 1 LIMIT 1',
              [first],
            );
            const body = {
              merge: { review: publicId('rev', second) },
              split: { transactions: rows.map(({ ref }) => publicId('txn', ref)) },
              unmerge: {},
            }[name];
            const answer = await analyst
              .post(path(publicId('rev', first), name))
              .send({ ...body, reason: WHY });
            expect([200, 201, 400, 404, 409]).toContain(answer.status);
            if (answer.status < 300) done[name] += 1;
          });
          await Promise.all([
            ...(half > 0 ? [open(...requests.slice(0, half))] : []),
            ...(half < requests.length ? [open(...requests.slice(half))] : []),
            ...byHand,
          ]);
        }
        const { rows } = await t.owner.query<{ ref: string; cases: number; ended: boolean }>(
          `SELECT x.transaction_ref AS ref, count(*)::int AS cases, bool_or(r.status = 'MERGED') AS ended
           FROM review_transactions x JOIN reviews r ON r.id = x.review_id
           WHERE x.transaction_ref = ANY ($1) GROUP BY 1`,
          [sent.map(({ ref }) => ref)],
        );
        expect(rows).toHaveLength(sent.length);
        expect(rows.filter(({ cases: n, ended }) => n !== 1 || ended)).toEqual([]);
        const { rows: sums } = await t.owner.query<{ points: number; linked: number; taking: number }>(
          `SELECT sum(points)::int AS points, sum(linked)::int AS linked,
             (SELECT coalesce(max(n), 0)::int FROM (SELECT count(*) AS n FROM reviews
                WHERE customer_id = ANY ($1) AND collects GROUP BY customer_id, theme) c) AS taking
           FROM reviews WHERE customer_id = ANY ($1) AND status <> 'MERGED'`,
          [people],
        );
        expect(sums[0]).toMatchObject({
          points: sent.reduce((all, { riskScore }) => all + riskScore, 0),
          linked: sent.length,
        });
        expect(sums[0]!.taking).toBeLessThanOrEqual(1);
        for (const { id } of await cases()) expect(await trailOf(organisationId, id)).toBe('COMPLETE');
      }),
      { numRuns: runsInPart(20), examples: [[oneOfEach]] },
    );
    expect(Math.min(done.merge, done.split)).toBeGreaterThan(0);
  });
});
