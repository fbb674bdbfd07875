import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { receiptText } from '../../src/features/kyt/domain/stored/stored-packing.js';
import fc from 'fast-check';
import { AuditTrail } from '../../src/features/audit/index.js';
import { newUuid, publicId } from '../../src/platform/kernel/index.js';
import { ReceiptExportService } from '../../src/features/kyt/index.js';
import { verifyBundle } from '../../src/features/kyt/domain/replay.js';
import { LateEffectsService } from '../../src/features/kyt/late/late-effects.service.js';
import { LateReEvaluationService } from '../../src/features/kyt/late/late-re-evaluation.service.js';
import { LateOutcomeRecorder } from '../../src/features/kyt/late/late-outcome-recorder.js';
import {
  LateEffectRepository,
  type LateImpact,
} from '../../src/features/kyt/store/work/late-effect.repository.js';
import { MetricsRegistry } from '../../src/platform/telemetry/index.js';
import { RulesetsService } from '../../src/features/rules/index.js';
import { brFirst } from '../support/br-first.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { approve } from '../support/approvals.js';
import { aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { later } from '../support/needs.js';

type Rule = (typeof brFirst.rules)[number];

/** The second outgoing transaction of a customer within a day has points, the third is for a person. */
const THREE = {
  ...brFirst,
  key: 'three-a-day',
  rules: brFirst.rules.flatMap((rule) =>
    rule.key === 'BR-VEL-01'
      ? [countRule(rule, 2, { minOutcome: null, recommend: 'NONE' }, 10)].concat(
          countRule(rule, 3, { minOutcome: 'REVIEW', recommend: 'HOLD' }, 20),
        )
      : [rule],
  ),
};

function countRule(
  rule: Rule,
  least: number,
  effect: Pick<Rule['effect'], 'minOutcome' | 'recommend'>,
  points: number,
): Rule {
  return {
    ...rule,
    key: `BR-VEL-0${least}`,
    when: `outgoing.count24h >= ${least}`,
    parameters: {},
    score: { points, group: 'VELOCITY', groupMax: null },
    effect: { reasonCode: 'MANY_TRANSACTIONS', ...effect },
  };
}

const DECISION = {
  resolution: 'APPROVED',
  report: 'ARCHIVE',
  justification: 'Known to the branch for years; papers seen.',
} as const;

let t: TestApp;
let client: TestClient;
let api: TestApi;

beforeAll(async () => {
  t = await startTestApp({ settings: { reconcileIntervalMs: 100 } });
  client = await aClient(t);
  api = t.api.as(client);
});

afterEach(() => {
  jest.restoreAllMocks();
});

afterAll(async () => {
  await t.close();
});

async function aClient(app: TestApp): Promise<TestClient> {
  const made = await app.client({ rules: false });
  await app.app.get(RulesetsService).publish(made.organisationId, THREE, 'test');
  return made;
}

type Body = ReturnType<typeof aTransaction>;

// A whole second, some days ago.
const BEGIN = Math.floor(Date.now() / 86_400_000 - 6) * 86_400_000;

/** A customer of its own, whose transactions take place so many minutes after that. */
function aCustomer(): (minute: number, fields?: Record<string, unknown>) => Body {
  const name = randomBytes(6).toString('hex');
  const own = {
    externalCustomerId: `late-${name}`,
    // Known by the id alone, so that one document does not make one person of all.
    cpfCnpj: undefined,
    origin: { name: 'Maria Exemplo', country: 'BR' },
    metadata: { deviceId: `device-${name}`, deviceRegistered: true },
  };
  return (minute, fields = {}) =>
    aTransaction({
      ...own,
      occurredAt: new Date(BEGIN + minute * 60_000).toISOString(),
      ...fields,
    });
}

async function send(body: Body, as = api): Promise<string> {
  await as.ingest(body).expect(202);
  await as.settled(body.transactionId);
  return body.transactionId;
}

interface Version {
  readonly id: string;
  readonly evaluation_version: number;
  readonly outcome: string;
  readonly receipt: string;
}

async function versionsOf(transactionId: string): Promise<Version[]> {
  const { rows } = await t.owner.query<Omit<Version, 'receipt'> & { readonly receipt: Buffer }>(
    `SELECT t.id, e.evaluation_version, e.outcome, e.receipt FROM kyt_transactions t
     JOIN kyt_evaluations e ON e.transaction_ref = t.id
     WHERE t.transaction_id = $1 ORDER BY e.evaluation_version`,
    [transactionId],
  );
  return rows.map((row) => ({ ...row, receipt: receiptText(row.receipt) }));
}

async function refOf(transactionId: string): Promise<string> {
  const [first] = await versionsOf(transactionId);
  if (!first) throw new Error('it is not evaluated');
  return first.id;
}

const outcomesOf = async (transactionId: string): Promise<string[]> =>
  (await versionsOf(transactionId)).map(({ outcome }) => outcome);

async function count(text: string, values: readonly unknown[]): Promise<number> {
  const { rows } = await t.owner.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${text}`, [...values]);
  return rows[0]?.n ?? -1;
}

/** Waits until nothing is owed to late transactions. */
const answered = (organisationId = client.organisationId): Promise<boolean> =>
  eventually(
    'late transactions are answered',
    async () => (await count('kyt_late_effects WHERE organisation_id = $1', [organisationId])) === 0,
  );

/** Events about a transaction that say that it is evaluated. */
const told = (ref: string): Promise<number> =>
  count(`events WHERE resource_id = $1 AND type = 'kyt.transaction.pipeline.completed'`, [ref]);

const noted = (ref: string): Promise<number> =>
  count(`audit_entries WHERE subject_id = $1 AND action = 'transaction.late_noted'`, [ref]);

async function expectIntactTrail(id: string): Promise<void> {
  const { organisationId } = client;
  const verdict = await t.app.get(AuditTrail).trailStatus({ organisationId, type: 'transaction', id });
  expect(verdict.status).toBe('COMPLETE');
}

/** Collects what is found for late transactions from now on: for all of them, or for one. */
function findings(): (lateRef?: string) => Promise<LateImpact[]> {
  const spy = jest.spyOn(t.app.get(LateEffectRepository, { strict: false }), 'storeAffected');
  return async (lateRef) => {
    const asked = spy.mock.results.filter(
      (_, i) => lateRef === undefined || spy.mock.calls[i]?.[1] === lateRef,
    );
    const found = await Promise.all(asked.map(({ value }) => value as Promise<LateImpact | null>));
    return found.filter((one) => one !== null);
  };
}

describe('A late transaction', () => {
  it('is none in order: nothing is looked for, and nothing is evaluated again', async () => {
    const own = aCustomer();
    const found = findings();
    const ids: string[] = [];
    for (const minute of [0, 10, 20, 30]) ids.push(await send(own(minute)));
    // The last lies so far off that it is a next row of the others, which came in after them.
    const together = [own(40), own(50), own(60), own(300)];
    await api.ingestBatch(together).expect(207);
    for (const { transactionId } of together) ids.push((await api.settled(transactionId)).transactionId);
    for (const id of ids) expect(await versionsOf(id)).toHaveLength(1);
    // One that is late is looked for afterwards, and is the only one.
    await send(own(299));
    await eventually('it is found', async () => (await found()).length > 0);
    await answered();
    expect((await found()).map(({ affected }) => affected)).toEqual([1]);
  });

  it('raises an approved one to REVIEW: one version, one event, one case, and the receipt names it', async () => {
    const own = aCustomer();
    const early = await send(own(0));
    const later = await send(own(60));
    expect(await outcomesOf(later)).toEqual(['APPROVED']);
    const late = await send(own(30));
    await eventually('it is judged again', async () => (await versionsOf(later)).length === 2);
    await answered();

    const [, second] = await versionsOf(later);
    expect(second).toMatchObject({ evaluation_version: 2, outcome: 'REVIEW' });
    expect(JSON.parse(second?.receipt ?? '{}')).toMatchObject({
      trigger: { kind: 'LATE_EVENT', transactions: [await refOf(late)] },
    });
    const ref = await refOf(later);
    expect(await told(ref)).toBe(2);
    expect(await count('review_transactions WHERE transaction_ref = $1', [ref])).toBe(1);
    expect(await api.settled(later)).toMatchObject({ outcome: 'REVIEW' });
    expect(await outcomesOf(early)).toEqual(['APPROVED']);
    expect(await outcomesOf(late)).toEqual(['APPROVED']);
    await expectIntactTrail(ref);
    const { rows } = await t.owner.query<{ content: { late: string[] } }>(
      `SELECT convert_from(canonical, 'UTF8')::jsonb -> 'content' AS content FROM audit_entries
       WHERE subject_id = $1 AND action = 'transaction.evaluated' ORDER BY subject_seq DESC LIMIT 1`,
      [ref],
    );
    expect(rows[0]?.content.late).toEqual([publicId('txn', await refOf(late))]);

    const bundle = await t.app
      .get(ReceiptExportService, { strict: false })
      .createBundle(client.organisationId, ref, 2);
    expect(verifyBundle(JSON.stringify(bundle)).problems).toEqual([]);
    const receipt = bundle.receipt.replace(await refOf(late), await refOf(early));
    expect(verifyBundle(JSON.stringify({ ...bundle, receipt })).problems).not.toEqual([]);
  });

  it('is not told of where the outcome stays: no version, no event', async () => {
    const own = aCustomer();
    const found = findings();
    const later = await send(own(60));
    await send(own(30));
    await eventually('it is found', async () => (await found()).length > 0);
    await answered();
    expect(await outcomesOf(later)).toEqual(['APPROVED']);
    expect(await told(await refOf(later))).toBe(1);
  });

  it('affects nobody whose windows do not reach it: other customers, other organisations, months later', async () => {
    const own = aCustomer();
    const found = findings();
    const other = await aClient(t);
    await send(own(120), t.api.as(other));
    await send(aCustomer()(120));
    await send(own(120));
    // The windows of a customer reach back 90 days, those of a device 25 hours.
    await send(own(120 - 91 * 24 * 60));
    await send(own(120 - 89 * 24 * 60));
    await eventually('one of them is late', async () => (await found()).length > 0);
    await answered();
    expect((await found()).map(({ affected }) => affected)).toEqual([1]);
  });

  it('affects who shares its device, whoever the customer is', async () => {
    const found = findings();
    const device = {
      metadata: { deviceId: `shared-${randomBytes(4).toString('hex')}`, deviceRegistered: true },
    };
    const later = await send(aCustomer()(60, device));
    await send(aCustomer()(30, device));
    await eventually('it is found', async () => (await found()).length > 0);
    await answered();
    expect((await found()).flatMap(({ found: refs }) => refs)).toEqual([await refOf(later)]);
  });

  it('has one effect when the worker dies after the version, and when two judge at once', async () => {
    const own = aCustomer();
    await send(own(0));
    const later = await send(own(60));
    const ref = await refOf(later);
    const dying = jest.spyOn(t.app.get(LateOutcomeRecorder, { strict: false }), 'markDone');
    dying.mockRejectedValue(new Error('made to fail'));
    await send(own(30));
    await eventually('it is judged again', async () => (await versionsOf(later)).length === 2);
    await eventually('the worker is gone', () => dying.mock.calls.length > 0);
    expect(await count('kyt_late_effects WHERE affected_ref = $1', [ref])).toBe(1);
    dying.mockRestore();
    const judge = t.app.get(LateReEvaluationService, { strict: false });
    await Promise.all([judge.reEvaluate([ref]), judge.reEvaluate([ref])]);
    await answered();
    expect(await outcomesOf(later)).toEqual(['APPROVED', 'REVIEW']);
    expect(await told(ref)).toBe(2);
  });

  it('has one effect when two judge at once for the first time', async () => {
    const own = aCustomer();
    await send(own(0));
    const later = await send(own(60));
    const ref = await refOf(later);
    const judge = t.app.get(LateReEvaluationService, { strict: false });
    const held = jest.spyOn(judge, 'reEvaluate').mockResolvedValue();
    await send(own(30));
    await eventually('it is found', () => held.mock.calls.some(([refs]) => refs.includes(ref)));
    held.mockRestore();
    await Promise.all([judge.reEvaluate([ref]), judge.reEvaluate([ref]), judge.reEvaluate([ref])]);
    await answered();
    expect(await outcomesOf(later)).toEqual(['APPROVED', 'REVIEW']);
    expect(await told(ref)).toBe(2);
    await expectIntactTrail(ref);
  });

  it('is not forgotten when its job is lost: the reconciler finds it', async () => {
    const own = aCustomer();
    await send(own(0));
    const later = await send(own(60));
    const lost = jest
      .spyOn(t.app.get(LateEffectsService, { strict: false }), 'findAffected')
      .mockResolvedValue();
    await send(own(30));
    await eventually('the job is lost', () => lost.mock.calls.length > 0);
    lost.mockRestore();
    expect(await outcomesOf(later)).toEqual(['APPROVED']);
    await t.owner.query(`UPDATE kyt_late_effects SET due_at = now() - interval '1 second'`);
    await eventually('it is judged again', async () => (await versionsOf(later)).length === 2);
    await answered();
  });

  it('never overrules a person: the decision stands, and the trail says what would have come', async () => {
    const { organisationId } = client;
    const own = aCustomer();
    const decided = await send(own(60, { amount: 60_000 }));
    const ref = await refOf(decided);
    const { rows } = await t.owner.query<{ id: string }>(
      'SELECT review_id AS id FROM review_transactions WHERE transaction_ref = $1',
      [ref],
    );
    const path = `/operator/reviews/${publicId('rev', rows[0]?.id ?? '')}`;
    const officer = { roles: ['COMPLIANCE_OFFICER'], organisationId } as const;
    const [maker, checker] = [await t.operator(officer), await t.operator(officer)];
    const proposed = await t.api.asOperator(maker).post(`${path}/decision`).send(DECISION).expect(202);
    await approve(t.api.asOperator(checker), proposed);
    await eventually(
      'the decision has arrived',
      async () => (await count('kyt_decisions WHERE transaction_ref = $1', [ref])) === 1,
    );
    const events = await told(ref);

    // Money that comes in is nothing to these rules.
    await send(own(10, { metadata: { direction: 'IN' } }));
    await answered();
    expect(await noted(ref)).toBe(0);
    await send(own(20));
    await eventually('it is noted', async () => (await noted(ref)) === 1);
    await answered();
    expect(await outcomesOf(decided)).toEqual(['REVIEW']);
    expect(await told(ref)).toBe(events);
    expect(await api.settled(decided)).toMatchObject({ outcome: 'APPROVED' });
    await expectIntactTrail(ref);
  });

  it('does not overrule a decision either that comes while it is judged again', async () => {
    const own = aCustomer();
    await send(own(0));
    const later = await send(own(60));
    const ref = await refOf(later);
    const effects = t.app.get(LateEffectRepository, { strict: false });
    const read = jest.spyOn(effects, 'findPreviousEvaluation').mockImplementationOnce(async (affected) => {
      read.mockRestore();
      const before = await effects.findPreviousEvaluation(affected);
      await t.owner.query(
        `INSERT INTO kyt_decisions
         SELECT $1, organisation_id, $2, 1, id, 'APPROVED', 3, now(), '\\x00' FROM reviews WHERE organisation_id = $3 LIMIT 1`,
        [newUuid(), ref, client.organisationId],
      );
      return before;
    });
    await send(own(30));
    await eventually('it is noted', async () => (await noted(ref)) === 1);
    await answered();
    expect(await outcomesOf(later)).toEqual(['APPROVED']);
    expect(await told(ref)).toBe(1);
  });

  later('has at most 200 judged again, the newest; its trail and a metric say how many are not', async () => {
    const own = aCustomer();
    const found = findings();
    const bodies = Array.from({ length: 205 }, (_, i) => own(10 + i));
    await api.ingestBatch(bodies).expect(207);
    for (const { transactionId } of bodies) await api.settled(transactionId);
    const ref = await refOf(await send(own(0)));
    // A batch is stored in several commits; the one that is last may hold the earlier part, which is late itself.
    await eventually('it is found', async () => (await found(ref)).length > 0);
    await answered();
    const [one] = await found(ref);
    const newest = await Promise.all(bodies.slice(5).map(({ transactionId }) => refOf(transactionId)));
    expect(one?.affected).toBe(205);
    expect([...(one?.found ?? [])].sort()).toEqual(newest.sort());
    expect(await noted(ref)).toBe(1);
    const { rows } = await t.owner.query<{ content: object }>(
      `SELECT convert_from(canonical, 'UTF8')::jsonb -> 'content' AS content FROM audit_entries
       WHERE subject_id = $1 AND action = 'transaction.late_noted'`,
      [ref],
    );
    expect(rows[0]?.content).toEqual({ affected: 205, judged: 200 });
    await expectIntactTrail(ref);
    expect(await t.app.get(MetricsRegistry).registry.metrics()).toMatch(
      /^vigia_kyt_late_effects_total\{result="not_judged"\} 5$/m,
    );
  });
});

describe('The order of arrival', () => {
  later('makes no difference in the end', async () => {
    const [ordered, mixed] = [await aClient(t), await aClient(t)];
    const minutes = fc.uniqueArray(fc.integer({ min: 0, max: 3 * 24 * 60 }), { minLength: 2, maxLength: 9 });
    let raised = 0;
    await fc.assert(
      fc.asyncProperty(
        minutes,
        fc.infiniteStream(fc.nat()),
        fc.boolean(),
        async (arrival, amounts, together) => {
          const own = aCustomer();
          const bodies = arrival.map((minute) =>
            own(minute, { amount: 1 + ((amounts.next().value ?? 0) % 900) }),
          );
          const [first, second] = [t.api.as(ordered), t.api.as(mixed)];
          const inOrder = [...bodies].sort((a, b) =>
            String(a['occurredAt']).localeCompare(String(b['occurredAt'])),
          );
          for (const body of inOrder) await send(body, first);
          if (together) await Promise.all(bodies.map((body) => send(body, second)));
          else for (const body of bodies) await send(body, second);
          await answered(mixed.organisationId);
          const [one, other] = [new Map<string, string>(), new Map<string, string>()];
          for (const { transactionId } of bodies) {
            one.set(transactionId, (await first.settled(transactionId)).outcome ?? '');
            other.set(transactionId, (await second.settled(transactionId)).outcome ?? '');
          }
          expect(other).toEqual(one);
          const { rows } = await t.owner.query(
            `SELECT FROM kyt_evaluations e JOIN kyt_transactions t ON t.id = e.transaction_ref
             WHERE t.organisation_id = $1 AND t.transaction_id = ANY ($2) AND e.evaluation_version > 1`,
            [mixed.organisationId, bodies.map(({ transactionId }) => transactionId)],
          );
          raised += rows.length;
        },
      ),
      { numRuns: 20 },
    );
    // Arrivals of which none mattered would prove nothing.
    expect(raised).toBeGreaterThan(0);
    const { rows } = await t.owner.query(
      `SELECT FROM kyt_evaluations WHERE organisation_id = $1 AND evaluation_version > 1`,
      [ordered.organisationId],
    );
    expect(rows).toEqual([]);
  });
});
