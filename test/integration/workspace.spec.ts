import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auditDraftOf, AuditTrail, systemActor } from '../../src/features/audit/index.js';
import { UnitOfWork } from '../../src/platform/database/index.js';
import { newUuid, publicId, uuidOf } from '../../src/platform/kernel/index.js';
import {
  leadReasonOfListHit,
  leadReasonOfMissingData,
  ReviewsService,
  type CaseAlert,
} from '../../src/features/reviews/index.js';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import { expectError } from '../support/answers.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { anArtifact } from '../support/artifacts.js';
import { aTransaction, cpfOf } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { withFlow } from '../support/flows.js';
import { LISTED, withLists } from '../support/lists.js';
import { statementsOf } from '../support/statement-count.js';
import { later } from '../support/needs.js';

const CONSENT = {
  key: 'consent',
  name: { 'pt-BR': 'Aviso', en: 'Notice' },
  ...{ expiresInMinutes: 60, minimumAge: 18, requiredChecks: [] },
  steps: [
    {
      ...{ id: 'privacy', type: 'CONSENT', required: true, noticeVersion: '1' },
      title: { 'pt-BR': 'Privacidade', en: 'Privacy' },
      text: { 'pt-BR': 'Aviso', en: 'Notice' },
    },
  ],
} as const;
const WHY = 'Twelve people paid into an account that was emptied within the hour.';

let t: TestApp;
let client: TestClient;
let analyst: TestApi;
let administrator: TestApi;

beforeAll(async () => {
  t = await startTestApp();
  client = await t.client({ rules: false });
  const { organisationId } = client;
  await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
  await withLists(t, organisationId);
  const as = async (role: 'ANALYST' | 'ADMIN', name: string): Promise<TestApi> =>
    t.api.asOperator(await t.operator({ roles: [role], organisationId, name }));
  [analyst, administrator] = [await as('ANALYST', 'Marina Alves'), await as('ADMIN', 'Ada Chefe')];
  const api = t.api.as(client);
  const bodies = Array.from({ length: 13 }, (_, i) => payment(i));
  await api.ingestBatch(bodies).expect(207);
  for (const { transactionId } of bodies) await api.settled(transactionId);
});

afterAll(async () => {
  await t.close();
});

const mule = cpfOf('mule');
const holder = { name: 'Paulo Laranja Exemplo', cpfCnpj: mule, accountReference: '0001/77', country: 'BR' };
const payment = (i: number): Record<string, unknown> & { transactionId: string } => {
  const other = {
    name: `Pagadora ${'ABCDEFGHIJKLM'[i]} Exemplo`,
    cpfCnpj: cpfOf(`payer-${i}`),
    accountReference: `0009-${i}`,
    country: 'BR',
  };
  const out = i === 12;
  return aTransaction({
    ...{ transactionId: `mule-${i}`, externalCustomerId: 'mule', cpfCnpj: mule, type: 'PIX_TRANSFER' },
    occurredAt: `2026-11-19T10:${String(i).padStart(2, '0')}:00-03:00`,
    amount: out ? 53_900 : 4_500,
    ...{ origin: out ? holder : other, destination: out ? other : holder },
    metadata: {
      ...{ deviceId: 'device-mule', ipAddress: '203.0.113.77', deviceRegistered: true },
      direction: out ? 'OUT' : 'IN',
    },
  });
};

interface Row {
  readonly id: string;
  readonly customerId: string;
  readonly title: { readonly en: string };
  readonly reason: { readonly en: string; readonly 'pt-BR': string };
  readonly rule: string;
  readonly customerName: string | null;
  readonly amount: string | null;
  readonly clock: { readonly name: string; readonly secondsLeft: number };
  readonly assigneeName: string | null;
  readonly priority: string;
  readonly dueAt: string;
  readonly points: number;
  readonly counts: { readonly transactions: number; readonly notes: number; readonly otherOpenCases: number };
  readonly alerts?: readonly { readonly rule: string; readonly transaction: string }[];
  readonly customer?: { readonly documentMasked: string } | null;
}
const dataOf = ({ body }: { readonly body: unknown }): unknown => (body as { data: unknown }).data;
const rowsOf = async (as: TestApi, query = ''): Promise<Row[]> =>
  dataOf(await as.get(`/operator/reviews${query}`).expect(200)) as Row[];
const theCase = async (): Promise<Row> =>
  (await rowsOf(analyst, '?rule=BR-FLOW-12&include=alerts,customer'))[0]!;

describe('a list of cases', () => {
  it('says of each row who, why, how much and until when, without another call', async () => {
    const row = await theCase();
    expect(row).toMatchObject({
      customerName: 'Paulo Laranja Exemplo',
      assigneeName: null,
      customer: { documentMasked: expect.stringContaining('***') },
    });
    expect(row.title.en).not.toBe('');
    expect(row.reason.en).not.toBe(row.reason['pt-BR']);
    expect(row.alerts!.length).toBeGreaterThan(0);
    expect(row.clock).toMatchObject({ name: 'ANALYSIS' });
    expect(row.clock.secondsLeft).toBeGreaterThan(0);
    expect(Number(row.amount)).toBeGreaterThanOrEqual(53_900);
  });

  it('shows whose case it is as letters to those who may not see customers', async () => {
    const [row] = await rowsOf(administrator, '?include=customer');
    expect(row).toMatchObject({ customerName: 'P*** L*** E***', customer: null });
  });

  it.each([
    ['rule=BR-FLOW-12', 'rule=BR-GEO-21'],
    ['country=BR', 'country=IR'],
    ['amountFrom=53900', 'amountFrom=100000000'],
    ['amountTo=100000000', 'amountTo=1'],
    ['scoreFrom=1', 'scoreTo=0'],
    ['openedFrom=2020-01-01T00:00:00Z', 'openedTo=2020-01-01T00:00:00Z'],
    ['text=account', 'text=nothing%25like'],
    ['assignee=none', 'assignee=me'],
    ['theme=STRUCTURING', 'theme=GEOGRAPHY'],
    ['status=OPEN', 'status=CLOSED'],
  ])('is narrowed by %s and by %s', async (has, hasNot) => {
    const { id } = await theCase();
    expect((await rowsOf(analyst, `?${has}`)).map((row) => row.id)).toContain(id);
    expect((await rowsOf(analyst, `?${hasNot}`)).map((row) => row.id)).not.toContain(id);
  });

  it('finds a case by its id and by that of a transaction', async () => {
    const { id, alerts } = await theCase();
    expect((await rowsOf(analyst, `?text=${id}`)).map((row) => row.id)).toEqual([id]);
    expect((await rowsOf(analyst, `?text=${alerts![0]!.transaction}`)).map((row) => row.id)).toContain(id);
  });

  it('is read page by page in every order, each case once', async () => {
    const { customerId } = await theCase();
    for (let i = 0; i < 4; i += 1) {
      await analyst.post('/operator/reviews').send({ customerId, reason: WHY }).expect(201);
    }
    const all = (await rowsOf(analyst)).map(({ id }) => id).sort();
    expect(all.length).toBeGreaterThanOrEqual(5);
    const ranks = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'];
    // A key is smallest for the first row, whatever the order.
    const keyOf: Readonly<Record<string, (row: Row) => readonly (string | number)[]>> = {
      URGENCY: ({ priority, dueAt, id }) => [ranks.indexOf(priority), Date.parse(dueAt), id],
      CLOCK: ({ dueAt, id }) => [Date.parse(dueAt), id],
      OLDEST: ({ id }) => [id],
      NEWEST: ({ id }) => [id.replaceAll(/[0-9a-f]/g, (digit) => (15 - parseInt(digit, 16)).toString(16))],
      AMOUNT: ({ amount }) => [-Number(amount ?? -1)],
      POINTS: ({ points }) => [-points],
    };
    const byKeys = (one: readonly (string | number)[], other: readonly (string | number)[]): number => {
      const at = one.findIndex((key, i) => key !== other[i]);
      return at < 0 ? 0 : one[at]! < other[at]! ? -1 : 1;
    };
    for (const sort of ['URGENCY', 'CLOCK', 'NEWEST', 'OLDEST', 'AMOUNT', 'POINTS'] as const) {
      const seen: Row[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const path = `/operator/reviews?sort=${sort}&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`;
        const { body } = await analyst.get(path).expect(200);
        const page = body as { data: Row[]; page: { nextCursor: string | null } };
        seen.push(...page.data);
        cursor = page.page.nextCursor;
      }
      expect(seen.map(({ id }) => id).sort()).toEqual(all);
      const keys = seen.map(keyOf[sort]!);
      expect([sort, keys]).toEqual([sort, [...keys].sort(byKeys)]);
    }
    expectError(await analyst.get('/operator/reviews?sort=NEWEST&cursor=WzEsMl0'), 400, 'CURSOR_INVALID');
    expectError(await analyst.get('/operator/reviews?sort=NAME'), 400, 'VALIDATION_FAILED');
  });

  it('takes at most twelve statements, for one case as for fifty', async () => {
    const countOf = async (limit: number): Promise<number> => {
      const path = `/operator/reviews?limit=${limit}&include=alerts,customer`;
      return (await statementsOf(t, () => analyst.get(path).expect(200))).length;
    };
    const [one, many] = [await countOf(1), await countOf(50)];
    expect(many).toBeLessThanOrEqual(12);
    expect(one).toBeGreaterThan(0);
    expect(many).toBeLessThanOrEqual(one + 1);
  });
});

describe('a whole case', () => {
  it('is one answer: customer, alerts, transactions with sentences, notes with names, trail and clocks', async () => {
    const { id, customerId } = await theCase();
    const path = `/operator/reviews/${id}`;
    await analyst.post(`${path}/assign`).send({ assigneeId: 'me' }).expect(200);
    await analyst.post(`${path}/notes`).send({ text: 'The branch was called.' }).expect(201);
    const whole = dataOf(await analyst.get(`${path}/file`).expect(200)) as {
      readonly case: Row;
      readonly customer: { readonly id: string; readonly name: string };
      readonly alerts: readonly object[];
      readonly transactions: readonly {
        readonly transactionId: string;
        readonly origin: { readonly name: string; readonly documentMasked: string };
        readonly reasons: readonly { readonly rule: string; readonly sentence: { readonly en: string } }[];
        readonly lookedAt: { readonly components: Readonly<Record<string, unknown>> };
      }[];
      readonly notes: readonly { readonly authorName: string }[];
      readonly timeline: readonly { readonly action: string; readonly actorName: string | null }[];
      readonly clocks: readonly { readonly name: string }[];
      readonly trailStatus: string;
      readonly earlierCases: readonly { readonly id: string }[];
    };
    expect(whole.case).toMatchObject({ id, assigneeName: 'Marina Alves' });
    expect(whole.customer).toMatchObject({ id: customerId, name: 'Paulo Laranja Exemplo' });
    expect(whole.transactions.length).toBe(whole.case.counts.transactions);
    for (const { origin, reasons, lookedAt } of whole.transactions) {
      expect(origin.documentMasked).toContain('*');
      expect(reasons[0]!.sentence.en).not.toBe('');
      expect(Object.keys(lookedAt.components)).toContain('RULES');
    }
    expect(whole.alerts).toHaveLength(whole.transactions.length);
    expect(whole.notes.map(({ authorName }) => authorName)).toEqual(['Marina Alves']);
    expect(whole.timeline.map(({ action, actorName }) => [action, actorName])).toEqual(
      expect.arrayContaining([
        ['review.opened', null],
        ['review.assigned', 'Marina Alves'],
        ['review.noted', 'Marina Alves'],
      ]),
    );
    expect(whole.clocks.map(({ name }) => name)).toEqual(['SELECTION', 'ANALYSIS']);
    expect(whole.trailStatus).toBe('COMPLETE');
    expect(whole.earlierCases.map((one) => one.id)).not.toContain(id);
    expect(JSON.stringify(whole)).not.toContain(mule);
  });

  it('leaves out what its reader may not see', async () => {
    const { id } = await theCase();
    const { customer, transactions } = dataOf(
      await administrator.get(`/operator/reviews/${id}/file`).expect(200),
    ) as {
      readonly customer: null;
      readonly transactions: readonly { readonly origin: { readonly name: string } }[];
    };
    expect(customer).toBeNull();
    for (const { origin } of transactions) expect(origin.name).toMatch(/^P\*\*\*/);
    expectError(
      await analyst.get('/operator/reviews/rev_019364d0c0de7000a000000000000001/file'),
      404,
      'REVIEW_NOT_FOUND',
    );
  });
});

describe('badges', () => {
  it('count what waits for the caller, and say null for what the caller may not know', async () => {
    const counts = dataOf(await analyst.get('/operator/counts').expect(200)) as Record<string, number | null>;
    const open = await rowsOf(analyst, '?limit=200');
    expect(counts).toMatchObject({ open: open.length, toApprove: 0, hits: 0, most: 1_000 });
    expect(counts['mine']! + counts['unassigned']!).toBe(open.length);
    const developer = t.api.asOperator(
      await t.operator({ roles: ['DEVELOPER'], organisationId: client.organisationId }),
    );
    expect(dataOf(await developer.get('/operator/counts').expect(200))).toMatchObject({
      open: null,
      hits: null,
    });
    const { people } = dataOf(await developer.get('/operator/people').expect(200)) as {
      readonly people: readonly { readonly displayName: string }[];
    };
    expect(people.map(({ displayName }) => displayName)).toEqual(
      expect.arrayContaining(['Marina Alves', 'Ada Chefe']),
    );
  });
});

describe('many at once', () => {
  interface Items {
    readonly preview: boolean;
    readonly asked: number;
    readonly refused: number;
    readonly items: readonly {
      readonly id: string;
      readonly result: string;
      readonly code: string | null;
      readonly approvalId: string | null;
    }[];
  }

  later(
    'cases about missing data are proposed each by itself, after a look at what would become of each',
    async () => {
      const { organisationId } = client;
      const gap: CaseAlert = {
        ...{ organisationId, kind: 'DATA_GAP', theme: 'DATA_GAP', priority: 'LOW', riskScore: null },
        ...{ customerId: null, clientAppId: null, occurredAt: new Date() },
        ...{ requestId: null, correlationId: null },
      };
      const lacking = (version: number): CaseAlert['facts'] & object => ({
        ...{
          lead: version === 1 ? leadReasonOfMissingData(['LISTS_MISSING']) : leadReasonOfListHit('pep', 0.9),
          amountCents: null,
        },
        ...{ rules: [], countries: [] },
      });
      const transaction = { ref: newUuid(), evaluationVersion: 1 };
      const [, grown] = await t.app
        .get(UnitOfWork)
        .run(organisationId, (tx) =>
          t.app
            .get(ReviewsService)
            .openCases(tx, [gap, { ...gap, transaction, facts: lacking(1) }], { type: 'system', id: 'test' }),
        );
      // Evaluated again it is more than a gap, and joins the case that is open about it.
      const more: CaseAlert = {
        ...{ ...gap, kind: 'SCORE', facts: lacking(2) },
        transaction: { ...transaction, evaluationVersion: 2 },
      };
      await t.app.get(UnitOfWork).run(organisationId, async (tx) => {
        await t.app.get(ReviewsService).openCases(tx, [more], { type: 'system', id: 'test' });
        // In the pipeline the entry of the evaluation stands beside the change of the case.
        const ctx = systemActor(organisationId, 'test');
        const entry = auditDraftOf(ctx, 'review', grown!.reviewId, 'review.extended', new Date(), {});
        await t.app.get(AuditTrail).record(tx, entry);
      });
      const gaps = (await rowsOf(analyst, '?kind=DATA_GAP')).filter(
        ({ id }) => id !== publicId('rev', grown!.reviewId),
      );
      expect(gaps.length).toBeGreaterThan(0);
      const other = (await rowsOf(analyst, '?rule=BR-FLOW-12'))[0]!;
      const unknown = 'rev_019364d0c0de7000a000000000000001';
      const reviewIds = [gaps[0]!.id, other.id, publicId('rev', grown!.reviewId), unknown];
      const decision = { reviewIds, resolution: 'FALSE_POSITIVE', report: 'ARCHIVE', justification: WHY };
      const path = '/operator/reviews/decisions';
      const results = ({ items }: Items): (string | null)[][] =>
        items.map(({ result, code }) => [result, code]);
      const refusals = [
        ['REFUSED', 'NOT_A_DATA_GAP'],
        ['REFUSED', 'NOT_A_DATA_GAP'],
        ['REFUSED', 'REVIEW_NOT_FOUND'],
      ];

      const preview = dataOf(
        await analyst
          .post(path)
          .send({ ...decision, preview: true })
          .expect(200),
      ) as Items;
      expect(preview).toMatchObject({ preview: true, asked: 1, refused: 3 });
      expect(results(preview)).toEqual([['WOULD_BE_ASKED', null], ...refusals]);
      expect((await rowsOf(analyst, `?text=${gaps[0]!.id}`))[0]).toMatchObject({ status: 'OPEN' });

      const done = dataOf(await analyst.post(path).send(decision).expect(200)) as Items;
      expect(results(done)).toEqual([['ASKED', null], ...refusals]);
      expect(done.items[0]!.approvalId).toMatch(/^apr_/);
      const again = dataOf(await analyst.post(path).send(decision).expect(200)) as Items;
      expect(results(again)).toEqual([['REFUSED', 'NOT_FROM_HERE'], ...refusals]);
      const counts = dataOf(await analyst.get('/operator/counts').expect(200)) as { readonly asked: number };
      expect(counts.asked).toBe(1);
    },
  );
});

describe('a stream', () => {
  /** Listens until `enough`, and returns what came and the last id. */
  async function listen(
    as: { readonly token: string },
    query: string,
    from: string | null,
    enough: (events: readonly Told[]) => boolean,
  ): Promise<{ readonly events: readonly Told[]; readonly last: string }> {
    const aborting = new AbortController();
    const answer = await fetch(`${t.url}/operator/stream${query}`, {
      headers: {
        authorization: `Bearer ${as.token}`,
        ...(from === null ? {} : { 'last-event-id': from }),
      },
      signal: aborting.signal,
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    const events: Told[] = [];
    let last = '';
    let text = '';
    for await (const chunk of answer.body!) {
      text += Buffer.from(chunk).toString('utf8');
      const blocks = text.split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) {
        const fields = new Map(
          block.split('\n').map((line) => [line.split(': ')[0], line.replace(/^\w+: /, '')]),
        );
        last = fields.get('id') ?? last;
        const event = fields.get('event');
        if (event !== undefined) {
          events.push({ event, data: JSON.parse(fields.get('data')!) as Told['data'] });
        }
      }
      if (enough(events)) break;
    }
    aborting.abort();
    return { events, last };
  }
  interface Told {
    readonly event: string;
    readonly data: { readonly id?: string; readonly action?: string; readonly reason?: string };
  }
  const note = async (id: string, text: string): Promise<void> => {
    await analyst.post(`/operator/reviews/${id}/notes`).send({ text }).expect(201);
  };
  const notesIn = (events: readonly Told[], id: string): number =>
    events.filter(({ data }) => data.id === id && data.action === 'review.noted').length;

  it('tells of a case as it changes, and goes on behind the last event that was seen', async () => {
    const { id } = await theCase();
    const operator = await t.operator({ roles: ['ANALYST'], organisationId: client.organisationId });
    const first = listen(operator, `?topics=badges&case=${id}`, null, (events) => notesIn(events, id) >= 1);
    await note(id, 'The first one.');
    const seen = await first;
    expect(seen.events[0]).toMatchObject({ event: 'ready' });
    // Nobody listens meanwhile.
    await note(id, 'The second one.');
    await note(id, 'The third one.');
    const rest = await listen(
      operator,
      `?topics=badges&case=${id}`,
      seen.last,
      (events) => notesIn(events, id) >= 2,
    );
    expect(notesIn(rest.events, id)).toBe(2);
  });

  later(
    'is one of four of a person, fewer than a browser has connections: a fifth ends the oldest, which says so',
    async () => {
      const { token } = await t.operator({ roles: ['ANALYST'], organisationId: client.organisationId });
      const leaving = new AbortController();
      const open = async (): Promise<(until: RegExp) => Promise<string>> => {
        const { body } = await fetch(`${t.url}/operator/stream?topics=badges`, {
          headers: { authorization: `Bearer ${token}` },
          signal: leaving.signal,
        });
        const chunks = body!.pipeThrough(new TextDecoderStream()).getReader();
        let text = '';
        return async (until) => {
          while (!until.test(text)) {
            const { value, done } = await chunks.read();
            if (done) break;
            text += value;
          }
          return text;
        };
      };
      const streams: Awaited<ReturnType<typeof open>>[] = [];
      for (let i = 0; i < 5; i += 1) {
        streams.push(await open());
        await streams[i]!(/event: ready/);
      }
      expect(await streams[0]!(/event: end/)).toContain('data: {"reason":"REPLACED"}');
      for (const read of streams.slice(1)) expect(await read(/event: badges/)).not.toContain('event: end');
      leaving.abort();
    },
  );

  it('tells nobody of what they may not read, and ends with the session', async () => {
    const { id } = await theCase();
    const organisationId = client.organisationId;
    const developer = await t.operator({ roles: ['DEVELOPER'], organisationId });
    const ended = listen(developer, `?topics=cases,hits&case=${id}`, '0', (events) =>
      events.some(({ event }) => event === 'end'),
    );
    await note(id, 'Nothing for developers.');
    await eventually('it is in the log', async () => {
      const told = await listen(
        await t.operator({ roles: ['ANALYST'], organisationId }),
        '?topics=cases',
        '0',
        (events) => notesIn(events, id) > 0,
      );
      return told.events.length > 0;
    });
    await t.api.asOperator(developer).post('/operator/auth/logout').send({}).expect(200);
    const { events } = await ended;
    expect(events.filter(({ event }) => event === 'change')).toEqual([]);
    expect(events.at(-1)).toMatchObject({ event: 'end', data: { reason: 'UNAUTHORISED' } });
  }, 60_000);
});

describe('a case about somebody on a list', () => {
  it('has hits beside their entries, sessions, the profile with its sources, norms, requests and other cases', async () => {
    const { organisationId } = client;
    const roles = ['COMPLIANCE_OFFICER'] as const;
    const officer = t.api.asOperator(await t.operator({ roles, organisationId, name: 'Olga Oficial' }));
    const who = 'listed-customer';
    const cpfCnpj = cpfOf(who);
    const profile = { externalCustomerId: who, document: cpfCnpj, monthlyIncome: 4_000 };
    await officer.call('put', '/operator/customers/profiles').send([profile]).expect(200);
    const body = aTransaction({
      ...{ externalCustomerId: who, cpfCnpj, amount: 90_000, type: 'CASH_DEPOSIT', channel: 'BRANCH' },
      origin: { name: LISTED.sanctions, cpfCnpj, country: 'BR' },
    });
    const api = t.api.as(client);
    await api.ingest(body).expect(202);
    await api.settled(body.transactionId);
    const [about] = await rowsOf(analyst, '?kind=HIT');
    const { id, customerId } = about!;
    const { id: other } = dataOf(
      await officer.post('/operator/reviews').send({ customerId, reason: WHY }).expect(201),
    ) as { id: string };

    await withFlow(t, organisationId, CONSENT);
    const session = dataOf(
      await officer
        .post('/operator/kyc-sessions')
        .send({ flowKey: CONSENT.key, externalCustomerId: who })
        .expect(201),
    ) as { sessionId: string; reference: string };
    const owner = { type: 'SESSION', id: uuidOf('kys', session.reference) ?? '' } as const;
    const picture = await anArtifact(t, organisationId, { owner, customerId: uuidOf('cus', customerId) });
    await t.api
      .post(`/kyc-sessions/${session.sessionId}/complete`)
      .send({ userData: { privacy: true } })
      .expect(202);

    const [hit] = dataOf(await officer.get(`/operator/hits?customerId=${customerId}`).expect(200)) as {
      id: string;
    }[];
    const disposition = { disposition: 'DISMISSED_FALSE_POSITIVE', justification: WHY };
    await officer.post(`/operator/hits/${hit!.id}/proposals`).send(disposition).expect(202);

    await officer.post(`/operator/reviews/${id}/notes`).send({ text: 'Looked at the deposits.' }).expect(201);
    // A friend pays the customer, and somebody else pays the friend.
    const friend = cpfOf('a-friend');
    for (const [payer, payee, ipAddress] of [
      ['a-friend', cpfCnpj, '203.0.113.8'],
      ['a-third', friend, '203.0.113.9'],
    ] as const) {
      const metadata = { deviceId: `device of ${payer}`, ipAddress };
      const destination = { name: 'Fulana de Tal', cpfCnpj: payee, country: 'BR' };
      const by = { externalCustomerId: payer, cpfCnpj: cpfOf(payer) };
      const payment = aTransaction({ ...by, destination, metadata });
      await api.ingest(payment).expect(202);
      await api.settled(payment.transactionId);
    }
    const customers = dataOf(await officer.get(`/operator/customers?document=${friend}`).expect(200));
    const [added] = customers as { id: string }[];
    const people = { customers: [added!.id], reason: WHY };
    await officer.post(`/operator/reviews/${id}/people`).send(people).expect(200);

    const path = `/operator/reviews/${id}/file`;
    const whole = dataOf(await analyst.get(path).expect(200)) as {
      readonly customer: {
        readonly profile: { readonly statements: readonly { field: string; by: string }[] };
      };
      readonly hits: readonly { readonly hit: { readonly alignment: readonly unknown[] } }[];
      readonly transactions: readonly {
        readonly reasons: readonly { readonly legalBasis: readonly unknown[] }[];
      }[];
      readonly related: { readonly nodes: readonly { readonly distance: number }[] };
    };
    expect(whole.customer.profile.statements).toContainEqual(
      expect.objectContaining({ field: 'monthlyIncome', by: 'UPLOAD' }),
    );
    expect(whole.hits).toMatchObject([
      {
        hit: { id: hit!.id, status: 'PENDING', list: 'sanctions', asked: LISTED.sanctions },
        entry: { key: 's1', names: [LISTED.sanctions] },
        decidedByName: null,
      },
    ]);
    expect(whole.hits[0]!.hit.alignment.length).toBeGreaterThan(1);
    const norms = whole.transactions.flatMap(({ reasons }) =>
      reasons.flatMap(({ legalBasis }) => legalBasis),
    );
    expect(norms).toContainEqual(expect.objectContaining({ norm: expect.stringMatching(/./) }));
    expect(whole).toMatchObject({
      sessions: [
        {
          ...{ reference: session.reference, revealed: false },
          steps: [{ stepId: 'privacy', answers: [{ id: 'privacy' }] }],
          files: [{ id: publicId('art', picture.id), kind: 'DOCUMENT' }],
        },
      ],
      approvals: [
        {
          ...{ act: 'hit.decide', status: 'REQUESTED', requestedByName: 'Olga Oficial' },
          ...{ subjectId: hit!.id, link: `/operator/hits/${hit!.id}` },
        },
      ],
      // The checks of the session open a case as well, sooner or later.
      earlierCases: expect.arrayContaining([expect.objectContaining({ id: other, status: 'OPEN' })]),
    });
    expect(whole.related.nodes[0]).toMatchObject({ distance: 0 });
    expect(whole.related.nodes).toContainEqual(expect.objectContaining({ distance: 2 }));
    expect(whole).toMatchObject({ people: [{ customerId: added!.id }] });
    // One for each step from answers to the next reads, and none for each row.
    const sent = await statementsOf(t, () => analyst.get(path).expect(200));
    expect([sent.length, sent]).toEqual([7, sent]);
  });

  later(
    'hits of one entry are proposed together, after a look; what is of another entry is named',
    async () => {
      const { organisationId } = client;
      const officer = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
      const hitOf = async (who: string, name: string): Promise<string> => {
        const cpfCnpj = cpfOf(who);
        const origin = { name, cpfCnpj, country: 'BR' };
        const body = aTransaction({ externalCustomerId: who, cpfCnpj, origin });
        await t.api.as(client).ingest(body).expect(202);
        await t.api.as(client).settled(body.transactionId);
        const found = async (path: string): Promise<string> =>
          (dataOf(await officer.get(path).expect(200)) as { id: string }[])[0]!.id;
        const customer = await found(`/operator/customers?externalCustomerId=${who}`);
        return found(`/operator/hits?customerId=${customer}`);
      };
      const equal = [await hitOf('equal-a', LISTED.sanctions), await hitOf('equal-b', LISTED.sanctions)];
      const hitIds = [...equal, await hitOf('equal-c', LISTED.pep), publicId('hit', newUuid())];
      const asked = { hitIds, disposition: 'DISMISSED_FALSE_POSITIVE', justification: WHY };
      const propose = async (preview: boolean): Promise<(string | null)[][]> => {
        const answer = await officer
          .post('/operator/hits/proposals')
          .send({ ...asked, preview })
          .expect(200);
        const { items } = dataOf(answer) as {
          items: { id: string; result: string; code: string | null; approvalId: string | null }[];
        };
        expect(items.map(({ id }) => id)).toEqual(hitIds);
        for (const { result, approvalId } of items) expect(approvalId !== null).toBe(result === 'ASKED');
        return items.map(({ result, code }) => [result, code]);
      };
      const refusals = [
        ['REFUSED', 'NOT_EQUAL'],
        ['REFUSED', 'HIT_NOT_FOUND'],
      ];
      const would = ['WOULD_BE_ASKED', null];
      // Nothing was done by the first look.
      expect(await propose(true)).toEqual([would, would, ...refusals]);
      expect(await propose(true)).toEqual([would, would, ...refusals]);
      expect(await propose(false)).toEqual([['ASKED', null], ['ASKED', null], ...refusals]);
      const again = ['REFUSED', 'ALREADY_REQUESTED'];
      expect(await propose(false)).toEqual([again, again, ...refusals]);
    },
  );
});
