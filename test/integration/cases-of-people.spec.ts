import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApprovalReaderService } from '../../src/features/approvals/index.js';
import { ReviewDecisionsService } from '../../src/features/kyt/operations/review-decisions.service.js';
import { CaseSummaryService } from '../../src/features/reviews/case-summary.service.js';
import { HitCasesService } from '../../src/features/reviews/hit-cases.service.js';
import type { OperatorPrincipal, Permission } from '../../src/platform/http/index.js';
import { newUuid, uuidOf } from '../../src/platform/kernel/index.js';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import type { TestApi, TestClient } from '../support/api.js';
import { expectError } from '../support/answers.js';
import { approve, askedIn } from '../support/approvals.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { bindAnew } from '../support/tamper.js';
import { aTransaction, cpfOf, DICT } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { LISTED, withLists } from '../support/lists.js';
import { later } from '../support/needs.js';

const WHY = 'Twelve people paid into an account that was emptied within the hour.';

let t: TestApp;
let client: TestClient;
let api: TestApi;
/** The system of the institution, which says what customers declare. */
let institution: TestApi;
let analyst: TestApi;
let colleague: TestApi;

beforeAll(async () => {
  t = await startTestApp();
  client = await t.client({ rules: false });
  const { organisationId } = client;
  await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
  await withLists(t, organisationId);
  api = t.api.as(client);
  institution = t.api.as(await t.client({ organisationId, scopes: ['customers:write'], rules: false }));
  const officer = async (): Promise<TestApi> =>
    t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
  [analyst, colleague] = [await officer(), await officer()];
});

afterAll(async () => {
  await t.close();
});

interface Case {
  readonly id: string;
  readonly revision: number;
  readonly transactionCount: number;
  readonly transactions: readonly {
    readonly id: string;
    readonly transactionId: string;
    readonly related: boolean;
  }[];
}
const data = ({ body }: { readonly body: unknown }): unknown => (body as { data: unknown }).data;

/** A mule: thirteen payments, of which twelve come from twelve people and the last one empties the account. */
function muleOf(name: string): {
  readonly document: string;
  readonly bodies: ReturnType<typeof aTransaction>[];
} {
  const document = cpfOf(name);
  const holder = {
    name: 'Paulo Laranja Exemplo',
    cpfCnpj: document,
    accountReference: '0001/77',
    country: 'BR',
  };
  const other = (person: string, account: string): object => ({
    ...{ name: `Parte ${person} Exemplo`, cpfCnpj: cpfOf(`${name}-${person}`), country: 'BR' },
    accountReference: account,
  });
  const device = { deviceId: `device-${name}`, ipAddress: '203.0.113.77', deviceRegistered: true };
  const payment = (i: number, fields: Record<string, unknown>): ReturnType<typeof aTransaction> =>
    aTransaction({
      ...{ transactionId: `${name}-${i}`, externalCustomerId: name, cpfCnpj: document, type: 'PIX_TRANSFER' },
      occurredAt: `2026-11-19T10:${String(i).padStart(2, '0')}:00-03:00`,
      metadata: { ...device, direction: 'IN' },
      ...fields,
    });
  const incoming = Array.from({ length: 12 }, (_, i) =>
    payment(i, { amount: 4_500, origin: other('ABCDEFGHIJKL'[i]!, `0009-${i}`), destination: holder }),
  );
  const outgoing = payment(12, {
    ...{ amount: 53_900, origin: holder, destination: other('Z', '0010-1') },
    metadata: { ...device, dict: DICT, direction: 'OUT' },
  });
  return { document, bodies: [...incoming, outgoing] };
}

/** Sends the payments of a mule, and returns their one case. */
async function caseOf(name: string): Promise<Case & { readonly customerId: string }> {
  const { document, bodies } = muleOf(name);
  const record = { externalCustomerId: name, document, monthlyIncome: 20_000, pep: false, riskLevel: 'LOW' };
  await institution.call('put', '/customers/profiles').send([record]).expect(200);
  await api.ingestBatch(bodies).expect(207);
  const all = await Promise.all(bodies.map(({ transactionId }) => api.settled(transactionId)));
  expect(all[12]!.outcome).toBe('REVIEW');
  expect(all.filter(({ outcome }) => outcome === 'APPROVED').length).toBeGreaterThan(0);
  const listed = data(await analyst.get(`/operator/customers?externalCustomerId=${name}`).expect(200)) as Ids;
  const customerId = listed[0]!.id;
  const cases = data(await analyst.get(`/operator/reviews?customerId=${customerId}`).expect(200)) as Case[];
  expect(cases).toHaveLength(1);
  return { ...cases[0]!, customerId };
}
type Ids = readonly { readonly id: string }[];
interface Related {
  readonly transactions: readonly { readonly id: string; readonly transactionId: string }[];
  readonly more: boolean;
}

const DECISION = { resolution: 'REJECTED', report: 'COMMUNICATE', justification: WHY };

/** The text of the communication about a customer, as it is filed. */
async function communicationAbout(customerId: string): Promise<string> {
  const communication = await eventually('the communication is drafted', async () => {
    const path = `/operator/coaf/communications?customerId=${customerId}`;
    const [drafted] = data(await analyst.get(path).expect(200)) as Ids;
    return drafted?.id;
  });
  const file = analyst.get(`/operator/coaf/communications/${communication}/files/siscoaf.xml`);
  const { body: xml } = await file
    .buffer(true)
    .parse((answer, done) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        done(null, Buffer.concat(chunks));
      });
    })
    .expect(200);
  return (xml as Buffer).toString('latin1');
}

it('twelve payments in and one out are one case, which is communicated with all thirteen and everybody in them', async () => {
  const { id, customerId, transactionCount: alerts } = await caseOf('mule');
  const path = `/operator/reviews/${id}`;

  // Nobody communicates the case without the payments that filled the account.
  const refused = expectError(
    await analyst.post(`${path}/decision`).send(DECISION),
    409,
    'RELATED_TRANSACTIONS_OPEN',
  );
  const proposed = data(await analyst.get(`${path}/related-transactions`).expect(200)) as Related;
  expect(proposed).toMatchObject({ more: false });
  expect(proposed.transactions).toHaveLength(13 - alerts);
  expect((refused.details as readonly { code: string }[]).map(({ code }) => code).sort()).toEqual(
    proposed.transactions.map((one) => one.id).sort(),
  );

  const whole = data(
    await analyst.post(`${path}/related-transactions`).send({ reason: WHY }).expect(200),
  ) as Case;
  expect(whole.transactionCount).toBe(13);
  expect(new Set(whole.transactions.map(({ transactionId }) => transactionId))).toEqual(
    new Set(muleOf('mule').bodies.map(({ transactionId }) => transactionId)),
  );
  expect(data(await analyst.get(`${path}/related-transactions`).expect(200))).toEqual({
    transactions: [],
    more: false,
  });
  expectError(
    await analyst.post(`${path}/related-transactions`).send({ reason: WHY }),
    404,
    'TRANSACTION_NOT_FOUND',
  );
  const asked = await analyst.post(`${path}/decision`).send(DECISION).expect(202);

  // The approver reaches the case by the id in the request, and reads there what is decided about whom.
  const [request] = data(
    await colleague.get(`/operator/approvals?inbox=TO_APPROVE&subject=${id}`).expect(200),
  ) as { id: string; subjectId: string; link: string }[];
  expect(request).toMatchObject({
    ...{ id: askedIn(asked).id, act: 'case.close', subjectId: id, link: path },
    before: { status: 'PENDING_APPROVAL' },
    after: { status: 'CLOSED', resolution: 'REJECTED', report: 'COMMUNICATE' },
    summary: {
      ...{ customerId, customerName: 'Paulo Laranja Exemplo', amount: expect.any(String), transactions: 13 },
      ...{ rules: expect.arrayContaining(['BR-FLOW-12']), justification: WHY },
    },
  });
  expect(data(await colleague.get(request!.link).expect(200))).toMatchObject({ id, customerId });
  const none = `/operator/approvals?inbox=ALL&subject=${customerId}`;
  expect(data(await colleague.get(none).expect(200))).toEqual([]);
  const approvals = await t.app
    .get(ApprovalReaderService)
    .findBySubjects(client.organisationId, [uuidOf('rev', id) ?? '']);
  const reader = (...permissions: Permission[]): OperatorPrincipal => ({
    ...{ id: newUuid(), organisationId: client.organisationId, permissions: new Set(permissions) },
    ...{ kind: 'PERSON', roles: [], sessionId: newUuid(), strong: true },
  });
  const seen = async (operator: OperatorPrincipal): Promise<unknown[]> => [
    ...(await t.app.get(CaseSummaryService).summarize(operator, approvals)).values(),
  ];
  expect(await seen(reader('reviews:read'))).toMatchObject([{ customerName: 'P*** L*** E***' }]);
  expect(await seen(reader('customers:read'))).toEqual([]);

  await approve(colleague, asked);
  expectError(
    await analyst.post(`${path}/related-transactions`).send({ reason: WHY }),
    404,
    'TRANSACTION_NOT_FOUND',
  );

  const text = await communicationAbout(customerId);
  for (const person of 'ABCDEFGHIJKLZ') expect(text).toContain(cpfOf(`mule-${person}`));
  expect(text).toContain(muleOf('mule').document);

  // The alerts are decided, the others are as they were.
  await eventually('the decision has arrived', async () => {
    const { decision: made } = data(await api.transaction('mule-12')) as { decision: unknown };
    return made !== null;
  });
  for (const { transactionId, related } of whole.transactions) {
    const { outcome } = data(await api.transaction(transactionId).expect(200)) as { outcome: string };
    expect([transactionId, outcome]).toEqual([transactionId, related ? 'APPROVED' : 'REJECTED']);
  }
});

later(
  'whoever communicates a case without payments around its alerts says why; people are added by hand',
  async () => {
    const { id, customerId, transactionCount: alerts } = await caseOf('smurf');
    const path = `/operator/reviews/${id}`;
    const teller = { externalCustomerId: 'teller', document: cpfOf('teller'), name: 'Testemunha Exemplo' };
    await analyst.call('put', '/operator/customers/profiles').send([teller]).expect(200);

    // One is added, taken out again, and put back; alerts are not taken out.
    const { transactions } = data(await analyst.get(`${path}/related-transactions`).expect(200)) as Related;
    const [one, left] = transactions;
    const again = { transactions: [one!.id], reason: WHY };
    const added = data(await analyst.post(`${path}/transactions`).send(again).expect(200)) as Case;
    expect(added.transactionCount).toBe(alerts + 1);
    const alert = added.transactions.find(({ related }) => !related)!;
    await analyst.post(`${path}/transactions/${one!.id}/remove`).send({ reason: WHY }).expect(200);
    expectError(
      await analyst.post(`${path}/transactions/${alert.id}/remove`).send({ reason: WHY }),
      404,
      'TRANSACTION_NOT_FOUND',
    );
    await analyst.post(`${path}/transactions`).send(again).expect(200);

    const told = data(await analyst.get('/operator/customers?externalCustomerId=teller').expect(200)) as Ids;
    const people = { customers: [told[0]!.id], reason: WHY };
    await analyst.post(`${path}/people`).send(people).expect(200);
    expect(data(await analyst.get(`${path}/file`).expect(200))).toMatchObject({
      people: [{ customerId: told[0]!.id, name: 'Testemunha Exemplo' }],
    });

    expectError(await analyst.post(`${path}/decision`).send(DECISION), 409, 'RELATED_TRANSACTIONS_OPEN');
    const why = 'The other payments of that hour are the rent of the flat, as in every month.';
    const asked = await analyst
      .post(`${path}/decision`)
      .send({ ...DECISION, withoutRelated: why })
      .expect(202);
    const { notes } = data(await analyst.get(path).expect(200)) as { notes: { id: string; text: string }[] };
    const note = notes.find(({ text }) => text === why);
    expect(data(asked)).toMatchObject({ after: { report: 'COMMUNICATE', withoutRelated: note?.id } });
    await approve(colleague, asked);
    expectError(await analyst.post(`${path}/transactions`).send(again), 409, 'STATE_CONFLICT');
    const text = await communicationAbout(customerId);
    expect(text).toContain(cpfOf('teller'));
    const payer = 'ABCDEFGHIJKLZ'[Number(left!.transactionId.replace('smurf-', ''))]!;
    expect(text).not.toContain(cpfOf(`smurf-${payer}`));
  },
);

it('a payment that arrives after the proposal holds back the approval, until it is proposed anew', async () => {
  const { id } = await caseOf('late-mule');
  const path = `/operator/reviews/${id}`;
  await analyst.post(`${path}/related-transactions`).send({ reason: WHY }).expect(200);
  const asked = await analyst.post(`${path}/decision`).send(DECISION).expect(202);
  const [first] = muleOf('late-mule').bodies;
  await api.ingest({ ...first, transactionId: 'late-mule-late', amount: 10 }).expect(202);
  await api.settled('late-mule-late');
  const { id: request, digest } = askedIn(asked);
  expectError(
    await colleague.post(`/operator/approvals/${request}/approve`).send({ digest }),
    409,
    'RELATED_TRANSACTIONS_OPEN',
  );
  await colleague.post(`/operator/approvals/${request}/refuse`).send({ reason: WHY }).expect(200);
  await analyst.post(`${path}/related-transactions`).send({ reason: WHY }).expect(200);
  await approve(colleague, await analyst.post(`${path}/decision`).send(DECISION).expect(202));
});

later(
  'four payments of nobody to one party that a list names are one case; another party is another case',
  async () => {
    const paid = (name: string, i: number): ReturnType<typeof aTransaction> => ({
      ...aTransaction({ transactionId: `nobody-${name.slice(0, 3)}-${i}`, amount: 900 }),
      ...{ externalCustomerId: undefined, cpfCnpj: undefined, origin: { country: 'BR' } },
      destination: { name, country: 'BR' },
    });
    const send = async (...bodies: ReturnType<typeof aTransaction>[]): Promise<void> => {
      await api.ingestBatch(bodies).expect(207);
      for (const { transactionId } of bodies) await api.settled(transactionId);
    };
    const rows = async (by: TestApi): Promise<(Case & { readonly subjectHitId: string | null })[]> => {
      const listed = data(await by.get('/operator/reviews?kind=HIT&sort=OLDEST').expect(200)) as (Case & {
        subjectHitId: string | null;
      })[];
      return listed.filter(({ subjectHitId }) => subjectHitId !== null);
    };
    // The first two are judged at once, the last one together with one to somebody else.
    await send(paid(LISTED.sanctions, 0), paid(LISTED.sanctions, 1));
    await send(paid(LISTED.sanctions, 2));
    await send(paid(LISTED.sanctions, 3), paid(LISTED.pep, 0));
    const about = await rows(analyst);
    expect(about).toMatchObject([
      {
        ...{ customerId: null, customerName: null, partyName: LISTED.sanctions, transactionCount: 4 },
        ...{ collects: true, theme: 'SCREENING', counts: { hits: 1, openHits: 1 } },
      },
      { customerId: null, partyName: LISTED.pep, transactionCount: 1 },
    ]);
    const administrator = t.api.asOperator(
      await t.operator({ roles: ['ADMIN'], organisationId: client.organisationId }),
    );
    expect(await rows(administrator)).toMatchObject([{ partyName: 'A*** S*** F***' }, {}]);
    const [{ id, subjectHitId } = { id: '', subjectHitId: '' }] = about;
    expect(data(await analyst.get(`/operator/reviews/${id}/file`).expect(200))).toMatchObject({
      ...{ case: { id, subjectHitId }, customer: null, related: null },
      hits: [{ hit: { id: subjectHitId, asked: LISTED.sanctions } }],
    });

    // A hit whose decision was reopened joins the open case about its party, and the trail of the case says so.
    await t.app.get(HitCasesService).openCases([uuidOf('hit', subjectHitId ?? '') ?? '']);
    expect(data(await analyst.get(`/operator/reviews/${id}/timeline`).expect(200))).toMatchObject({
      trailStatus: 'COMPLETE',
    });

    // A payment after the proposal of a decision opens another case about the same party.
    const decision = { resolution: 'REJECTED', report: 'COMMUNICATE', justification: WHY };
    const asked = await analyst.post(`/operator/reviews/${id}/decision`).send(decision).expect(202);
    await send(paid(LISTED.sanctions, 4));
    const ofParty = async (): Promise<Case[]> =>
      (await rows(analyst)).filter((one) => one.subjectHitId === subjectHitId);
    const [, next] = await ofParty();
    expect(await ofParty()).toMatchObject([
      { id, transactionCount: 4, collects: false },
      { transactionCount: 1, collects: true },
    ]);

    // A part that is split off, and a case that is taken up again, stay about the party.
    const { transactions } = data(await analyst.get(`/operator/reviews/${next!.id}`).expect(200)) as Case;
    const part = data(
      await analyst
        .post(`/operator/reviews/${next!.id}/split`)
        .send({ transactions: transactions.map((one) => one.id), reason: WHY })
        .expect(201),
    );
    expect(part).toMatchObject({ subjectHitId, customerId: null, transactionCount: 1, collects: false });
    await approve(colleague, asked);
    const again = data(
      await analyst.post(`/operator/reviews/${id}/reopen`).send({ reason: WHY }).expect(201),
    );
    expect(again).toMatchObject({ subjectHitId, customerId: null, transactionCount: 4, collects: false });
    for (const one of await rows(analyst)) {
      expect(data(await analyst.get(`/operator/reviews/${one.id}/timeline`).expect(200))).toMatchObject({
        trailStatus: 'COMPLETE',
      });
    }
  },
);

describe('A payment with a mandatory hit that nobody has decided', () => {
  const APPROVAL = { resolution: 'APPROVED', report: 'ARCHIVE', justification: WHY };
  interface File extends Case {
    readonly status: string;
    readonly hits: readonly { readonly id: string; readonly status: string }[];
  }
  const fileOf = async (id: string): Promise<File> =>
    data(await analyst.get(`/operator/reviews/${id}`).expect(200)) as File;
  const shown = async (transactionId: string): Promise<Record<'verdict' | 'reviewId', string>> =>
    data(await api.transaction(transactionId).expect(200)) as Record<'verdict' | 'reviewId', string>;

  /** Pays somebody on a list of sanctions twice; returns their case with the first payment and the hit. */
  async function paidTwice(
    name: string,
  ): Promise<{ id: string; first: string; second: string; hit: string }> {
    const { sanctions } = LISTED;
    const party = { name: sanctions, country: 'BR' };
    for (const i of [1, 2]) {
      const body = {
        transactionId: `${name}-${i}`,
        externalCustomerId: name,
        cpfCnpj: cpfOf(name),
        amount: 900,
      };
      await api.ingest(aTransaction({ ...body, destination: party })).expect(202);
      await api.settled(`${name}-${i}`);
    }
    const { reviewId: id } = await shown(`${name}-1`);
    const { transactions, hits } = await fileOf(id);
    expect([transactions.length, hits.map(({ status }) => status)]).toEqual([2, ['PENDING']]);
    const [first, second] = [1, 2].map(
      (i) => transactions.find((one) => one.transactionId === `${name}-${i}`)!.id,
    );
    return { id, first: first!, second: second!, hit: hits[0]!.id };
  }
  async function dismiss(hit: string): Promise<void> {
    const disposition = { disposition: 'DISMISSED_FALSE_POSITIVE', justification: WHY };
    await approve(
      colleague,
      await analyst.post(`/operator/hits/${hit}/proposals`).send(disposition).expect(202),
    );
  }

  it.each([
    [
      'split off its case',
      async ({ id, first }) =>
        data(
          await analyst
            .post(`/operator/reviews/${id}/split`)
            .send({ transactions: [first], reason: WHY })
            .expect(201),
        ),
    ],
    [
      'in a case that somebody opened beside its own',
      async ({ first }) =>
        data(await analyst.post('/operator/reviews').send({ transaction: first, reason: WHY }).expect(201)),
    ],
    [
      'whose hit was split off its case',
      async ({ id, hit }) => {
        await analyst
          .post(`/operator/reviews/${id}/split`)
          .send({ hits: [hit], reason: WHY })
          .expect(201);
        return { id };
      },
    ],
  ] satisfies [string, (of: Awaited<ReturnType<typeof paidTwice>>) => Promise<unknown>][])(
    '%s is not released before two people have decided the hit, which the approver sees',
    async (how, step) => {
      const name = `way-${how.length}`;
      const paid = await paidTwice(name);
      const { id } = (await step(paid)) as { id: string };
      const path = `/operator/reviews/${id}`;
      const refused = expectError(
        await analyst.post(`${path}/decision`).send(APPROVAL),
        409,
        'MANDATORY_REVIEW_OPEN',
      );
      expect(refused.details).toMatchObject([{ code: paid.hit }]);
      expect((await fileOf(id)).hits).toMatchObject([{ id: paid.hit, status: 'PENDING' }]);

      await dismiss(paid.hit);
      const asked = await analyst.post(`${path}/decision`).send(APPROVAL).expect(202);
      const [request] = data(
        await colleague.get(`/operator/approvals?inbox=TO_APPROVE&subject=${id}`).expect(200),
      ) as { summary: unknown }[];
      expect(request!.summary).toMatchObject({
        hits: [{ id: paid.hit, status: 'DISMISSED_FALSE_POSITIVE' }],
      });
      await approve(colleague, asked);
      await eventually('it is released', async () => (await shown(`${name}-1`)).verdict === 'RELEASE');
    },
  );

  later('is judged again when the dismissal that let people release it is taken back', async () => {
    const { id, hit } = await paidTwice('released');
    await dismiss(hit);
    await approve(
      colleague,
      await analyst.post(`/operator/reviews/${id}/decision`).send(APPROVAL).expect(202),
    );
    for (const one of ['released-1', 'released-2']) {
      await eventually('it is released', async () => (await shown(one)).verdict === 'RELEASE');
    }
    await approve(
      colleague,
      await analyst.post(`/operator/hits/${hit}/reopen`).send({ reason: WHY }).expect(202),
    );
    for (const one of ['released-1', 'released-2']) {
      await eventually('it is held again', async () => (await shown(one)).verdict === 'HOLD');
    }
  });

  later(
    'is not released by an approval after which the hit was opened again: it goes back to people',
    async () => {
      const { id, hit } = await paidTwice('reopened');
      await dismiss(hit);
      const path = `/operator/reviews/${id}`;
      const asked = await analyst.post(`${path}/decision`).send(APPROVAL).expect(202);
      // The release waits for the row of the hit, which says something else when it gets there.
      const hitId = uuidOf('hit', hit) ?? '';
      const owner = await t.owner.connect();
      try {
        await owner.query('BEGIN');
        await owner.query(
          `UPDATE screening_hits SET status = 'PENDING', decided_by = NULL, decided_at = NULL, justification = NULL,
           expires_at = NULL WHERE id = $1`,
          [hitId],
        );
        await approve(colleague, asked);
        const waits = `SELECT FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted`;
        await eventually('the release waits', async () => (await t.owner.query(waits)).rows.length > 0);
        await owner.query('COMMIT');
      } finally {
        owner.release(true);
      }
      await bindAnew(t, 'screening_hit', hitId);
      const again = await eventually('its case is open again', async () => {
        await t.app
          .get(ReviewDecisionsService)
          .applyDecisions([uuidOf('rev', id) ?? ''])
          .catch(refusedByDatabase);
        const { verdict, reviewId } = await shown('reopened-1');
        expect(verdict).toBe('HOLD');
        return reviewId !== id && reviewId;
      });
      expect(await fileOf(again)).toMatchObject({
        status: 'OPEN',
        transactionCount: 2,
        hits: [{ id: hit, status: 'PENDING' }],
      });
      for (const one of [id, again]) {
        expect(data(await analyst.get(`/operator/reviews/${one}/timeline`).expect(200))).toMatchObject({
          trailStatus: 'COMPLETE',
        });
      }
    },
  );
});

/** The database refuses the release that was on its way; the next attempt finds what has changed. */
function refusedByDatabase(error: unknown): void {
  expect(String(error)).toContain('released while a hit about it is undecided');
}
