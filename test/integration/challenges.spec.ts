import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { scopes } from '../../src/platform/http/index.js';
import { uuidOf } from '../../src/platform/kernel/index.js';
import { possibleVerdicts } from '../../src/features/kyt/domain/verdict.js';
import { verifyReceipt } from '../../src/features/kyt/domain/replay.js';
import { StepUpResultsService } from '../../src/features/kyt/pipeline/step-up-results.service.js';
import { ReceiptExportService } from '../../src/features/kyt/replay/receipt-export.service.js';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import { ExpirySweepService } from '../../src/features/sessions/outcome/expiry-sweep.service.js';
import { StepUpsService } from '../../src/features/sessions/index.js';
import { WebhookEndpointsService } from '../../src/features/webhooks/index.js';
import type { TestApi, TransactionAnswer } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { approve } from '../support/approvals.js';
import { aTransaction, CPF, DICT } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { withFlow } from '../support/flows.js';
import { withLists } from '../support/lists.js';
import { askingFrom, QUICK_FLOW } from '../support/page-flow.js';
import { WebhookReceiver } from '../support/receiver.js';

/** A worker that dies when it is told to, before anything is stored. */
class Answers extends StepUpResultsService {
  static deaths = 0;
  static taken = 0;

  override async reEvaluateForSessions(sessionIds: readonly string[]): Promise<void> {
    Answers.taken += 1;
    if (Answers.deaths > 0) {
      Answers.deaths -= 1;
      throw new Error('killed');
    }
    return super.reEvaluateForSessions(sessionIds);
  }
}

/** Lets something happen between looking for an open session and joining it. */
class Opener extends StepUpsService {
  static meanwhile: (() => Promise<void>) | null = null;

  override async prepareStepUps(
    ...given: Parameters<StepUpsService['prepareStepUps']>
  ): ReturnType<StepUpsService['prepareStepUps']> {
    const prepared = await super.prepareStepUps(...given);
    const { meanwhile } = Opener;
    Opener.meanwhile = null;
    await meanwhile?.();
    return prepared;
  }
}

interface Judged extends Omit<TransactionAnswer, 'reasons'> {
  readonly verdict: string | null;
  readonly recommendedAction: string | null;
  readonly nextAction: { type: string; sessionId: string; url: string; expiresAt: string } | null;
  readonly reviewId: string | null;
  readonly evaluationVersion: number;
  readonly decision: unknown;
  readonly reasons: { ruleId: string; reasonCode: string; points: number; observed: string | null }[];
}

let t: TestApp;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await WebhookReceiver.listen();
  t = await startTestApp({
    settings: { rateLimitSessionPerMinute: 100_000 },
    override: (builder) =>
      builder
        .overrideProvider(StepUpResultsService)
        .useClass(Answers)
        .overrideProvider(StepUpsService)
        .useClass(Opener),
  });
});

afterAll(async () => {
  await t.close();
  await receiver.close();
});

afterEach(() => {
  Answers.deaths = 0;
  Opener.meanwhile = null;
});

/** An organisation whose transactions from 900 on ask for a session through that flow, and who decides there. */
async function anOrganisation(
  flowKey = 'quick',
  rules = askingFrom(900, flowKey),
): Promise<{
  api: TestApi;
  officer: TestApi;
  colleague: TestApi;
  organisationId: string;
}> {
  const client = await t.client({ scopes, rules: false });
  const { organisationId, id: clientAppId } = client;
  const actor = { type: 'operator', id: 'test' } as const;
  await t.app.get(WebhookEndpointsService).create({ organisationId, clientAppId, url: receiver.url, actor });
  await withLists(t, organisationId);
  const person = async (): Promise<TestApi> =>
    t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
  const [officer, colleague] = [await person(), await person()];
  await withFlow(t, organisationId, { key: 'quick', ...QUICK_FLOW });
  await t.app.get(RulesetsService).publish(organisationId, rules, 'test');
  return { api: t.api.as(client), officer, colleague, organisationId };
}

async function read(api: TestApi, transactionId: string): Promise<Judged> {
  const { body } = await api.transaction(transactionId).expect(200);
  return (body as { data: Judged }).data;
}

/** Sends a transaction that asks for a session, and returns how it stands. */
async function challenged(api: TestApi, fields: Record<string, unknown> = {}): Promise<Judged> {
  const origin = { name: 'Maria Exemplo', cpfCnpj: CPF.customer, country: 'BR' };
  const body = aTransaction({ amount: 950, origin, ...fields });
  await api.ingest(body).expect(202);
  return (await api.settled(body.transactionId)) as unknown as Judged;
}

const answered = (api: TestApi, { transactionId }: Judged, version = 2): Promise<Judged> =>
  eventually(`${transactionId} has version ${version}`, async () => {
    const found = await read(api, transactionId);
    return found.evaluationVersion >= version && found;
  });

/** The customer follows the link of the read-back. */
async function submit({ nextAction }: Judged, fields: Record<string, unknown> = {}): Promise<void> {
  const person = { name: 'Maria Exemplo', cpf: CPF.customer, birthDate: '1980-05-17', ...fields };
  await t.api.post(`/kyc-sessions/${nextAction!.sessionId}/complete`).send({ userData: person }).expect(202);
}

async function referenceOf(organisationId: string): Promise<string> {
  const { rows } = await t.owner.query<{ id: string }>(
    'SELECT id FROM kyc_sessions WHERE organisation_id = $1 ORDER BY id LIMIT 1',
    [organisationId],
  );
  return `kys_${rows[0]!.id.replaceAll('-', '')}`;
}

const codesOf = ({ reasons }: Judged): string[] => reasons.map(({ reasonCode }) => reasonCode);

/** Events of evaluations about a transaction, by version, once nothing is owed any more. */
async function toldAbout(organisationId: string, transactionId: string): Promise<number[]> {
  await eventually('nothing is owed', async () => {
    const { rows } = await t.owner.query<{ owed: number }>(
      `SELECT count(*)::int AS owed FROM kyc_session_transactions
       WHERE organisation_id = $1 AND announced_at IS NOT NULL AND re_evaluated_at IS NULL`,
      [organisationId],
    );
    return rows[0]?.owed === 0;
  });
  const { rows } = await t.owner.query<{ versions: number; events: number }>(
    `SELECT (SELECT count(*)::int FROM kyt_evaluations e WHERE e.transaction_ref = t.id) AS versions,
            (SELECT count(*)::int FROM events v
             WHERE v.resource_id = t.id AND v.type = 'kyt.transaction.pipeline.completed') AS events
     FROM kyt_transactions t WHERE t.transaction_id = $1`,
    [transactionId],
  );
  return [rows[0]!.versions, rows[0]!.events];
}

const HELD = { verdict: 'HOLD', outcome: 'REVIEW', recommendedAction: 'HOLD', nextAction: null };

/** The rules that ship, of an organisation that has no flow to ask through. */
const withoutFlow = {
  ...brStarter,
  rules: brStarter.rules.map((rule) => ({
    ...rule,
    actions: rule.actions.map((action) => ({ ...action, flowKey: 'nowhere' })),
  })),
};
const unregistered = {
  metadata: { deviceId: 'device-1', deviceRegistered: false, ipAddress: '203.0.113.7', dict: DICT },
};

describe('a challenge', () => {
  it('is released when the session ends well; the read-back leads to it, the reason says so, the receipt replays', async () => {
    const { api, organisationId } = await anOrganisation();
    const before = await challenged(api);
    expect(before).toMatchObject({
      verdict: 'CHALLENGE',
      outcome: 'CHALLENGED',
      recommendedAction: 'STEP_UP',
      defensible: true,
      reviewId: null,
      nextAction: { type: 'STEP_UP_SESSION' },
    });
    const { nextAction } = before;
    expect(nextAction!.url).toMatch(new RegExp(`/verify/${nextAction!.sessionId}$`));
    await t.api.get(`/kyc-sessions/${nextAction!.sessionId}/public`).expect(200);
    const [, told] = await receiver.about(before.transactionId, 2);
    expect(told?.event.data).toMatchObject({ verdict: 'CHALLENGE', nextAction });
    await submit(before);
    const after = await answered(api, before);
    expect(after).toMatchObject({
      verdict: 'RELEASE',
      outcome: 'APPROVED',
      recommendedAction: 'NONE',
      nextAction: null,
    });
    const session = await referenceOf(organisationId);
    const why = after.reasons.find(({ reasonCode }) => reasonCode === 'LIMIT_EXCEEDED_VERIFIED');
    expect(why).toMatchObject({ ruleId: 'ASKS-FOR-SESSION', points: 0 });
    expect(why?.observed).toContain(`session = ${session}`);
    expect(await toldAbout(organisationId, before.transactionId)).toEqual([2, 2]);
    const { rows } = await t.owner.query<{ id: string }>(
      'SELECT id FROM kyt_transactions WHERE transaction_id = $1',
      [before.transactionId],
    );
    for (const version of [1, 2]) {
      const bundle = await t.app.get(ReceiptExportService).createBundle(organisationId, rows[0]!.id, version);
      expect(verifyReceipt(bundle).problems).toEqual([]);
      expect(JSON.parse(bundle.receipt)).toMatchObject({
        formula: 4,
        challengeFlows: { quick: { state: version === 1 ? 'OPEN' : 'PASSED', session } },
      });
    }
    // Somebody who was verified a moment ago is not asked, and the approval above the limit says why.
    const next = await challenged(api);
    expect(next).toMatchObject({ verdict: 'RELEASE', nextAction: null, evaluationVersion: 1 });
    expect(codesOf(next)).toContain('LIMIT_EXCEEDED_VERIFIED');
  });

  it.each([
    ['fails', { cpf: CPF.payee, name: 'Outra Pessoa Ficticia' }],
    ['is rejected', { birthDate: '2015-01-01' }],
  ])('is held, with a case, when the session %s', async (_, fields) => {
    const { api, organisationId } = await anOrganisation();
    const before = await challenged(api);
    await submit(before, fields);
    const after = await answered(api, before);
    expect(after).toMatchObject({ ...HELD, reviewId: expect.stringMatching(/^rev_/) });
    expect(codesOf(after)).toContain('STEP_UP_FAILED');
    expect(await toldAbout(organisationId, before.transactionId)).toEqual([2, 2]);
  });

  it('is held when the session is cancelled: both transactions that asked for it, each with one event', async () => {
    const { api, officer, organisationId } = await anOrganisation();
    const both = [await challenged(api), await challenged(api)];
    expect(both[1]?.nextAction?.sessionId).toBe(both[0]?.nextAction?.sessionId);
    const reference = await referenceOf(organisationId);
    await officer.post(`/operator/kyc-sessions/${reference}/cancel`).expect(200);
    for (const before of both) {
      const after = await answered(api, before);
      expect(after).toMatchObject({ ...HELD, reviewId: expect.stringMatching(/^rev_/) });
      expect(codesOf(after)).toContain('STEP_UP_CANCELLED');
    }
    const uuid = uuidOf('kys', reference)!;
    await Promise.all(
      Array.from({ length: 5 }, () => t.app.get(StepUpResultsService).reEvaluateForSessions([uuid])),
    );
    for (const { transactionId } of both) {
      expect(await toldAbout(organisationId, transactionId)).toEqual([2, 2]);
    }
    const cases = await officer.get('/operator/reviews?kind=SCORE').expect(200);
    expect((cases.body as { data: unknown[] }).data.length).toBeGreaterThan(0);
  });

  it('is held when the session expires', async () => {
    const { api, organisationId } = await anOrganisation();
    const before = await challenged(api);
    await expire(organisationId);
    const after = await answered(api, before);
    expect(after).toMatchObject({ ...HELD, reviewId: expect.stringMatching(/^rev_/) });
    expect(codesOf(after)).toContain('STEP_UP_EXPIRED');
    expect(await toldAbout(organisationId, before.transactionId)).toEqual([2, 2]);
  });

  it.each([
    ['of the night', { occurredAt: '2026-11-19T23:30:00-03:00', amount: 1_500 }, 'BR-PIX-15'],
    ['for a device that is not registered', unregistered, 'BR-PIX-16'],
  ])(
    'is what a PIX above the legal limit %s comes out as; without an answer it is no approval',
    async (_, fields, rule) => {
      const { api, organisationId } = await anOrganisation('step-up', brStarter);
      const before = await challenged(api, fields);
      expect(before).toMatchObject({ verdict: 'CHALLENGE', outcome: 'CHALLENGED', defensible: true });
      expect(before.nextAction?.url).toContain(before.nextAction!.sessionId);
      expect(before.reasons.map(({ ruleId }) => ruleId)).toContain(rule);
      await expire(organisationId);
      const after = await answered(api, before);
      expect(after).toMatchObject(HELD);
      expect(codesOf(after)).toContain('STEP_UP_EXPIRED');

      const { api: elsewhere } = await anOrganisation('nowhere', withoutFlow);
      const held = await challenged(elsewhere, fields);
      expect(held).toMatchObject(HELD);
      expect(codesOf(held)).toContain('STEP_UP_UNAVAILABLE');
    },
  );

  it('is judged once when workers die in between and several take it up together', async () => {
    const { api, organisationId } = await anOrganisation();
    const both = [await challenged(api), await challenged(api)];
    const uuid = uuidOf('kys', await referenceOf(organisationId))!;
    Answers.deaths = 1_000;
    const { taken } = Answers;
    await expire(organisationId);
    await eventually('a worker has died over it', () => Answers.taken > taken);
    for (const { transactionId } of both) {
      expect(await read(api, transactionId)).toMatchObject({ verdict: 'CHALLENGE', nextAction: null });
    }
    Answers.deaths = 0;
    // As if it had been announced half a minute ago: the reconciler takes it up.
    await t.owner.query(
      `UPDATE kyc_session_transactions SET announced_at = announced_at - interval '1 hour' WHERE organisation_id = $1`,
      [organisationId],
    );
    await Promise.all(
      Array.from({ length: 8 }, () => t.app.get(StepUpResultsService).reEvaluateForSessions([uuid])),
    );
    for (const before of both) {
      expect(await answered(api, before)).toMatchObject(HELD);
      expect(await toldAbout(organisationId, before.transactionId)).toEqual([2, 2]);
    }
  });

  it('that joins a session just as it ends is not forgotten', async () => {
    const { api, officer, organisationId } = await anOrganisation();
    const first = await challenged(api);
    const reference = await referenceOf(organisationId);
    Opener.meanwhile = async () => {
      await officer.post(`/operator/kyc-sessions/${reference}/cancel`).expect(200);
    };
    const second = await challenged(api);
    for (const before of [first, second]) {
      expect(await answered(api, before)).toMatchObject(HELD);
      expect(await toldAbout(organisationId, before.transactionId)).toEqual([2, 2]);
    }
  });

  it('about which two persons have decided stays decided, however the session ends', async () => {
    const { api, officer, colleague, organisationId } = await anOrganisation();
    // The score sends it to a person as well; the session is opened all the same.
    const before = await challenged(api, { amount: 70_000 });
    expect(before).toMatchObject({
      verdict: 'HOLD',
      outcome: 'REVIEW',
      nextAction: { type: 'STEP_UP_SESSION' },
    });
    const proposed = await officer
      .post(`/operator/reviews/${before.reviewId}/decision`)
      .send({ resolution: 'APPROVED', report: 'ARCHIVE', justification: 'The customer came to the branch.' })
      .expect(202);
    await approve(colleague, proposed);
    const released = { verdict: 'RELEASE', outcome: 'APPROVED', nextAction: null, evaluationVersion: 1 };
    await eventually('the decision arrives', async () => (await read(api, before.transactionId)).decision);
    await expire(organisationId);
    expect(await toldAbout(organisationId, before.transactionId)).toEqual([1, 2]);
    expect(await read(api, before.transactionId)).toMatchObject(released);
  });
});

describe('a step-up that is not possible', () => {
  it('holds the transaction: the organisation has no such flow', async () => {
    const { api, officer } = await anOrganisation('nowhere');
    const found = await challenged(api);
    expect(found).toMatchObject({ ...HELD, defensible: true, reviewId: expect.stringMatching(/^rev_/) });
    expect(codesOf(found)).toContain('STEP_UP_UNAVAILABLE');
    const { body } = await officer.get(`/operator/reviews/${found.reviewId}`).expect(200);
    expect((body as { data: { kind: string } }).data.kind).toBe('SCORE');
  });

  it('holds the transaction: it names nobody who could be asked', async () => {
    const { api } = await anOrganisation();
    const nobody = { externalCustomerId: null, cpfCnpj: null, origin: { accountReference: '0001-9' } };
    const found = await challenged(api, nobody);
    expect(found).toMatchObject(HELD);
    expect(codesOf(found)).toContain('STEP_UP_UNAVAILABLE');
  });
});

describe('the database', () => {
  it('takes the pairs of outcome and action that a machine can come to, and no other', async () => {
    const { api } = await anOrganisation();
    const { transactionId } = await challenged(api);
    const taken: string[] = [];
    const client = await t.owner.connect();
    try {
      for (const outcome of ['APPROVED', 'CHALLENGED', 'REVIEW', 'REJECTED', 'OTHER']) {
        for (const action of ['NONE', 'STEP_UP', 'HOLD', 'DECLINE']) {
          await client.query('BEGIN');
          const tried = client.query(
            `INSERT INTO kyt_evaluations (transaction_ref, evaluation_version, organisation_id, outcome,
               recommended_action, composition, defensible, receipt, receipt_hash, trail_hash)
             SELECT transaction_ref, 99, organisation_id, $2, $3, composition, true, receipt, receipt_hash, trail_hash
             FROM kyt_evaluations WHERE transaction_ref = (SELECT id FROM kyt_transactions WHERE transaction_id = $1)`,
            [transactionId, outcome, action],
          );
          await tried.then(
            () => taken.push(`${outcome} ${action}`),
            (error: unknown) => {
              expect((error as { constraint?: string }).constraint).toBe('kyt_evaluations_verdict');
            },
          );
          await client.query('ROLLBACK');
        }
      }
    } finally {
      client.release();
    }
    const machines = possibleVerdicts.filter(([outcome]) => outcome !== 'REJECTED');
    expect(taken.sort()).toEqual(machines.map(([outcome, action]) => `${outcome} ${action}`).sort());
  });
});

/** Time passes for the sessions of an organisation. */
async function expire(organisationId: string): Promise<void> {
  await t.owner.query(
    `UPDATE kyc_sessions SET expires_at = clock_timestamp() - interval '1 minute'
     WHERE organisation_id = $1 AND status = 'PENDING'`,
    [organisationId],
  );
  await t.app.get(ExpirySweepService).sweep();
}
