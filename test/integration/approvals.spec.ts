import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ApprovalsService } from '../../src/features/approvals/index.js';
import { AuditTrail } from '../../src/features/audit/index.js';
import type { Role } from '../../src/platform/http/index.js';
import { newUuid, publicId, uuidOf } from '../../src/platform/kernel/index.js';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import { AccessTokens } from '../../src/features/operators/index.js';
import { expectError } from '../support/answers.js';
import type { TestApi, TestOperator } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { approve, askedIn, type AskedApproval } from '../support/approvals.js';
import { eventually } from '../support/eventually.js';
import { bindAnew } from '../support/tamper.js';

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
async function empowered(
  who: TestOperator,
  by: TestOperator,
  days: number,
  singleControl = false,
): Promise<void> {
  await t.owner.query(
    `INSERT INTO operator_lineage (id, organisation_id, operator_id, by_id, kind, single_control, at)
     VALUES ($1, $2, $3, $4, 'INVITED', $5, now() - $6 * interval '1 day')`,
    [newUuid(), organisationId, who.id, by.id, singleControl, days],
  );
  await bindAnew(t, 'operator', who.id);
}

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
      ...{ subjectId: list, link: `/operator/lists/${list}` },
    });
    const read = await checker.get(`/operator/approvals/${asked.id}`).expect(200);
    expect((read.body as { data: unknown }).data).toMatchObject({
      subjectId: list,
      summary: { lines: [{ what: { en: 'List' }, before: null, after: { en: expect.any(String) } }] },
    });
    await checker.get(`/operator/lists/${list}`).expect(200);
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
    await bindAnew(t, 'screening_list', uuidOf('lst', list) ?? '');
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
    await bindAnew(t, 'approval', uuidOf('apr', asked.id) ?? '');
    const answer = await checker
      .post(`/operator/approvals/${asked.id}/approve`)
      .send({ digest: asked.digest });
    expectError(answer, 409, 'STATE_CONFLICT');
    await Promise.all([t.app.get(ApprovalsService).sweep(), t.app.get(ApprovalsService).sweep()]);
    const shown = askedIn(await checker.get(`/operator/approvals/${asked.id}`).expect(200));
    expect(shown).toMatchObject({ status: 'EXPIRED', decidedBy: null });
    expect(await trailOf(asked)).toBe('COMPLETE');
  });

  it('that cannot be opened keeps no other one from its end', async () => {
    const broken = askedIn(await change({ mandatoryThreshold: 1 }).expect(202));
    const { id: other } = askedIn(
      await maker
        .post('/operator/lists')
        .send({ key: 'other', name: 'EU', kind: 'SANCTIONS', format: 'HOUSE_CSV' })
        .expect(201),
    );
    const asked = askedIn(
      await maker
        .post(`/operator/lists/${other}/changes`)
        .send({ reason: WHY, ...weaker })
        .expect(202),
    );
    const ids = [broken, asked].map(({ id }) => uuidOf('apr', id) ?? '');
    await t.owner.query(`UPDATE approvals SET sealed_reason = '\\x00' WHERE id = $1`, [ids[0]]);
    await t.owner.query(
      `UPDATE approvals SET expires_at = clock_timestamp() - interval '1 second' WHERE id = ANY ($1)`,
      [ids],
    );
    for (const id of ids) await bindAnew(t, 'approval', id);
    await Promise.allSettled([t.app.get(ApprovalsService).sweep()]);
    const { rows } = await t.owner.query('SELECT status FROM approvals WHERE id = ANY ($1) ORDER BY id', [
      ids,
    ]);
    expect(rows).toEqual([{ status: 'REQUESTED' }, { status: 'EXPIRED' }]);
    // The sweeps of the other tests have nothing to stumble over.
    await t.owner.query(`UPDATE approvals SET expires_at = now() + interval '1 day' WHERE id = $1`, [ids[0]]);
    await bindAnew(t, 'approval', ids[0] ?? '');
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
    expect(await inbox(checker, `?inbox=ALL&subject=${list}`)).toEqual([id]);
    // The id of another kind of object, and that of none.
    expect(await inbox(checker, `?inbox=ALL&subject=${list.replace('lst_', 'rev_')}`)).toEqual([]);
    expect(await inbox(checker, `?inbox=ALL&subject=${publicId('lst', newUuid())}`)).toEqual([]);
    expectError(await checker.get('/operator/approvals?subject=lst_1'), 400, 'VALIDATION_FAILED');
  });

  it('is read by who asked, who may ask or approve, and an auditor; by no developer', async () => {
    const { id } = askedIn(await change({ mandatoryThreshold: 1 }).expect(202));
    const path = `/operator/approvals/${id}`;
    for (const inbox of ['ALL', 'DONE']) {
      if (inbox === 'DONE') await approve(checker, await checker.get(path));
      for (const [role, seen] of [
        ['DEVELOPER', false],
        ['ADMIN', false],
        ['ANALYST', false],
        ['AUDITOR', true],
        ['COMPLIANCE_OFFICER', true],
      ] as const) {
        const api = t.api.asOperator(await t.operator({ roles: [role], organisationId }));
        const { body } = await api.get(`/operator/approvals?inbox=${inbox}`).expect(200);
        const { status } = await api.get(path);
        expect([role, (body as { data: object[] }).data.length, status]).toEqual(
          seen ? [role, 1, 200] : [role, 0, 404],
        );
      }
    }
  });

  it('is approved by nobody whose role, password or session was changed in the database', async () => {
    const dev = await t.operator({ roles: ['DEVELOPER'], organisationId });
    const { id, digest } = askedIn(await change({ mandatoryThreshold: 1 }).expect(202));
    const path = `/operator/approvals/${id}/approve`;
    const tries = async (by: TestOperator, code: string): Promise<void> => {
      const answer = await t.api.asOperator(by).post(path).send({ digest });
      expectError(answer, 409, 'AUDIT_TRAIL_INCOMPLETE');
      expect((answer.body as { error: object }).error).toMatchObject({ details: [{ path: '', code }] });
    };
    const set = (column: string, value: unknown, who: TestOperator): Promise<unknown> =>
      t.owner.query(`UPDATE operators SET ${column} = $1 WHERE id = $2`, [value, who.id]);
    await set('roles', ['COMPLIANCE_OFFICER'], dev);
    await eventually('the role is seen', async () => {
      const { body } = await t.api.asOperator(dev).get('/operator/me').expect(200);
      return (body as { data: { roles: string[] } }).data.roles.includes('COMPLIANCE_OFFICER');
    });
    await tries(dev, 'ACCOUNT_ALTERED');
    await set('roles', ['DEVELOPER'], dev);
    await set('password_hash', 'x', bea);
    await tries(bea, 'ACCOUNT_ALTERED');
    await set('password_hash', null, bea);
    // One's own session, given to another officer: two people are one.
    const own = await t.app.get(AccessTokens).issue({ operatorId: bea.id, sessionId: ana.sessionId });
    await t.owner.query(`UPDATE operator_sessions SET operator_id = $1 WHERE id = $2`, [
      bea.id,
      ana.sessionId,
    ]);
    await eventually('the session is taken for hers', async () => {
      const mine = t.api.asOperator({ ...bea, token: own });
      return (await mine.get('/operator/me')).status === 200;
    });
    await tries({ ...bea, token: own }, 'SESSION_WITHOUT_LOGIN');
    await approve(checker, { body: { data: { id, digest } } });
    expect(await trailOf({ id })).toBe('COMPLETE');
  });

  it('is judged by what the trails say of its approver as of then', async () => {
    const dev = await t.operator({ roles: ['DEVELOPER'], organisationId });
    const asked = askedIn(await change({ mandatoryThreshold: 1 }).expect(202));
    const { id } = await approve(checker, { body: { data: asked } });
    const approval = uuidOf('apr', id) ?? '';
    const decidedBy = async (who: string): Promise<string> => {
      await t.owner.query('UPDATE approvals SET decided_by = $1 WHERE id = $2', [who, approval]);
      await bindAnew(t, 'approval', approval);
      return trailOf(asked);
    };
    expect(await decidedBy(dev.id)).toBe('STATE_MISMATCH');
    expect(await decidedBy((await officer()).id)).toBe('STATE_MISMATCH');
    expect(await decidedBy(bea.id)).not.toBe('MISSING');
    // A role that is taken away later changes nothing of what was decided with it.
    await t.owner.query(`UPDATE operators SET roles = '{}' WHERE id = $1`, [bea.id]);
    await bindAnew(t, 'operator', bea.id);
    const { gaps } = await t.app
      .get(AuditTrail)
      .trailStatus({ organisationId, type: 'approval', id: approval });
    expect(gaps.map(({ detail }) => detail).filter((detail) => detail.includes('approved'))).toEqual([]);
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

  const withRoles = (...roles: Role[]): Promise<TestOperator> => t.operator({ roles, organisationId });
  const give = async (boss: TestOperator, who: TestOperator, roles: Role[]): Promise<AskedApproval> =>
    askedIn(
      await t.api
        .asOperator(boss)
        .post(`/operator/operators/${publicId('opr', who.id)}/roles`)
        .send({ roles, reason: WHY })
        .expect(202),
    );

  it('is none of two whom one administrator alone has given their roles', async () => {
    const boss = await withRoles('ADMIN');
    const two = [await withRoles('AUDITOR'), await withRoles('AUDITOR')] as const;
    for (const one of two) {
      const { id, digest } = await give(boss, one, ['COMPLIANCE_OFFICER']);
      const alone = { digest, singleControl: true };
      await t.api.asOperator(boss).post(`/operator/approvals/${id}/approve`).send(alone).expect(200);
    }
    const [one, other] = two.map((operator) => t.api.asOperator(operator)) as [TestApi, TestApi];
    const { id, digest } = askedIn(await change({ mandatoryThreshold: 1 }, one).expect(202));
    const answer = await other.post(`/operator/approvals/${id}/approve`).send({ digest });
    expect(detail(expectError(answer, 403, 'FOUR_EYES_REQUIRED'))).toEqual(['NOT_INDEPENDENT']);
    await approve(checker, { body: { data: { id, digest } } });
  });

  it('stays one with a role that the act does not need, and who does not is named by person and act', async () => {
    interface Control {
      readonly singleControl: string[];
      readonly people: { id: string; alone: string[]; notIndependent: { id: string; acts: string[] }[] }[];
    }
    const control = async (as = maker): Promise<Control> =>
      ((await as.get('/operator/approvals/control').expect(200)).body as { data: Control }).data;
    const giver = await withRoles('ADMIN', 'COMPLIANCE_OFFICER');
    const second = t.api.asOperator(await withRoles('ADMIN'));
    expect(await control()).toMatchObject({ singleControl: [], people: [] });
    for (const one of [ana, bea]) {
      for (const roles of [
        ['COMPLIANCE_OFFICER', 'ANALYST'] as const,
        ['COMPLIANCE_OFFICER', 'ANALYST', 'AUDITOR'] as const,
      ]) {
        await approve(second, { body: { data: await give(giver, one, [...roles]) } });
      }
    }
    expect(await control()).toMatchObject({ singleControl: [], people: [] });
    const own = t.api.asOperator(giver);
    const { id, digest } = askedIn(await change({ mandatoryThreshold: 1 }, own).expect(202));
    const path = `/operator/approvals/${id}/approve`;
    expectError(await own.post(path).send({ digest, singleControl: true }), 403, 'FOUR_EYES_REQUIRED');
    await approve(checker, { body: { data: { id, digest } } });

    const carla = await withRoles('AUDITOR');
    await approve(second, { body: { data: await give(giver, carla, ['COMPLIANCE_OFFICER']) } });
    const [gave, got] = [giver, carla].map((one) => publicId('opr', one.id));
    const { singleControl, people } = await control();
    const named = people.find((one) => one.id === gave);
    expect([singleControl, named?.alone, named?.notIndependent.map((one) => one.id)]).toEqual([
      [],
      [],
      [got],
    ]);
    expect(named?.notIndependent[0]?.acts).toEqual(expect.arrayContaining(['list.change', 'hit.decide']));
    expect(named?.notIndependent[0]?.acts).not.toContain('operator.invite');
    for (const operator of [ana, bea]) {
      await t.owner.query(`UPDATE operators SET status = 'DISABLED' WHERE id = $1`, [operator.id]);
    }
    // Only these two officers are left.
    const left = (await control(own)).people.find((one) => one.id === gave);
    expect(left?.alone).toEqual(expect.arrayContaining(['list.change', 'hit.decide', 'case.close']));
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

  it('is judged as people are at the commit, not as they were at the first look', async () => {
    const boss = await t.operator({ roles: ['ADMIN'], organisationId });
    await empowered(ana, boss, 1, true);
    await empowered(bea, boss, 1, true);
    const { id, digest } = askedIn(await change({ mandatoryThreshold: 1 }).expect(202));
    const path = `/operator/approvals/${id}/approve`;
    /** Approves, and lets `meanwhile` happen between the look at the people and the decision. */
    const approveWhile = async (
      meanwhile: () => Promise<unknown>,
    ): Promise<Awaited<ReturnType<TestApi['get']>>> => {
      const lock = await t.owner.connect();
      try {
        await lock.query('BEGIN; LOCK TABLE screening_lists IN ACCESS EXCLUSIVE MODE');
        const answer = checker.post(path).send({ digest, singleControl: true });
        const [answered] = await Promise.all([
          answer,
          (async () => {
            await eventually('the approval waits', async () => {
              // Work in the background waits there too, but only to read: it locks no row.
              const { rowCount } = await lock.query(
                `SELECT FROM pg_locks WHERE relation = 'screening_lists'::regclass AND NOT granted AND mode = 'RowShareLock'`,
              );
              return rowCount === 1;
            });
            await meanwhile();
            await lock.query('COMMIT');
          })(),
        ]);
        return answered;
      } finally {
        lock.release();
      }
    };
    const setStatus = (who: TestOperator, status: string): Promise<unknown> =>
      t.owner.query('UPDATE operators SET status = $1 WHERE id = $2', [status, who.id]);
    const carla = await officer();
    await setStatus(carla, 'DISABLED');
    const third = await approveWhile(() => setStatus(carla, 'ENABLED'));
    expect(detail(expectError(third, 403, 'FOUR_EYES_REQUIRED'))).toEqual(['NOT_INDEPENDENT']);
    await setStatus(carla, 'DISABLED');
    const gone = await approveWhile(() => setStatus(bea, 'DISABLED'));
    expect(detail(expectError(gone, 403, 'PERMISSION_DENIED'))).toEqual(['PERMISSION_MISSING']);
    expect(askedIn(await maker.get(`/operator/approvals/${id}`).expect(200)).status).toBe('REQUESTED');
  });
});
