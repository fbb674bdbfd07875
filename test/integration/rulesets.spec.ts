import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { receiptText } from '../../src/features/kyt/domain/stored/stored-packing.js';
import { unpackFacts } from '../../src/features/rules/index.js';
import { AuditTrail } from '../../src/features/audit/index.js';
import { Clock, publicId, uuidOf } from '../../src/platform/kernel/index.js';
import { bucketOf, RulesetRegistryService } from '../../src/features/rules/index.js';
import { detailsOf, expectError, type Answer } from '../support/answers.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { approve, askedIn, type AskedApproval } from '../support/approvals.js';
import { aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { again, later, laterBlock, promised } from '../support/needs.js';
import { behindItsBack } from '../support/tamper.js';
import { aRule, mandatoryRules, rulesetBasics } from '../support/rulesets.js';
import { expectWithin, isHeavy } from '../support/timing.js';

/** Two processes on one database and one queue. */
const WHY = 'Agreed in the meeting of the committee.';
let a: TestApp;
let b: TestApp;
let house: House;

beforeAll(async () => {
  a = await startTestApp();
  b = await startTestApp({ like: a });
  house = await House.open();
});

afterAll(async () => {
  jest.restoreAllMocks();
  await b.close();
  await a.close();
});

const monotonic = performance.now.bind(performance);
let movedMs = 0;
/** Lets both processes look for changes again, as they do every 400 ms. */
function lookAgain(): void {
  movedMs += 500;
  jest.spyOn(performance, 'now').mockImplementation(() => monotonic() + movedMs);
}

// The caller says what it expects the data to be.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as above
const dataOf = <T = Record<string, unknown>>(answer: Answer): T => (answer.body as { data: T }).data;

interface Receipt {
  readonly score: number;
  readonly outcome: string;
  readonly ruleset: { key: string; version: number; contentHash: string } | null;
  readonly champion?: { key: string; version: number };
  readonly silenced?: Record<string, string>;
  readonly shadows?: { key: string; score: number; hits: string[] }[];
  readonly verdicts: { ruleId: string; version: number; result: string; effect: string; points: number }[];
}

interface Backtest {
  readonly id: string;
  readonly status: string;
  readonly done: number;
  readonly total: number;
  readonly contentHash: string;
  readonly report: {
    snapshots: number;
    rules: {
      key: string;
      hits: number;
      newHits: number;
      lostHits: number;
      indeterminate: number;
      neverDecided: boolean;
    }[];
    outcomes: { unchanged: number; flips: { from: string; to: string; count: number; examples: string[] }[] };
    scoreHistogram: { from: number; to: number; live: number; tested: number }[];
    alertsPerDay: { day: string; transactions: number; live: number; tested: number }[];
    overlap: { rules: string[]; both: number; likeness: number }[];
  } | null;
}

/** An organisation with an application, two officers and a library that has the mandatory rules. */
class House {
  private constructor(
    readonly client: TestClient,
    readonly ana: TestApi,
    readonly bruno: TestApi,
  ) {}

  static async open(): Promise<House> {
    const client = await a.client({ rules: false });
    const { organisationId } = client;
    const officer = async (): Promise<TestApi> =>
      a.api.asOperator(await a.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
    const opened = new House(client, await officer(), await officer());
    for (const rule of mandatoryRules) await opened.release(rule['key'] as string, rule);
    return opened;
  }

  /** Drafts and releases a rule; returns how a ruleset holds it. */
  async release(
    key: string,
    fields: Record<string, unknown> = {},
  ): Promise<{ key: string; version: number }> {
    await this.ana.post('/operator/rules').send(aRule(key, fields)).expect(200);
    const released = await this.ana.post(`/operator/rules/${key}/versions`).send({}).expect(200);
    return { key, version: dataOf<{ version: number }>(released).version };
  }

  async draft(key: string, body: Record<string, unknown>): Promise<number> {
    const answer = await this.ana.post('/operator/rulesets').send({ key, ...body });
    expect({ status: answer.status, error: (answer.body as { error: unknown }).error }).toEqual({
      status: 201,
      error: null,
    });
    return dataOf<{ version: number }>(answer).version;
  }

  /** A first version with the mandatory rules and these. */
  firstDraft(key: string, rules: readonly object[], more: Record<string, unknown> = {}): Promise<number> {
    const mandatory = mandatoryRules.map((rule) => ({ key: rule['key'], version: 1 }));
    return this.draft(key, { ...rulesetBasics, rules: [...mandatory, ...rules], ...more });
  }

  async backtest(key: string, version: number, range: object = {}): Promise<Backtest> {
    const path = `/operator/rulesets/${key}/versions/${version}/backtests`;
    const { id } = dataOf<Backtest>(await this.ana.post(path).send(range).expect(202));
    return eventually(`the back-test of ${key}@${version} has ended`, async () => {
      const found = dataOf<Backtest>(await this.ana.get(`${path}/${id}`).expect(200));
      return ['FINISHED', 'FAILED', 'CANCELLED'].includes(found.status) && found;
    });
  }

  /** Tests a draft, puts it up, and has the other officer approve it. */
  async publish(key: string, version: number): Promise<void> {
    expect((await this.backtest(key, version)).status).toBe('FINISHED');
    await this.approve(await this.putUp(key, version));
  }

  /** Asks for the publication of a draft. */
  async putUp(key: string, version: number): Promise<Answer> {
    return this.ana
      .post(`/operator/rulesets/${key}/versions/${version}/publish`)
      .send({ reason: WHY })
      .expect(202);
  }

  /** Has the other officer approve what was asked for. */
  async approve(asked: Answer): Promise<void> {
    await approve(this.bruno, asked);
  }

  ruleset(key: string, version: number): Promise<Record<string, unknown>> {
    return this.ana
      .get(`/operator/rulesets/${key}/versions/${version}`)
      .expect(200)
      .then((answer) => dataOf(answer));
  }

  /** Submits a transaction and returns its receipt. */
  async evaluated(fields: Record<string, unknown> = {}, api = a.api): Promise<Receipt> {
    const body = aTransaction({ cpfCnpj: undefined, ...fields });
    await api.as(this.client).ingest(body).expect(202);
    await a.api.as(this.client).settled(body.transactionId);
    return this.receiptOf(body.transactionId);
  }

  async receiptOf(transactionId: string): Promise<Receipt> {
    const { rows } = await a.owner.query<{ receipt: Buffer }>(
      `SELECT e.receipt FROM kyt_evaluations e JOIN kyt_transactions t ON t.id = e.transaction_ref
       WHERE t.client_app_id = $1 AND t.transaction_id = $2 AND e.evaluation_version = 1`,
      [this.client.id, transactionId],
    );
    return JSON.parse(rows[0] ? receiptText(rows[0].receipt) : 'null') as Receipt;
  }

  /** The verdict on the trail of a ruleset version. */
  async trail(key: string, version: number): Promise<string> {
    const { id } = (await this.ruleset(key, version)) as { id: string };
    const subject = {
      organisationId: this.client.organisationId,
      type: 'ruleset',
      id: uuidOf('rst', id) ?? '',
    } as const;
    return (await a.app.get(AuditTrail).trailStatus(subject)).status;
  }
}

const verdictOf = (receipt: Receipt, rule: string): Receipt['verdicts'][number] | undefined =>
  receipt.verdicts.find(({ ruleId }) => ruleId === rule);
const customer = (): string => `customer-${randomBytes(4).toString('hex')}`;

describe('Publishing', () => {
  again('needs a finished back-test of exactly this content, and a second person', async () => {
    const rule = await house.release('PUB-1');
    await house.firstDraft('main', [rule]);
    const path = '/operator/rulesets/main/versions/1';
    const untested = await house.ana.post(`${path}/publish`).send({ reason: WHY });
    expect(detailsOf(expectError(untested, 409, 'STATE_CONFLICT'))).toEqual(['BACKTEST_MISSING']);
    expect((await house.backtest('main', 1)).status).toBe('FINISHED');

    await house.ana
      .call('put', path)
      .send({ scoring: { ...rulesetBasics.scoring, reviewAt: 70 } })
      .expect(200);
    const changed = await house.ana.post(`${path}/publish`).send({ reason: WHY });
    expect(detailsOf(expectError(changed, 409, 'STATE_CONFLICT'))).toEqual(['BACKTEST_MISSING']);

    expect((await house.backtest('main', 1)).status).toBe('FINISHED');
    const asked = await house.putUp('main', 1);
    expect(await house.ruleset('main', 1)).toMatchObject({
      status: 'DRAFT',
      publication: {
        requestedBy: expect.stringMatching(/^opr_/),
        backtestId: expect.stringMatching(/^bkt_/),
      },
    });
    const { id, digest, reason } = askedIn(asked);
    expect(reason).toBe(WHY);
    expectError(
      await house.ana.post(`/operator/approvals/${id}/approve`).send({ digest }),
      403,
      'FOUR_EYES_REQUIRED',
    );
    await house.approve(asked);
    expect(await house.ruleset('main', 1)).toMatchObject({ status: 'PUBLISHED' });
    const again = await house.ana.post(`${path}/publish`).send({ reason: WHY });
    expect(detailsOf(expectError(again, 409, 'STATE_CONFLICT'))).toEqual(['NOT_A_DRAFT']);
    expect(await house.trail('main', 1)).toBe('COMPLETE');
  });

  later('stops at a live rule that no transaction could decide; watched it may be published', async () => {
    const own = await House.open();
    const old = [await own.release('OLD-1')];
    await own.firstDraft('dark', old);
    await own.publish('dark', 1);
    // Nobody sends evidence here.
    await own.evaluated({});
    const rules = [
      ...mandatoryRules.map((rule) => ({ key: rule['key'], version: 1 })),
      ...old,
      await own.release('DARK-1', { when: 'evidence.score > 80' }),
      await own.release('DARK-2', { when: 'evidence.score > 80', mode: 'SHADOW' }),
    ];
    const version = await own.draft('dark', { ...rulesetBasics, rules });
    const { report } = await own.backtest('dark', version);
    const dark = report?.rules.filter(({ key, neverDecided }) => neverDecided && key.startsWith('DARK'));
    expect(dark?.map(({ key }) => key)).toEqual(['DARK-1', 'DARK-2']);
    const path = `/operator/rulesets/dark/versions/${version}`;
    const refused = await own.ana.post(`${path}/publish`).send({ reason: WHY });
    expect(detailsOf(expectError(refused, 409, 'STATE_CONFLICT'))).toEqual(['rules[4] NEVER_DECIDED']);
    await own.ana
      .call('put', path)
      .send({ rules: rules.filter((rule) => rule.key !== 'DARK-1') })
      .expect(200);
    await own.publish('dark', version);
  });

  again('an edit takes the request back; so does a withdrawal', async () => {
    const version = await house.draft('main', { scoring: { ...rulesetBasics.scoring, reviewAt: 55 } });
    const path = `/operator/rulesets/main/versions/${version}`;
    await house.backtest('main', version);
    const first = askedIn(await house.putUp('main', version));
    await house.bruno
      .call('put', path)
      .send({ name: { 'pt-BR': 'Outro', en: 'Other' } })
      .expect(200);
    const approving = ({ id, digest }: AskedApproval): ReturnType<TestApi['post']> =>
      house.bruno.post(`/operator/approvals/${id}/approve`).send({ digest });
    expectError(await approving(first), 409, 'STATE_CONFLICT');
    await house.backtest('main', version);
    const second = askedIn(await house.putUp('main', version));
    await house.bruno
      .post(`/operator/approvals/${second.id}/refuse`)
      .send({ reason: 'Not now, later.' })
      .expect(200);
    expectError(await approving(second), 409, 'STATE_CONFLICT');
    expect(await house.ruleset('main', version)).toMatchObject({
      status: 'DRAFT',
      publication: { requestedBy: null },
    });
    expect(await house.trail('main', version)).toBe('COMPLETE');
  });

  again('archives the former version in the same commit: one version of a key is live', async () => {
    const version = await house.draft('main', { scoring: { ...rulesetBasics.scoring, reviewAt: 65 } });
    await house.publish('main', version);
    expect(await house.ruleset('main', 1)).toMatchObject({ status: 'ARCHIVED' });
    expect(await house.trail('main', 1)).toBe('COMPLETE');
    const live = dataOf<{ version: number }[]>(
      await house.ana.get('/operator/rulesets?key=main&status=PUBLISHED').expect(200),
    );
    expect(live.map((row) => row.version)).toEqual([version]);
  });

  again(
    'not even the database lets one person publish, two versions be live, or a published one change',
    async () => {
      const refused = (statement: string): Promise<unknown> =>
        a.owner.query(statement, [house.client.organisationId]).then(
          () => 'done',
          (error: unknown) => (error as { code: string }).code,
        );
      const versionTwo = `organisation_id = $1 AND key = 'main' AND version = 2`;
      expect(
        await refused(
          `UPDATE rulesets SET status = 'PUBLISHED', requested_by = 'operator:x', approved_by = 'operator:x',
           backtest_id = id WHERE ${versionTwo}`,
        ),
      ).toBe('23514');
      expect(
        await refused(
          `UPDATE rulesets SET status = 'PUBLISHED', requested_by = 'operator:x', approved_by = 'operator:y',
           backtest_id = id WHERE ${versionTwo}`,
        ),
      ).toBe('23505');
      expect(
        await refused(
          `UPDATE rulesets SET content = content || '{"scoring":{}}' WHERE organisation_id = $1 AND status = 'PUBLISHED'`,
        ),
      ).toBe('23001');
      expect(
        await refused(
          `UPDATE rulesets SET status = 'PUBLISHED' WHERE organisation_id = $1 AND status = 'ARCHIVED'`,
        ),
      ).toBe('23001');
      expect(await refused(`DELETE FROM rulesets WHERE organisation_id = $1`)).toBe('23001');
    },
  );

  again('one that cannot be used any more is said by readiness', async () => {
    const { organisationId } = await a.client();
    const degraded = async (): Promise<string[]> =>
      ((await a.api.get('/health/ready').expect(200)).body as { degraded: string[] }).degraded;
    const registry = a.app.get(RulesetRegistryService);
    expect((await registry.readLive(organisationId)).rulesets).toHaveLength(1);
    expect(await degraded()).not.toContain('rulesets');
    await behindItsBack(a, 'rulesets', 'UPDATE rulesets SET content_hash = $2 WHERE organisation_id = $1', [
      organisationId,
      Buffer.alloc(32),
    ]);
    registry.forget(organisationId);
    await registry.readLive(organisationId);
    expect(await degraded()).toContain('rulesets');
  });

  again('a ruleset without the mandatory rules is not published', async () => {
    await house.draft('bare', { ...rulesetBasics, rules: [{ key: 'PUB-1', version: 1 }] });
    await house.backtest('bare', 1);
    const refused = await house.ana.post('/operator/rulesets/bare/versions/1/publish').send({ reason: WHY });
    expect(detailsOf(expectError(refused, 400, 'VALIDATION_FAILED'))).toEqual(
      Array(3).fill('rules MANDATORY_RULE'),
    );
  });

  later(
    'a roll-back publishes old content as a new version, without a back-test and by two people',
    async () => {
      const before = await house.ruleset('main', 1);
      const answer = await house.ana
        .post('/operator/rulesets/main/rollback')
        .send({ toVersion: 1, reason: WHY })
        .expect(202);
      const { version } = dataOf<{ after: { version: number } }>(answer).after;
      expect(await house.ruleset('main', version)).toMatchObject({
        ...{ status: 'DRAFT', origin: 'ROLLBACK', rollbackOf: 1 },
      });
      await house.approve(answer);
      expect(await house.ruleset('main', version)).toMatchObject({
        status: 'PUBLISHED',
        scoring: before['scoring'],
        rules: before['rules'],
      });
      expect(await house.trail('main', version)).toBe('COMPLETE');
      const never = await house.ana
        .post('/operator/rulesets/main/rollback')
        .send({ toVersion: 2, reason: WHY });
      expect(detailsOf(expectError(never, 409, 'STATE_CONFLICT'))).toEqual(['NEVER_PUBLISHED']);
    },
  );
});

laterBlock('Under load', () => {
  promised(
    'no evaluation mixes two versions, each names its version and hash, every process swaps within 1 s',
    async () => {
      const own = await House.open();
      const { organisationId } = own.client;
      // In version n both rules are worth 10 n: any mixture would show in the sum.
      const publishNext = async (n: number): Promise<Answer> => {
        const [left, right] = [
          await own.release('LEFT', { score: { points: 10 * n, group: 'LEFT' }, when: 'amount > 0' }),
          await own.release('RIGHT', { score: { points: 10 * n, group: 'RIGHT' }, when: 'amount > 0' }),
        ];
        if (n === 1) await own.firstDraft('load', [left, right]);
        else await own.draft('load', { putRules: [left, right] });
        await own.backtest('load', n);
        return own.putUp('load', n);
      };
      await own.approve(await publishNext(1));
      const versionIn = async (t: TestApp): Promise<number | undefined> =>
        (await t.app.get(RulesetRegistryService).readLive(organisationId)).rulesets[0]?.content.version;
      const both = async (version: number): Promise<boolean> =>
        (await versionIn(a)) === version && (await versionIn(b)) === version;
      await eventually('both processes have version 1', () => both(1));

      const ids: string[] = [];
      let sending = true;
      const send = async (api: TestApi): Promise<void> => {
        while (sending) {
          const batch = Array.from({ length: 20 }, () =>
            // Each of somebody else.
            aTransaction({ cpfCnpj: undefined, origin: { country: 'BR' } }),
          );
          await api.as(own.client).ingestBatch(batch).expect(207);
          const sent = batch.map(({ transactionId }) => transactionId);
          ids.push(...sent);
          // As much as is evaluated meanwhile: a backlog that grows would be waited for instead of the swap.
          await api.as(own.client).settled(sent.at(-1) ?? '');
        }
      };
      const senders = [a.api, b.api, a.api, b.api].map(send);
      try {
        for (const n of [2, 3]) {
          await own.approve(await publishNext(n));
          const published = performance.now();
          await eventually(`both processes have version ${n}`, () => both(n));
          expectWithin(1_000, published);
          // Later transactions are judged by the new version, whichever process does it.
          const later = await Promise.all([own.evaluated({}, a.api), own.evaluated({}, b.api)]);
          expect(later.map(({ ruleset }) => ruleset?.version)).toEqual([n, n]);
        }
      } finally {
        sending = false;
        await Promise.allSettled(senders);
      }
      await Promise.all(senders);

      const hashes = new Map<number, string>();
      for (const n of [1, 2, 3]) hashes.set(n, (await own.ruleset('load', n))['contentHash'] as string);
      const seen = new Set<number>();
      const receipts = await eventually('everything is evaluated', async () => {
        const { rows } = await a.owner.query<{ receipt: Buffer }>(
          `SELECT e.receipt FROM kyt_transactions t JOIN kyt_evaluations e ON e.transaction_ref = t.id
         WHERE t.client_app_id = $1 AND t.transaction_id = ANY($2)`,
          [own.client.id, ids],
        );
        return (
          rows.length === ids.length && rows.map((row) => JSON.parse(receiptText(row.receipt)) as Receipt)
        );
      });
      for (const receipt of receipts) {
        const version = receipt.ruleset?.version ?? 0;
        seen.add(version);
        expect(receipt.ruleset).toEqual({ key: 'load', version, contentHash: hashes.get(version) });
        expect([verdictOf(receipt, 'LEFT'), verdictOf(receipt, 'RIGHT')]).toEqual([
          expect.objectContaining({ version, points: 10 * version }),
          expect.objectContaining({ version, points: 10 * version }),
        ]);
        expect(receipt.score).toBe(20 * version);
      }
      expect([...seen].sort()).toEqual([1, 2, 3]);
    },
  );
});

describe('Modes, snoozes and cooldowns', () => {
  let own: House;

  beforeAll(async () => {
    own = await House.open();
    const rules = [
      await own.release('LIVE-1', { when: 'amount >= 100', score: { points: 20, group: 'A' } }),
      { ...(await own.release('SHADOW-1', { when: 'amount >= 100' })), mode: 'SHADOW' },
      { ...(await own.release('DISABLED-1', { when: 'amount >= 100' })), mode: 'DISABLED' },
      await own.release('COOL-1', {
        when: 'amount >= 100',
        score: { points: 7, group: 'B' },
        cooldown: 'PT1H',
      }),
    ];
    await own.firstDraft('modes', rules);
    await own.publish('modes', 1);
  });

  it('a rule in SHADOW is recorded without effect, a DISABLED one is not asked', async () => {
    const receipt = await own.evaluated();
    expect(verdictOf(receipt, 'SHADOW-1')).toMatchObject({ result: 'HIT', effect: 'SHADOW' });
    expect(verdictOf(receipt, 'DISABLED-1')).toBeUndefined();
    expect(receipt.score).toBe(27);
  });

  it('a mode changes by a version, with a back-test and two people; a mandatory rule keeps its own', async () => {
    const answer = await own.ana
      .post('/operator/rulesets/modes/rules/DISABLED-1/mode')
      .send({ mode: 'LIVE' });
    expect(dataOf(answer)).toMatchObject({ version: 2, status: 'DRAFT' });
    const untested = await own.ana.post('/operator/rulesets/modes/versions/2/publish').send({ reason: WHY });
    expect(detailsOf(expectError(untested, 409, 'STATE_CONFLICT'))).toEqual(['BACKTEST_MISSING']);
    const refused = await own.ana
      .post('/operator/rulesets/modes/rules/BR-LIST-01/mode')
      .send({ mode: 'SHADOW' });
    expect(detailsOf(expectError(refused, 409, 'STATE_CONFLICT'))).toEqual(['MANDATORY_RULE']);
    expectError(
      await own.ana.post('/operator/rulesets/modes/rules/NO-SUCH/mode').send({ mode: 'LIVE' }),
      404,
      'RULE_NOT_FOUND',
    );
  });

  it('a new rule is live with the publication that brings it: its mode is set in the draft', async () => {
    const rule = await own.release('NEW-1', { when: 'amount == 4321', score: { points: 5, group: 'C' } });
    const version = await own.draft('modes', { putRules: [{ ...rule, mode: 'SHADOW' }] });
    const path = `/operator/rulesets/modes/versions/${version}`;
    await own.backtest('modes', version);
    await own.putUp('modes', version);
    const answer = await own.ana.post(`${path}/rules/NEW-1/mode`).send({ mode: 'LIVE' });
    expect(dataOf(answer)).toMatchObject({ version, status: 'DRAFT', revision: 2 });
    const untested = await own.ana.post(`${path}/publish`).send({ reason: WHY });
    expect(detailsOf(expectError(untested, 409, 'STATE_CONFLICT'))).toEqual(['BACKTEST_MISSING']);
    const mandatory = await own.ana.post(`${path}/rules/BR-LIST-01/mode`).send({ mode: 'SHADOW' });
    expect(detailsOf(expectError(mandatory, 409, 'STATE_CONFLICT'))).toEqual(['MANDATORY_RULE']);
    expectError(
      await own.ana.post(`${path}/rules/NO-SUCH/mode`).send({ mode: 'LIVE' }),
      404,
      'RULE_NOT_FOUND',
    );
    await own.backtest('modes', version);
    const asked = await own.putUp('modes', version);
    const { link, summary } = dataOf<{ link: string; summary: { lines: object[] } }>(
      await own.bruno.get(`/operator/approvals/${askedIn(asked).id}`).expect(200),
    );
    expect(link).toBe(path);
    // The second person reads what takes effect: the rule, how it counts, and what the back-test found.
    expect(summary.lines).toEqual([
      {
        what: { 'pt-BR': expect.stringContaining('NEW-1 · '), en: expect.stringContaining('NEW-1 · ') },
        before: null,
        after: {
          'pt-BR': expect.stringMatching(/^em vigor, 5 pontos: .*4\.321,00$/),
          en: expect.stringMatching(/^live, 5 points: .*4,321\.00$/),
        },
      },
      {
        what: { 'pt-BR': 'Simulação no passado', en: 'Back-test' },
        before: expect.anything(),
        after: expect.objectContaining({
          en: expect.stringMatching(/alerts; \d+ transactions, 0 with another/),
        }),
      },
    ]);
    await own.approve(asked);
    expect(verdictOf(await own.evaluated({ amount: 4321 }), 'NEW-1')).toMatchObject({
      result: 'HIT',
      effect: 'COUNTED',
    });
    const published = await own.ana.post(`${path}/rules/NEW-1/mode`).send({ mode: 'SHADOW' });
    expect(detailsOf(expectError(published, 409, 'STATE_CONFLICT'))).toEqual(['NOT_A_DRAFT']);
  });

  again(
    'a snoozed rule is recorded without points, in every process, until the snooze ends by itself',
    async () => {
      const minutes = (count: number): number => count * 60_000;
      const asked = await own.ana
        .post('/operator/rulesets/modes/rules/LIVE-1/snooze')
        .send({ until: new Date(Date.now() + minutes(30)).toISOString(), reason: 'payroll run' })
        .expect(202);
      lookAgain();
      expect((await own.evaluated({}, b.api)).silenced).toBeUndefined();
      await approve(own.bruno, asked);
      lookAgain();
      const during = await own.evaluated({}, b.api);
      expect(during.silenced).toEqual({ 'LIVE-1': 'SNOOZED' });
      expect(verdictOf(during, 'LIVE-1')).toMatchObject({ result: 'HIT', effect: 'SNOOZED' });
      expect(during.score).toBe(7);
      const clocks = [a, b].map(({ app }) => {
        const clock = app.get(Clock);
        const now = clock.now.bind(clock);
        return jest.spyOn(clock, 'now').mockImplementation(() => now() + minutes(31));
      });
      const after = await own.evaluated();
      for (const clock of clocks) clock.mockRestore();
      // By the database's clock it would go on.
      await a.owner.query('UPDATE rule_snoozes SET ends_at = now() WHERE organisation_id = $1', [
        own.client.organisationId,
      ]);
      lookAgain();
      expect(after.silenced).toBeUndefined();
      expect(after.score).toBe(27);
    },
  );

  later(
    'a snooze is lifted before its time, is limited to 30 days, and mandatory rules have none',
    async () => {
      const snooze = (rule: string, days: number): ReturnType<TestApi['post']> =>
        own.ana.post(`/operator/rulesets/modes/rules/${rule}/snooze`).send({
          until: new Date(Date.now() + days * 86_400_000).toISOString(),
          reason: 'broken source',
        });
      const refused = await snooze('BR-LIST-02', 1);
      expect(detailsOf(expectError(refused, 409, 'STATE_CONFLICT'))).toEqual(['MANDATORY_RULE']);
      expectError(await snooze('LIVE-1', 31), 400, 'VALIDATION_FAILED');
      expectError(await snooze('NO-SUCH', 1), 404, 'RULE_NOT_FOUND');
      const { subjectId: id } = await approve(own.bruno, await snooze('LIVE-1', 1).expect(202));
      lookAgain();
      expect((await own.evaluated()).silenced).toEqual({ 'LIVE-1': 'SNOOZED' });
      await own.bruno.post(`/operator/rulesets/modes/snoozes/${id}/lift`).send({}).expect(200);
      lookAgain();
      expect((await own.evaluated()).silenced).toBeUndefined();
      expectError(
        await own.bruno.post(`/operator/rulesets/modes/snoozes/${id}/lift`).send({}),
        404,
        'SNOOZE_NOT_FOUND',
      );
      const listed = dataOf<{ liftedBy: string | null }[]>(
        await own.ana.get('/operator/rulesets/modes/snoozes').expect(200),
      );
      expect(listed.map(({ liftedBy }) => liftedBy !== null)).toEqual([true, false]);
      expect(await own.trail('modes', 1)).toBe('COMPLETE');
      expectError(await own.ana.get('/operator/audit/trails/ruleset/phone'), 404, 'AUDIT_ENTRY_NOT_FOUND');
    },
  );

  it('a rule with a cooldown does not count again for the same customer until it is over', async () => {
    const externalCustomerId = customer();
    const start = Date.now() - 3 * 3_600_000;
    const at = (minutes: number, who = externalCustomerId): Promise<Receipt> =>
      own.evaluated({
        externalCustomerId: who,
        occurredAt: new Date(start + minutes * 60_000).toISOString(),
      });
    expect((await at(0)).score).toBe(27);
    const again = await at(30);
    expect(again.silenced).toEqual({ 'COOL-1': 'COOLDOWN' });
    expect(verdictOf(again, 'COOL-1')).toMatchObject({ result: 'HIT', effect: 'COOLDOWN' });
    expect(again.score).toBe(20);
    expect((await at(30, customer())).score).toBe(27);
    // The cooldown runs from the hit that counted, not from the one that did not.
    expect((await at(61)).score).toBe(27);
    expect((await at(62)).score).toBe(20);
  });

  later('two transactions of one customer in one batch are two: the second one is cooled down', async () => {
    const aPair = async (): Promise<string[]> => {
      const externalCustomerId = customer();
      const pair = [0, 1].map((i) =>
        aTransaction({
          cpfCnpj: undefined,
          externalCustomerId,
          occurredAt: new Date(Date.now() - 60_000 + i * 1_000).toISOString(),
        }),
      );
      // The later one first: what counts is when they occurred.
      await a.api.as(own.client).ingestBatch(pair.toReversed()).expect(207);
      for (const { transactionId } of pair) await a.api.as(own.client).settled(transactionId);
      return pair.map(({ transactionId }) => transactionId);
    };
    // Which process evaluates which is open; one commit means one batch.
    const together = await eventually('two were evaluated in one batch', async () => {
      const pair = await aPair();
      const { rows } = await a.owner.query(
        `SELECT DISTINCT e.xmin FROM kyt_evaluations e JOIN kyt_transactions t ON t.id = e.transaction_ref
         WHERE t.client_app_id = $1 AND t.transaction_id = ANY ($2)`,
        [own.client.id, pair],
      );
      return rows.length === 1 && pair;
    });
    const receipts = await Promise.all(together.map((transactionId) => own.receiptOf(transactionId)));
    expect(receipts.map(({ score }) => score)).toEqual([27, 20]);
  });
});

laterBlock('Challengers', () => {
  let own: House;

  beforeAll(async () => {
    own = await House.open();
    await own.firstDraft('champion', [
      await own.release('CHAMP-1', { when: 'amount > 0', score: { points: 10, group: 'A' } }),
    ]);
    await own.publish('champion', 1);
    await own.release('CHALL-1', { when: 'amount > 0', score: { points: 50, group: 'A' } });
  });

  const challenge = async (key: string, experiment: object): Promise<void> => {
    const version = await own.draft(key, {
      basedOn: { key: 'champion', version: 1 },
      removeRules: ['CHAMP-1'],
      putRules: [{ key: 'CHALL-1', version: 1 }],
      experiment,
    });
    await own.publish(key, version);
    lookAgain();
  };

  it('in SHADOW it is evaluated beside the live one and recorded, without effect', async () => {
    await challenge('shadowed', { challengerOf: 'champion', mode: 'SHADOW' });
    const receipt = await own.evaluated();
    expect(receipt.ruleset).toMatchObject({ key: 'champion', version: 1 });
    expect(receipt.score).toBe(10);
    expect(receipt.shadows).toEqual([
      expect.objectContaining({ key: 'shadowed', score: 50, hits: ['CHALL-1'] }),
    ]);
    await own.bruno
      .post('/operator/rulesets/shadowed/versions/1/archive')
      .send({ reason: 'seen enough' })
      .expect(200);
  });

  promised('in SPLIT it decides for its share of the customers, always the same ones', async () => {
    await challenge('split', { challengerOf: 'champion', mode: 'SPLIT', percent: 50 });
    const customers = Array.from({ length: isHeavy ? 24 : 12 }, customer);
    const judged = new Map<string, string[]>();
    for (const externalCustomerId of [...customers, ...customers]) {
      const receipt = await own.evaluated({ externalCustomerId });
      const key = receipt.ruleset?.key ?? 'none';
      judged.set(externalCustomerId, [...(judged.get(externalCustomerId) ?? []), key]);
      expect(receipt.score).toBe(key === 'split' ? 50 : 10);
      expect(receipt.champion?.key).toBe(key === 'split' ? 'champion' : undefined);
    }
    const keys = [...judged.values()].map((both) => both.join());
    expect(new Set(keys)).toEqual(new Set(['split,split', 'champion,champion']));
    const { rows } = await a.owner.query<{ customer_key: Buffer; key: string }>(
      `SELECT t.customer_key, r.key FROM kyt_transactions t JOIN kyt_evaluations e ON e.transaction_ref = t.id
       JOIN rulesets r ON r.id = e.ruleset_id WHERE t.client_app_id = $1 ORDER BY t.id DESC LIMIT $2`,
      [own.client.id, 2 * customers.length],
    );
    expect(rows).toHaveLength(2 * customers.length);
    for (const row of rows) {
      expect(row.key).toBe(bucketOf('split', row.customer_key) < 50 ? 'split' : 'champion');
    }
    await own.bruno
      .post('/operator/rulesets/split/versions/1/archive')
      .send({ reason: 'decided' })
      .expect(200);
    lookAgain();
    expect((await own.evaluated({ externalCustomerId: customers[0] })).ruleset?.key).toBe('champion');
  });

  it('the live ruleset itself is not taken away', async () => {
    const refused = await own.bruno
      .post('/operator/rulesets/champion/versions/1/archive')
      .send({ reason: 'x' });
    expect(detailsOf(expectError(refused, 409, 'STATE_CONFLICT'))).toEqual(['LIVE']);
  });
});

describe('A back-test', () => {
  let own: House;
  const AMOUNTS = [50, 150, 250, 350, 450, 550];

  beforeAll(async () => {
    own = await House.open();
    const rules = [
      await own.release('OVER-200', { when: 'amount >= 200', score: { points: 30, group: 'A' } }),
      await own.release('OVER-300', { when: 'amount >= 300', score: { points: 40, group: 'B' } }),
    ];
    await own.firstDraft('tested', rules);
    await own.publish('tested', 1);
    for (const amount of AMOUNTS) await own.evaluated({ amount });
  });

  it('says what would have changed: hits, flips, scores, alerts per day, overlap', async () => {
    const version = await own.draft('tested', {
      removeRules: ['OVER-300'],
      putRules: [await own.release('OVER-400', { when: 'amount >= 400', score: { points: 40, group: 'B' } })],
    });
    const { report, done, total, contentHash } = await own.backtest('tested', version);
    expect({ done, total }).toEqual({ done: 6, total: 6 });
    expect(contentHash).toBe((await own.ruleset('tested', version))['contentHash']);
    expect(report?.snapshots).toBe(6);
    const of = (key: string): unknown => report?.rules.find((rule) => rule.key === key);
    expect(of('OVER-200')).toMatchObject({ hits: 4, newHits: 0, lostHits: 0 });
    expect(of('OVER-300')).toMatchObject({ hits: 0, lostHits: 3 });
    expect(of('OVER-400')).toMatchObject({ hits: 2, newHits: 2 });
    expect(report?.overlap).toEqual([{ rules: ['OVER-200', 'OVER-400'], both: 2, likeness: 0.5 }]);
    const bar = (from: number): unknown => report?.scoreHistogram.find((one) => one.from === from);
    expect([bar(0), bar(30), bar(70)]).toMatchObject([
      { live: 2, tested: 2 },
      { live: 1, tested: 2 },
      { live: 3, tested: 2 },
    ]);
    expect(report?.alertsPerDay.reduce((sum, day) => sum + day.transactions, 0)).toBe(6);
  });

  later('shows outcomes that would change, with examples to look at', async () => {
    // Without lists no evaluation is complete, so only what the ruleset needs can make a difference.
    const version = await own.draft('tested', {
      composition: { requiredComponents: [{ types: ['*'], components: ['VELOCITY'] }] },
      rules: [{ key: 'OVER-200', version: 1 }],
    });
    const { report } = await own.backtest('tested', version);
    const [flip] = report?.outcomes.flips ?? [];
    expect(flip).toMatchObject({ from: 'REVIEW', to: 'APPROVED', count: 6 });
    const { rows } = await a.owner.query<{ id: string }>(
      'SELECT id FROM kyt_transactions WHERE client_app_id = $1',
      [own.client.id],
    );
    expect(rows.map((row) => publicId('txn', row.id))).toEqual(expect.arrayContaining(flip?.examples ?? []));
  });

  later('runs over the time that it is told, and over nothing when there was nothing', async () => {
    const past = await own.backtest('tested', 1, {
      from: '2020-01-01T00:00:00Z',
      to: '2020-02-01T00:00:00Z',
    });
    expect(past).toMatchObject({
      status: 'FINISHED',
      total: 0,
      report: { snapshots: 0, rules: expect.any(Array) },
    });
    expectError(
      await own.ana
        .post('/operator/rulesets/tested/versions/1/backtests')
        .send({ from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }),
      400,
      'VALIDATION_FAILED',
    );
  });

  it('goes on where a process that died has left it', async () => {
    const path = '/operator/rulesets/tested/versions/1/backtests';
    const first = await own.backtest('tested', 1);
    const { rows } = await a.owner.query<{ id: string; seq: string }>(
      `SELECT id FROM kyt_transactions WHERE client_app_id = $1 ORDER BY id`,
      [own.client.id],
    );
    // As if a process had counted the first four and died: its lease has run out.
    const tally = {
      snapshots: 4,
      unchanged: 4,
      rules: { 'OVER-200': [100, 0, 0, 0, 0, 0] },
      flips: {},
      scores: { live: [], tested: [] },
      days: {},
      pairs: {},
    };
    const { rows: inserted } = await a.owner.query<{ id: string }>(
      `INSERT INTO backtests (id, organisation_id, ruleset_key, ruleset_version, content_hash, content, status, from_at,
                              to_at, requested_by, attempts, lease_until, checkpoint)
       SELECT gen_random_uuid(), organisation_id, ruleset_key, ruleset_version, content_hash, content, 'RUNNING', from_at,
              now(), requested_by, 1, now() - interval '1 minute', $2::jsonb
       FROM backtests WHERE id = $1 RETURNING id`,
      [uuidOf('bkt', first.id), JSON.stringify({ after: rows[3]?.id, done: 4, tally })],
    );
    const id = publicId('bkt', inserted[0]?.id ?? '');
    const ended = await eventually('the back-test has ended', async () => {
      const found = dataOf<Backtest>(await own.ana.get(`${path}/${id}`).expect(200));
      return found.status === 'FINISHED' && found;
    });
    expect(ended).toMatchObject({ done: 6, report: { snapshots: 6 } });
    // The four of the checkpoint as they were counted, and the two after it.
    expect(ended.report?.rules.find(({ key }) => key === 'OVER-200')?.hits).toBe(102);
  });

  later('is called off, and then stays so', async () => {
    const path = '/operator/rulesets/tested/versions/1/backtests';
    const first = await own.backtest('tested', 1);
    const { rows } = await a.owner.query<{ id: string }>(
      `INSERT INTO backtests (id, organisation_id, ruleset_key, ruleset_version, content_hash, content, status, from_at,
                              to_at, requested_by, attempts, lease_until)
       SELECT gen_random_uuid(), organisation_id, ruleset_key, ruleset_version, content_hash, content, 'RUNNING', from_at,
              to_at, requested_by, 1, now() + interval '1 hour' FROM backtests WHERE id = $1 RETURNING id`,
      [uuidOf('bkt', first.id)],
    );
    const cancel = `${path}/${publicId('bkt', rows[0]?.id ?? '')}/cancel`;
    expect(dataOf(await own.ana.post(cancel).send({}).expect(200))).toMatchObject({
      status: 'CANCELLED',
      report: null,
    });
    const again = await own.ana.post(cancel).send({});
    expect(detailsOf(expectError(again, 409, 'STATE_CONFLICT'))).toEqual(['ENDED']);
    const finished = await own.ana.post(`${path}/${first.id}/cancel`).send({});
    expect(detailsOf(expectError(finished, 409, 'STATE_CONFLICT'))).toEqual(['ENDED']);
  });

  it('keeps nothing of the person, and another organisation does not see it', async () => {
    const { rows } = await a.owner.query<{ facts: Buffer; brief: string }>(
      `SELECT facts, brief FROM kyt_evaluations e
       JOIN kyt_transactions t ON t.id = e.transaction_ref WHERE t.client_app_id = $1`,
      [own.client.id],
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { facts, brief } of rows) {
      expect(unpackFacts(facts).toString() + brief).not.toMatch(
        /Maria|João|52998224725|11144477735|0001-77|device-1|203\.0/,
      );
    }
    const first = await own.backtest('tested', 1);
    expectError(
      await house.ana.get(`/operator/rulesets/tested/versions/1/backtests/${first.id}`),
      404,
      'BACKTEST_NOT_FOUND',
    );
  });
});
