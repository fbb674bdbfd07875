import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { acts, actNames, Approvals, policyOf, type Act } from '../../src/approvals/index.js';
import { AuditTrail } from '../../src/audit/index.js';
import { permissionsOfRole, roles } from '../../src/http/index.js';
import { newUuid, publicId, uuidOf } from '../../src/kernel/index.js';
import { brStarter, RulesetsService } from '../../src/rules/index.js';
import { expectError } from '../support/answers.js';
import type { TestApi, TestOperator } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { approve, askedIn, type AskedApproval } from '../support/approvals.js';

let t: TestApp;
let organisationId: string;
let ana: TestOperator;
let bea: TestOperator;
/** The maker and the second person. */
let maker: TestApi;
let checker: TestApi;
let list: string;

const WHY = 'Agreed in the meeting of the committee.';
const officer = (): Promise<TestOperator> => t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId });

beforeAll(async () => {
  t = await startTestApp();
});
afterAll(async () => {
  await t.close();
});

beforeEach(async () => {
  ({ organisationId } = await t.client({ rules: false }));
  await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
  ana = await officer();
  bea = await officer();
  maker = t.api.asOperator(ana);
  checker = t.api.asOperator(bea);
  const body = {
    key: `l-${randomBytes(3).toString('hex')}`,
    name: 'UN',
    kind: 'SANCTIONS',
    format: 'HOUSE_CSV',
  };
  list = askedIn(await maker.post('/operator/lists').send(body).expect(201)).id;
});

const change = (values: object, by: TestApi = maker): ReturnType<TestApi['post']> =>
  by.post(`/operator/lists/${list}/changes`).send({ reason: WHY, ...values });
const weaker = { evidenceThreshold: 1, mandatoryThreshold: 1, staleAfterDays: null, archived: true };

async function thresholds(): Promise<object> {
  const { rows } = await t.owner.query<object>(
    `SELECT mandatory_threshold AS mandatory, archived_at IS NOT NULL AS archived FROM screening_lists WHERE id = $1`,
    [uuidOf('lst', list)],
  );
  return rows[0] ?? {};
}

const detail = (error: { details?: unknown }): unknown =>
  (error.details as { code: string }[] | undefined)?.map(({ code }) => code);
const trailOf = async ({ id }: { id: string }): Promise<string> =>
  (await t.app.get(AuditTrail).trailStatus({ organisationId, type: 'approval', id: uuidOf('apr', id) ?? '' }))
    .status;

/** Somebody empowered somebody, so many days ago. */
const empowered = (
  who: TestOperator,
  by: TestOperator,
  days: number,
  singleControl = false,
): Promise<unknown> =>
  t.owner.query(
    `INSERT INTO operator_lineage (id, organisation_id, operator_id, by_id, kind, single_control, at)
     VALUES ($1, $2, $3, $4, 'INVITED', $5, now() - $6 * interval '1 day')`,
    [newUuid(), organisationId, who.id, by.id, singleControl, days],
  );

describe('A request', () => {
  it('changes nothing until a second person approves exactly it', async () => {
    const before = await thresholds();
    const asked = askedIn(await change(weaker).expect(202));
    expect(asked).toMatchObject({
      act: 'list.change',
      status: 'REQUESTED',
      before: { mandatoryThreshold: expect.any(Number), archived: false },
      after: { mandatoryThreshold: 1, staleAfterDays: null, archived: true },
      requestedBy: publicId('opr', ana.id),
    });
    const path = `/operator/approvals/${asked.id}/approve`;
    const other = { digest: 'f'.repeat(64) };
    expect(detail(expectError(await checker.post(path).send(other), 409, 'STATE_CONFLICT'))).toEqual([
      'OTHER_CHANGE',
    ]);
    const { digest } = asked;
    expect(detail(expectError(await maker.post(path).send({ digest }), 403, 'FOUR_EYES_REQUIRED'))).toEqual([
      'SAME_PERSON',
    ]);
    expectError(await maker.post(path).send({ digest, singleControl: true }), 403, 'FOUR_EYES_REQUIRED');
    expect(await thresholds()).toEqual(before);
    await checker.post(path).send({ digest }).expect(200);
    expect(await thresholds()).toEqual({ mandatory: 1, archived: true });
    expect(await trailOf(asked)).toBe('COMPLETE');
    expectError(await checker.post(path).send({ digest }), 409, 'STATE_CONFLICT');
  });

  it('is asked for once, and is gone when it is refused or withdrawn', async () => {
    const asked = askedIn(await change({ staleAfterDays: 300 }).expect(202));
    expect(detail(expectError(await change({ archived: true }, checker), 409, 'STATE_CONFLICT'))).toEqual([
      'ALREADY_REQUESTED',
    ]);
    const path = `/operator/approvals/${asked.id}`;
    const reason = { reason: 'The list is needed.' };
    expectError(await checker.post(`${path}/withdraw`).send(reason), 409, 'STATE_CONFLICT');
    expectError(await maker.post(`${path}/refuse`).send(reason), 403, 'FOUR_EYES_REQUIRED');
    await checker.post(`${path}/refuse`).send(reason).expect(200);
    expectError(await checker.post(`${path}/approve`).send({ digest: asked.digest }), 409, 'STATE_CONFLICT');
    const again = askedIn(await change({ staleAfterDays: 300 }).expect(202));
    await maker.post(`/operator/approvals/${again.id}/withdraw`).send(reason).expect(200);
    expect([await trailOf(asked), await trailOf(again)]).toEqual(['COMPLETE', 'COMPLETE']);
  });

  it('is refused when the object was changed after it', async () => {
    const asked = askedIn(await change({ mandatoryThreshold: 1 }).expect(202));
    await t.owner.query('UPDATE screening_lists SET stale_after_days = 3 WHERE id = $1', [
      uuidOf('lst', list),
    ]);
    const answer = await checker
      .post(`/operator/approvals/${asked.id}/approve`)
      .send({ digest: asked.digest });
    expect(detail(expectError(answer, 409, 'STATE_CONFLICT'))).toEqual(['CHANGED']);
  });

  it('that nobody decides in time ends', async () => {
    const asked = askedIn(await change({ mandatoryThreshold: 1 }).expect(202));
    await t.owner.query(`UPDATE approvals SET expires_at = now() - interval '1 second' WHERE id = $1`, [
      uuidOf('apr', asked.id),
    ]);
    const answer = await checker
      .post(`/operator/approvals/${asked.id}/approve`)
      .send({ digest: asked.digest });
    expectError(answer, 409, 'STATE_CONFLICT');
    await Promise.all([t.app.get(Approvals).sweep(), t.app.get(Approvals).sweep()]);
    const shown = askedIn(await checker.get(`/operator/approvals/${asked.id}`).expect(200));
    expect(shown).toMatchObject({ status: 'EXPIRED', decidedBy: null });
    expect(await trailOf(asked)).toBe('COMPLETE');
  });

  it('of which thirty approve, one withdraws and one refuses at once has one end', async () => {
    const asked = askedIn(await change({ mandatoryThreshold: 1 }).expect(202));
    const path = `/operator/approvals/${asked.id}`;
    const reason = { reason: 'At the same time.' };
    const answers = await Promise.all([
      ...Array.from({ length: 30 }, () => checker.post(`${path}/approve`).send({ digest: asked.digest })),
      maker.post(`${path}/withdraw`).send(reason),
      checker.post(`${path}/refuse`).send(reason),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(31);
    const { rows } = await t.owner.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM audit_entries WHERE organisation_id = $1 AND subject_type = 'screening_list'
         AND convert_from(canonical, 'UTF8') LIKE '%list.changed%'`,
      [organisationId],
    );
    const { status } = askedIn(await checker.get(path).expect(200));
    expect(rows[0]?.count).toBe(status === 'APPLIED' ? 1 : 0);
    expect(await trailOf(asked)).toBe('COMPLETE');
  });

  it('stands in the inbox of those who may approve it, and of who asked', async () => {
    const { id } = askedIn(await change({ mandatoryThreshold: 1 }).expect(202));
    const inbox = async (by: TestApi, query = ''): Promise<string[]> => {
      const { body } = await by.get(`/operator/approvals${query}`).expect(200);
      return (body as { data: AskedApproval[] }).data.map((one) => one.id);
    };
    const analyst = t.api.asOperator(await t.operator({ roles: ['ANALYST'], organisationId }));
    const stranger = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'] }));
    expect(await inbox(checker)).toEqual([id]);
    expect(await inbox(maker)).toEqual([]);
    expect(await inbox(maker, '?inbox=MINE')).toEqual([id]);
    expect(await inbox(analyst)).toEqual([]);
    expect(await inbox(stranger, '?inbox=ALL')).toEqual([]);
    expectError(await stranger.get(`/operator/approvals/${id}`), 404, 'APPROVAL_NOT_FOUND');
    await approve(checker, await checker.get(`/operator/approvals/${id}`));
    expect([await inbox(checker), await inbox(checker, '?inbox=DONE&act=list.change')]).toEqual([[], [id]]);
  });

  it('is approved with a second factor only, by people', async () => {
    const { id, digest } = askedIn(await change({ mandatoryThreshold: 1 }).expect(202));
    const weak = await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId, strong: false });
    const answer = await t.api.asOperator(weak).post(`/operator/approvals/${id}/approve`).send({ digest });
    expectError(answer, 403, 'STRONG_LOGIN_REQUIRED');
    expectError(await change({ archived: true }, t.api.asOperator(weak)), 403, 'STRONG_LOGIN_REQUIRED');
  });
});

describe('A second person', () => {
  it('is nobody who empowered the other within 30 days', async () => {
    await empowered(bea, ana, 29);
    const carla = await officer();
    const { id, digest } = askedIn(await change({ mandatoryThreshold: 1 }).expect(202));
    const path = `/operator/approvals/${id}/approve`;
    expect(detail(expectError(await checker.post(path).send({ digest }), 403, 'FOUR_EYES_REQUIRED'))).toEqual(
      ['NOT_INDEPENDENT'],
    );
    await t.api.asOperator(carla).post(path).send({ digest }).expect(200);
  });

  it('is none of two whom one administrator alone has given their roles', async () => {
    const boss = t.api.asOperator(await t.operator({ roles: ['ADMIN'], organisationId }));
    for (const { id } of [ana, bea]) {
      const asked = await boss
        .post(`/operator/operators/${publicId('opr', id)}/roles`)
        .send({ roles: ['COMPLIANCE_OFFICER', 'ANALYST'], reason: WHY })
        .expect(202);
      const { id: request, digest } = askedIn(asked);
      const alone = { digest, singleControl: true };
      await boss.post(`/operator/approvals/${request}/approve`).send(alone).expect(200);
    }
    const { id, digest } = askedIn(await change({ mandatoryThreshold: 1 }).expect(202));
    const answer = await checker.post(`/operator/approvals/${id}/approve`).send({ digest });
    expect(detail(expectError(answer, 403, 'FOUR_EYES_REQUIRED'))).toEqual([
      'NOT_INDEPENDENT',
      'NOBODY_ELSE',
    ]);
  });

  it('may be, after 30 days', async () => {
    await empowered(bea, ana, 31);
    await approve(checker, await change({ mandatoryThreshold: 1 }).expect(202));
  });

  it('is not found where one person alone made both: then it is said and marked', async () => {
    const boss = await t.operator({ roles: ['ADMIN'], organisationId });
    await empowered(ana, boss, 1, true);
    await empowered(bea, boss, 1, true);
    const { body } = await maker.get('/operator/approvals/control').expect(200);
    expect((body as { data: { singleControl: string[] } }).data.singleControl).toContain('list.change');
    const { id, digest } = askedIn(await change({ mandatoryThreshold: 1 }).expect(202));
    const path = `/operator/approvals/${id}/approve`;
    expect(detail(expectError(await checker.post(path).send({ digest }), 403, 'FOUR_EYES_REQUIRED'))).toEqual(
      ['NOT_INDEPENDENT', 'NOBODY_ELSE'],
    );
    const { body: done } = await checker.post(path).send({ digest, singleControl: true }).expect(200);
    expect((done as { data: object }).data).toMatchObject({ status: 'APPLIED', singleControl: true });
  });
});

describe('The database', () => {
  type Call = [sql: string, ...values: unknown[]];

  /** Runs it as the role of the service, in one transaction up to the checks of the trigger, and answers its refusal. */
  async function asService(trigger: string, ...statements: readonly Call[]): Promise<string> {
    const client = new pg.Client({ connectionString: t.settings.databaseUrl ?? '' });
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query(`SELECT set_config('vigia.organisations', $1, true)`, [`{${organisationId}}`]);
      for (const [text, ...values] of statements) await client.query(text, values);
      await client.query(`SET CONSTRAINTS ${trigger} IMMEDIATE`);
      return 'no refusal';
    } catch (error) {
      return (error as { message: string }).message;
    } finally {
      await client.query('ROLLBACK');
      await client.end();
    }
  }

  it('knows the waiting times and the approving roles as the service does', async () => {
    for (const act of actNames) {
      const { rows } = await t.owner.query<{ roles: string[]; hours: number }>(
        `SELECT vigia_approving_roles($1) AS roles, extract(epoch FROM vigia_waits_for($1))::int / 3600 AS hours`,
        [act],
      );
      const { approve: permission, waitsHours } = policyOf(act);
      const expected = roles.filter((role) => permissionsOfRole[role].includes(permission));
      expect([act, rows[0]?.roles.toSorted(), rows[0]?.hours]).toEqual([
        act,
        expected.toSorted(),
        waitsHours,
      ]);
    }
    expect(Object.keys(acts)).toHaveLength(actNames.length);
  });

  it('refuses each effect without an approved request, to the role of the service', async () => {
    const id = newUuid();
    const effects: Readonly<Record<Act, [trigger: string, call: Call]>> = {
      'case.close': [
        'reviews_approved',
        [
          `UPDATE reviews SET status = 'CLOSED', closed_at = now(), closed_by = $2 WHERE organisation_id = $1`,
          organisationId,
          bea.id,
        ],
      ],
      'communication.file': [
        'coaf_communications_approved',
        [
          `UPDATE coaf_communications SET status = 'FILED', confirmed_by = $2, confirmed_at = now()
           WHERE organisation_id = $1`,
          organisationId,
          bea.id,
        ],
      ],
      'hit.decide': [
        'screening_hits_approved',
        [
          `UPDATE screening_hits SET status = 'DISMISSED_FALSE_POSITIVE', decided_by = 'x', decided_at = now(), expires_at = now(), justification = '\\x00' WHERE organisation_id = $1`,
          organisationId,
        ],
      ],
      'ruleset.publish': [
        'rulesets_approved',
        [
          `UPDATE rulesets SET status = 'PUBLISHED', requested_by = 'operator:x', approved_by = 'operator:y',
             backtest_id = id WHERE organisation_id = $1 AND status = 'DRAFT'`,
          organisationId,
        ],
      ],
      'hit.reopen': [
        'screening_hits_memory',
        [
          `UPDATE screening_hits SET status = 'PENDING', expires_at = NULL WHERE organisation_id = $1 AND status = 'DISMISSED_FALSE_POSITIVE'`,
          organisationId,
        ],
      ],
      'freeze.lift': [
        'freezes_lift_approved',
        [`UPDATE freezes SET lifted_at = now() WHERE organisation_id = $1`, organisationId],
      ],
      'rule.snooze': [
        'rule_snoozes_approved',
        [
          `INSERT INTO rule_snoozes (id, organisation_id, ruleset_key, rule_key, reason, begins_at, ends_at, created_by)
         VALUES ($1, $2, 'br-starter', 'BR-PIX-16', 'attack', now(), now() + interval '25 days', 'x')`,
          id,
          organisationId,
        ],
      ],
      'list.change': [
        'screening_lists_approved',
        ['UPDATE screening_lists SET mandatory_threshold = 1 WHERE id = $1', uuidOf('lst', list)],
      ],
      'list.import': [
        'screening_snapshots_approved',
        [`UPDATE screening_snapshots SET status = 'PUBLISHED' WHERE list_id = $1`, uuidOf('lst', list)],
      ],
      'customer.lower_risk': [
        'customers_risk_approved',
        [`UPDATE customers SET risk_level = 'LOW' WHERE organisation_id = $1`, organisationId],
      ],
      'customer.lift_legal_hold': [
        'customers_hold_approved',
        [
          'UPDATE customers SET legal_hold_at = NULL, legal_hold_by = NULL WHERE organisation_id = $1',
          organisationId,
        ],
      ],
      'customer.erase': [
        'customers_erasure_approved',
        ['UPDATE customers SET erased_at = now() WHERE organisation_id = $1', organisationId],
      ],
      'trail.repair': [
        'audit_repairs_approved',
        [
          `UPDATE audit_repairs SET status = 'APPLIED', decided_by = $2 WHERE organisation_id = $1`,
          organisationId,
          bea.id,
        ],
      ],
      'log.restart': [
        'audit_reincarnations_approved',
        [
          `UPDATE audit_reincarnations SET status = 'APPROVED', approved_by = $2 WHERE organisation_id = $1`,
          organisationId,
          bea.id,
        ],
      ],
      'operator.invite': [
        'operator_invitations_approved',
        [
          `INSERT INTO operator_invitations (id, organisation_id, email, name, roles, hash, invited_by, expires_at)
           VALUES ($2, $1, 'x@example.com', 'X', '{COMPLIANCE_OFFICER}', '\\x00', $3, now() + interval '1 hour')`,
          organisationId,
          newUuid(),
          ana.id,
        ],
      ],
      'operator.empower': [
        'operators_empowered',
        [
          `UPDATE operators SET roles = roles || '{ADMIN}'::text[] WHERE organisation_id = $1`,
          organisationId,
        ],
      ],
      'dead_letter.discard': [
        'kyt_work_discard_approved',
        ['UPDATE kyt_work SET discarded_at = now() WHERE organisation_id = $1', organisationId],
      ],
    };
    await rowsForEffects();
    for (const [act, [trigger, statement]] of Object.entries(effects)) {
      expect([act, await asService(trigger, statement)]).toEqual([
        act,
        expect.stringContaining('without an approved request'),
      ]);
    }
    const more: readonly [trigger: string, call: Call][] = [
      [
        'operators_invited',
        [
          `INSERT INTO operators (id, organisation_id, kind, email, name, roles)
           VALUES ($2, $1, 'PERSON', 'y@example.com', 'Y', '{COMPLIANCE_OFFICER}')`,
          organisationId,
          newUuid(),
        ],
      ],
      [
        'operators_factor_reset',
        [
          `UPDATE operators SET sealed_totp_seed = NULL, totp_enrolled_at = NULL WHERE organisation_id = $1`,
          organisationId,
        ],
      ],
    ];
    await t.owner.query(
      `UPDATE operators SET sealed_totp_seed = '\\x00', totp_enrolled_at = now() WHERE id = $1`,
      [ana.id],
    );
    for (const [trigger, statement] of more) {
      expect([trigger, await asService(trigger, statement)]).toEqual([
        trigger,
        expect.stringContaining('without an approved request'),
      ]);
    }
    // Nor may the role approve by itself what somebody asks for, under any name but two independent ones.
    const { id: asked } = askedIn(await change({ mandatoryThreshold: 1 }).expect(202));
    const decided = (by: string): Call => [
      `UPDATE approvals SET status = 'APPROVED', decided_by = $2, decided_at = now(), effective_at = now() WHERE id = $1`,
      uuidOf('apr', asked),
      by,
    ];
    expect(await asService('ALL', decided(ana.id))).toContain('not independent');
    await empowered(bea, ana, 3);
    expect(await asService('ALL', decided(bea.id))).toContain('not independent');
    const carla = await officer();
    expect(await asService('ALL', decided(carla.id))).toContain('without an audit entry');
    // For another effect than it says an approval has no effect.
    const applied: Call = [
      `UPDATE approvals SET status = 'APPLIED', applied_at = clock_timestamp() WHERE id = $1`,
      uuidOf('apr', asked),
    ];
    const lowered = (threshold: number): Call => [
      'UPDATE screening_lists SET mandatory_threshold = $2 WHERE id = $1',
      uuidOf('lst', list),
      threshold,
    ];
    const effect = (threshold: number): Promise<string> =>
      asService('screening_lists_approved', decided(carla.id), applied, lowered(threshold));
    expect(await effect(0.99)).toContain('without an approved request');
    expect(await effect(1)).toBe('no refusal');
  });

  /** A row of each table that the effects change. */
  async function rowsForEffects(): Promise<void> {
    const review = newUuid();
    await t.owner.query(
      `INSERT INTO audit_repairs (id, organisation_id, subject_type, subject_id, kind, gaps, justification, evidence, requested_by)
       VALUES ($1, $2, 'review', 'x', 'ATTEST', '[]', $3, '{}', $4)`,
      [newUuid(), organisationId, WHY, ana.id],
    );
    await t.owner.query(
      `INSERT INTO audit_reincarnations (id, organisation_id, incarnation, restored_size, anchor_incarnation, anchor_size,
         anchor_root, reason, requested_by) VALUES ($1, $2, 2, 1, 1, 2, '\\x00', $3, $4)`,
      [newUuid(), organisationId, WHY, ana.id],
    );
    await t.owner.query(
      `INSERT INTO rulesets (id, organisation_id, key, version, status, content, content_hash, origin)
       VALUES ($1, $2, 'drafted', 1, 'DRAFT', '{}', '\\x00', 'DRAFT')`,
      [newUuid(), organisationId],
    );
    await t.owner.query(
      `INSERT INTO reviews (id, organisation_id, kind, theme, status, priority, queue, opened_by, opened_at,
         selection_deadline, analysis_deadline, due_at, updated_at, trail_hash, proposed_by, resolution, report,
         justification)
       VALUES ($1, $2, 'MANUAL', 'OTHER', 'PENDING_APPROVAL', 1, 'q', 'x', now(), now(), now(), now(), now(), '\\x00', $3,
         'APPROVED', 'ARCHIVE', '\\x00')`,
      [review, organisationId, ana.id],
    );
    await t.owner.query(
      `INSERT INTO coaf_communications (id, organisation_id, kind, review_id, decided_at, due_at, created_at, trail_hash,
         status, filing_number, received_at, recorded_by, recorded_at, sealed_content, content_hash)
       VALUES ($1, $2, 'SUSPICION', $4, now(), now(), now(), '\\x00', 'RECORDED', '1', now(), $3, now(), '\\x00', '\\x00')`,
      [newUuid(), organisationId, ana.id, review],
    );
    await t.owner.query(
      `INSERT INTO screening_snapshots (id, organisation_id, list_id, status, requested_by)
       VALUES ($1, $2, $3, 'AWAITING_CONFIRMATION', 'test')`,
      [newUuid(), organisationId, uuidOf('lst', list)],
    );
    await t.owner.query(
      `INSERT INTO screening_hits (id, organisation_id, subject_index, role, list_id, entry_key, entry_id, entry_hash,
         snapshot_id, scorer_version, score, name_score, strength, mandatory, qualifiers, sealed_explanation)
       VALUES ($1, $2, '\\x00', 'CUSTOMER', $3, 'e', $1, '\\x00', $1, '1', 1, 1, 'NAME', true, '{}', '\\x00')`,
      [newUuid(), organisationId, uuidOf('lst', list)],
    );
    const dismissed = newUuid();
    await t.owner.query(
      `INSERT INTO screening_hits (id, organisation_id, subject_index, role, list_id, entry_key, entry_id, entry_hash,
         snapshot_id, scorer_version, score, name_score, strength, mandatory, qualifiers, sealed_explanation, status, expires_at)
       VALUES ($1, $2, '\\x00', 'CUSTOMER', $3, 'd', $1, '\\x00', $1, '1', 1, 1, 'NAME', true, '{}', '\\x00',
         'DISMISSED_FALSE_POSITIVE', now() + interval '1 day')`,
      [dismissed, organisationId, uuidOf('lst', list)],
    );
    await t.owner.query(
      `INSERT INTO freezes (id, organisation_id, hit_id, subject_index, frozen_by) VALUES ($1, $2, $3, '\\x00', 'x')`,
      [newUuid(), organisationId, dismissed],
    );
    await t.owner.query(
      `INSERT INTO customers (id, organisation_id, assurance, identified_by, subject_index, sealed, named, trail_hash,
         risk_level, risk_level_by, legal_hold_at, legal_hold_by, legal_hold_reason)
       VALUES ($1, $2, 'DECLARED', 'OPERATOR', '\\x00', '\\x00', false, '\\x00', 'HIGH', 'OPERATOR', now(), $3, '\\x00')`,
      [newUuid(), organisationId, ana.id],
    );
    await t.owner.query(
      `INSERT INTO kyt_work (transaction_ref, organisation_id, status, due_at, failure_code, failure_stage)
       VALUES ($1, $2, 'DEAD_LETTERED', 'infinity', 'TEST', 'OPEN')`,
      [newUuid(), organisationId],
    );
  }
});
