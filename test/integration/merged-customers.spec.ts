import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { AuditTrail } from '../../src/features/audit/index.js';
import { CustomerCacheService } from '../../src/features/customers/identification/customer-cache.service.js';
import { CustomerMergesService } from '../../src/features/customers/customer-merges.service.js';
import { publicId, uuidOf } from '../../src/platform/kernel/index.js';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { approve } from '../support/approvals.js';
import { anArtifact } from '../support/artifacts.js';
import { aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { LISTED, withLists } from '../support/lists.js';
import { customerSighted } from '../support/observations.js';

/** Fictional CPFs with valid check digits, each of one test. */
const documents = ['71460238001', '60872412300', '98765432100', '86288366757', '24843803480', '28001238938'];
const WHY = 'Outra pessoa, com outro nome de mãe e outra data de nascimento.';

let t: TestApp;
let other: TestApp;
let client: TestClient;
let integrator: TestApi;
let officer: TestApi;
let second: TestApi;

beforeAll(async () => {
  t = await startTestApp();
  other = await startTestApp({ like: t, settings: { role: 'api' } });
  client = await t.client({ rules: false, scopes: ['kyt:ingest', 'kyt:read', 'customers:read'] });
  const { organisationId } = client;
  await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
  await withLists(t, organisationId);
  integrator = t.api.as(client);
  officer = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
  second = t.api.asOperator(
    await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId: client.organisationId }),
  );
});

afterAll(async () => {
  await other.close();
  await t.close();
});

/** A transaction of the customer as the institution names it. */
async function evaluated(
  externalCustomerId: string | undefined,
  cpfCnpj: string | undefined,
  fields: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const body = aTransaction({ externalCustomerId, cpfCnpj, origin: {}, metadata: {}, ...fields });
  await integrator.ingest(body).expect(202);
  return (await integrator.settled(body.transactionId)) as unknown as Record<string, unknown>;
}

const sighted = (on: TestApp, externalCustomerId: string | null, document: string | null): Promise<string> =>
  customerSighted(on, client, externalCustomerId, document);

interface Hit {
  readonly id: string;
  readonly status: string;
  readonly list: string;
  readonly mandatory: boolean;
  readonly decidedBy: string | null;
  readonly justification: string | null;
}

const listed = async (path: string): Promise<{ id: string }[]> =>
  ((await officer.get(path).expect(200)).body as { data: { id: string }[] }).data;
const hitsOf = async (customer: string): Promise<Hit[]> =>
  (await listed(`/operator/hits?customerId=${customer}`)) as unknown as Hit[];
const dispose = async (id: string, disposition: string): Promise<void> => {
  const body = { disposition, justification: WHY };
  const { mandatory } = ((await officer.get(`/operator/hits/${id}`).expect(200)).body as { data: Hit }).data;
  if (mandatory && disposition !== 'ESCALATED') {
    await approve(second, await officer.post(`/operator/hits/${id}/proposals`).send(body).expect(202));
  } else await officer.post(`/operator/hits/${id}/disposition`).send(body).expect(200);
};
const idIn = (prefix: 'cus' | 'hit', id: string): string => uuidOf(prefix, id) ?? '';
const trailOf = async (type: 'customer' | 'screening_hit', id: string): Promise<string> =>
  (await t.app.get(AuditTrail).trailStatus({ organisationId: client.organisationId, type, id })).status;
const named = (name: string): Record<string, unknown> => ({ origin: { name, country: 'BR' } });
const rulesOf = (answer: Record<string, unknown>): string[] =>
  (answer['reasons'] as { ruleId: string }[]).map(({ ruleId }) => ruleId);

/** Without what a second between two calls changes. */
const timeless = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer, (key, value: unknown) =>
      key === 'ageSeconds' || key === 'secondsLeft' ? null : value,
    ),
  );

describe('After a merge', () => {
  it('every list answers for the id of the merged record as for that of the record that stays', async () => {
    const [document, external] = [documents[0]!, `lists-${randomUUID()}`];
    const old = await sighted(t, external, null);
    const kept = await sighted(t, null, document);
    expect(old).not.toBe(kept);
    await evaluated(external, undefined, named(LISTED.sanctions));
    await evaluated(undefined, document, { amount: 17 });
    await evaluated(external, undefined, { type: 'CASH_DEPOSIT', amount: 60_000, destination: {} });
    await officer
      .post('/operator/kyc-sessions')
      .send({ flowKey: 'onboarding-pf', externalCustomerId: external })
      .expect(201);
    await eventually(
      'the cash is reported',
      async () => (await listed(`/operator/coaf/communications?customerId=${old}`)).length > 0,
    );
    await evaluated(external, document, { amount: 18 });
    for (const [list, least] of [
      ['/operator/reviews', 1],
      ['/operator/hits', 1],
      ['/operator/kyc-sessions', 1],
      ['/operator/coaf/communications', 1],
      ['/operator/transactions', 4],
    ] as const) {
      const [byOld, byKept] = [
        await listed(`${list}?customerId=${old}`),
        await listed(`${list}?customerId=${kept}`),
      ];
      expect({ list, enough: byKept.length >= least }).toEqual({ list, enough: true });
      expect({ list, answer: timeless(byOld) }).toEqual({ list, answer: timeless(byKept) });
      // Somebody else's id, or nobody's, finds nothing.
      expect(await listed(`${list}?customerId=${publicId('cus', randomUUID())}`)).toEqual([]);
    }
  });

  it.each([
    ['goes into another one', true],
    ['another one goes into', false],
  ])('a hit that was dismissed for a record that %s is asked again for both', async (_, isMerged) => {
    const [document, external] = [cpf(), `dismissed-${randomUUID()}`];
    const [old, kept] = [await sighted(t, external, null), await sighted(t, null, document)];
    const keys = [isMerged ? external : undefined, isMerged ? undefined : document] as const;
    // About the customer, and about somebody whom the customer pays.
    const paying = { destination: { name: LISTED.sanctions, country: 'BR' } };
    await evaluated(...keys, named(LISTED.sanctions));
    await evaluated(...keys, { ...named('Maria Exemplo'), ...paying });
    const own = await hitsOf(isMerged ? old : kept);
    const theirs = (await listed(`/operator/hits?forCustomerId=${isMerged ? old : kept}`)) as Hit[];
    expect([own, theirs].map(({ length }) => length)).toEqual([1, 1]);
    for (const { id } of [...own, ...theirs]) await dispose(id, 'DISMISSED_FALSE_POSITIVE');
    expect(await sighted(t, external, document)).toBe(kept);
    expect(await hitsOf(kept)).toMatchObject([{ id: own[0]!.id, status: 'PENDING', justification: null }]);
    expect(await listed(`/operator/hits?forCustomerId=${kept}`)).toMatchObject([
      { id: theirs[0]!.id, status: 'PENDING' },
    ]);
    expect(await trailOf('screening_hit', idIn('hit', own[0]!.id))).toBe('COMPLETE');
    await eventually('somebody is asked', async () => {
      const [review] = await listed(`/operator/reviews?customerId=${kept}&status=OPEN`);
      return review !== undefined;
    });
    for (const fields of [named(LISTED.sanctions), { ...named('Maria Exemplo'), ...paying }]) {
      expect(await evaluated(undefined, document, fields)).toMatchObject({ verdict: 'HOLD' });
    }
    // Another id of the same person is nobody else: what two people decide now is remembered.
    for (const { id } of [...own, ...theirs]) await dispose(id, 'DISMISSED_FALSE_POSITIVE');
    expect(await sighted(t, `further-${randomUUID()}`, document)).toBe(kept);
    expect(await hitsOf(kept)).toMatchObject([{ status: 'DISMISSED_FALSE_POSITIVE' }]);
  });

  it('a payment that a process lets through before it has heard of the merge is judged again', async () => {
    const [document, external] = [cpf(), `unheard-${randomUUID()}`];
    await evaluated(external, undefined, named(LISTED.sanctions));
    const [old, kept] = [await sighted(t, external, null), await sighted(t, null, document)];
    expect(await sighted(t, external, document)).toBe(kept);
    await t.app.get(CustomerMergesService).pollMerges();
    // The process remembers the record as one that has not heard yet does.
    const memory = t.app.get(CustomerCacheService);
    const { rows } = await t.owner.query<Parameters<typeof memory.remember>[0]>(
      `SELECT id, organisation_id AS "organisationId", subject_index AS "subjectIndex", named,
              external_index AS "externalIndex", document_index AS "documentIndex" FROM customers WHERE id = $1`,
      [idIn('cus', old)],
    );
    memory.remember(rows[0]!);
    const body = aTransaction({ externalCustomerId: external, cpfCnpj: undefined, amount: 100, origin: {} });
    const metadata = { ...(body['metadata'] as object), direction: 'OUT' };
    await integrator.ingest({ ...body, metadata }).expect(202);
    const passed = await integrator.settled(body.transactionId);
    memory.forget(idIn('cus', old));
    expect(passed).toMatchObject({ verdict: 'RELEASE', nonDefensibleReasons: [] });
    await eventually(
      'it is held',
      async () => {
        const { body: now } = await integrator.get(`/kyt/transactions/${body.transactionId}`).expect(200);
        return (now as { data: { verdict: string } }).data.verdict === 'HOLD';
      },
      15_000,
    );
  });

  it('whoever confirms the hit of the merged record stops the payments of the one that stays', async () => {
    const [document, external] = [cpf(), `confirmed-${randomUUID()}`];
    await evaluated(external, undefined, named(LISTED.sanctions));
    await evaluated(undefined, document, named(LISTED.sanctions));
    const [old, kept] = [await sighted(t, external, null), await sighted(t, null, document)];
    const [hit] = await hitsOf(old);
    expect(await sighted(t, external, document)).toBe(kept);
    await dispose(hit!.id, 'CONFIRMED');
    expect((await hitsOf(kept)).map(({ status }) => status)).toEqual(['CONFIRMED', 'CONFIRMED']);
    const { rows } = await t.owner.query(
      `SELECT f.subject_index = c.document_index AS own FROM freezes f JOIN customers c ON c.id = f.customer_id
       WHERE c.id = $1 AND f.lifted_at IS NULL`,
      [idIn('cus', kept)],
    );
    expect(rows).toEqual([{ own: true }]);
  });

  it('a hit that was dismissed for a record that gets its document is not asked again', async () => {
    const [document, external] = [documents[2]!, `dismissed-${randomUUID()}`];
    await evaluated(external, undefined, named(LISTED.sanctions));
    const old = await sighted(t, external, null);
    const [hit] = await hitsOf(old);
    expect(hit).toMatchObject({ status: 'PENDING', list: 'sanctions' });
    await dispose(hit!.id, 'DISMISSED_FALSE_POSITIVE');
    const kept = await sighted(t, external, document);
    const answer = await evaluated(external, document, named(LISTED.sanctions));
    expect(rulesOf(answer)).not.toContain('BR-LIST-01');
    await evaluated(undefined, document, named(LISTED.sanctions));
    expect(await hitsOf(kept)).toMatchObject([
      { id: hit!.id, status: 'DISMISSED_FALSE_POSITIVE', justification: WHY },
    ]);
    expect(await trailOf('screening_hit', idIn('hit', hit!.id))).toBe('COMPLETE');
    // When the entry says something else, it is asked again.
    await t.owner.query(`UPDATE screening_hits SET entry_hash = '\\x00' WHERE id = $1`, [
      idIn('hit', hit!.id),
    ]);
    expect(rulesOf(await evaluated(undefined, document, named(LISTED.sanctions)))).toContain('BR-LIST-01');
    expect(await hitsOf(kept)).toMatchObject([{ id: hit!.id, status: 'PENDING' }]);
  });

  it.each([
    ['DISMISSED_FALSE_POSITIVE', 'CONFIRMED', 'CONFIRMED'],
    ['ESCALATED', 'DISMISSED_FALSE_POSITIVE', 'ESCALATED'],
    ['DISMISSED_FALSE_POSITIVE', null, 'PENDING'],
    ['DISMISSED_FALSE_POSITIVE', 'DISMISSED_FALSE_POSITIVE', 'PENDING'],
  ] as const)(
    'of what was decided of the two records (%s and %s) the more cautious counts, and never a dismissal (%s)',
    async (one, two, both) => {
      const external = `conflict-${randomUUID()}`;
      const document = cpf();
      await evaluated(external, undefined, named(LISTED.pep));
      await evaluated(undefined, document, named(LISTED.pep));
      const [old, kept] = [await sighted(t, external, null), await sighted(t, null, document)];
      const [[first], [second]] = [await hitsOf(old), await hitsOf(kept)];
      await dispose(first!.id, one);
      if (two !== null) await dispose(second!.id, two);
      expect(await sighted(t, external, document)).toBe(kept);
      const hits = await hitsOf(old);
      expect(hits.map(({ id }) => id).sort()).toEqual([first!.id, second!.id].sort());
      for (const hit of hits) {
        const decided = { justification: WHY, decidedBy: expect.stringMatching(/^opr_/) };
        const open = { justification: null, decidedBy: null };
        expect(hit).toMatchObject({ status: both, ...(both === 'PENDING' ? open : decided) });
        expect(await trailOf('screening_hit', idIn('hit', hit.id))).toBe('COMPLETE');
      }
      await evaluated(external, document, named(LISTED.pep));
      expect((await hitsOf(kept)).map(({ status }) => status)).toEqual([both, both]);
    },
  );
});

let last = 100_000_000;
/** A fictional CPF with valid check digits that no other test has. */
function cpf(): string {
  last += 1;
  const base = String(last);
  const digit = (digits: string): number => {
    const sum = [...digits].reduce((total, one, i) => total + Number(one) * (digits.length + 1 - i), 0);
    return sum % 11 < 2 ? 0 : 11 - (sum % 11);
  };
  const first = digit(base);
  return `${base}${first}${digit(`${base}${first}`)}`;
}

describe('A second id of the institution', () => {
  it('that comes with a known document leads to the same customer, alone as well, in every process, and is shown', async () => {
    const document = cpf();
    const [one, two] = [`one-${randomUUID()}`, `two-${randomUUID()}`];
    const id = await sighted(t, one, document);
    // However many say so at once, in however many processes.
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, i) => sighted(i % 2 === 0 ? t : other, two, document)),
    );
    expect(new Set(all)).toEqual(new Set([id]));
    expect(await sighted(t, two, null)).toBe(id);
    const fresh = await startTestApp({ like: t, settings: { role: 'api' } });
    try {
      expect(await sighted(fresh, two, null)).toBe(id);
    } finally {
      await fresh.close();
    }
    for (const reader of [officer.get(`/operator/customers/${id}`), integrator.get(`/customers/${id}`)]) {
      const { body } = await reader.expect(200);
      expect(body.data).toMatchObject({ externalCustomerId: one, externalCustomerIds: [one, two] });
    }
    for (const external of [one, two]) {
      expect(
        (await listed(`/operator/customers?externalCustomerId=${external}`)).map((row) => row.id),
      ).toEqual([id]);
    }
    // Nobody was identified by it, and the trails are whole.
    const { rows } = await t.owner.query<{ id: string; events: number }>(
      `SELECT c.id, (SELECT count(*)::int FROM events e WHERE e.resource_id = c.id) AS events
       FROM customers c WHERE c.id = $1 OR c.merged_into = $1 ORDER BY events DESC`,
      [idIn('cus', id)],
    );
    expect(rows.map(({ events }) => events)).toEqual([1, 0]);
    for (const row of rows) expect(await trailOf('customer', row.id)).toBe('COMPLETE');
  });

  it('that is already of somebody with another document stays theirs', async () => {
    const [mine, theirs] = [cpf(), cpf()];
    const shared = `shared-${randomUUID()}`;
    const them = await sighted(t, shared, theirs);
    const me = await sighted(t, `own-${randomUUID()}`, mine);
    expect(await sighted(t, shared, mine)).toBe(me);
    expect(await sighted(t, shared, null)).toBe(them);
    expect(await sighted(other, shared, null)).toBe(them);
  });

  it('is kept up to the fifth: an institution that numbers each payment does not fill the record', async () => {
    const document = cpf();
    const id = await sighted(t, `many-${randomUUID()}`, document);
    for (let i = 0; i < 8; i += 1) expect(await sighted(t, `many-${i}-${document}`, document)).toBe(id);
    const { body } = await officer.get(`/operator/customers/${id}`).expect(200);
    expect((body.data as { externalCustomerIds: string[] }).externalCustomerIds).toHaveLength(6);
  });
});

describe('Row-level security', () => {
  it('shows a query without an organisation no row of the desk, in tables that hold some', async () => {
    const { organisationId } = client;
    const [review] = await listed('/operator/reviews');
    const { customerId } = review as unknown as { customerId: string };
    await officer
      .post(`/operator/reviews/${review!.id}/notes`)
      .send({ text: 'Looked at the statement.' })
      .expect(201);
    await anArtifact(t, organisationId, { customerId: idIn('cus', customerId) });
    const raw = new pg.Client({ connectionString: t.database.appUrl });
    await raw.connect();
    try {
      for (const table of [
        ...[
          'customers',
          'screening_hits',
          'screening_lists',
          'screening_entries',
          'kyc_sessions',
          'artifacts',
        ],
        ...['reviews', 'review_notes', 'review_transactions', 'review_hits', 'coaf_communications'],
        ...['audit_entries', 'events', 'kyt_transactions', 'kyt_evaluations', 'subject_keys'],
      ]) {
        const count = `SELECT count(*)::int AS n FROM ${table}`;
        const [there, seen] = [
          await t.owner.query<{ n: number }>(count),
          await raw.query<{ n: number }>(count),
        ];
        expect({ table, holdsSome: there.rows[0]!.n > 0, seen: seen.rows[0]!.n }).toEqual({
          ...{ table, holdsSome: true, seen: 0 },
        });
      }
    } finally {
      await raw.end();
    }
  });
});
