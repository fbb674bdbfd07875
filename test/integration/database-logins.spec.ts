import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditTrail } from '../../src/features/audit/index.js';
import { ensureAppRole, urlForRole } from '../../src/platform/database/connection/app-role.js';
import { UnitOfWork } from '../../src/platform/database/index.js';
import { startTestApp, type TestApp } from '../support/app.js';

const member = `member_${randomBytes(5).toString('hex')}`;
const password = randomBytes(12).toString('hex');
let t: TestApp;
let byMember: TestApp;

beforeAll(async () => {
  t = await startTestApp();
  await ensureAppRole(t.database.ownerUrl, member, password);
  const databaseUrl = urlForRole(t.database.appUrl, member, password);
  byMember = await startTestApp({ like: t, settings: { databaseUrl } });
});

afterAll(async () => {
  await byMember.close();
  await t.owner.query(`DROP OWNED BY ${member}`);
  await t.owner.query(`DROP ROLE ${member}`);
  await t.close();
});

describe('a service that logs in as a member of vigia_app', () => {
  it('acts as vigia_app', async () => {
    const asked = 'SELECT session_user AS login, current_user AS role';
    const who: unknown = await byMember.app.get(UnitOfWork).read([], (db) => db.query(asked));
    expect(who).toEqual([{ login: member, role: 'vigia_app' }]);
  });

  it('has the states of its rows bound', async () => {
    const { id, organisationId } = await byMember.operator();
    const { rows } = await t.owner.query<{ action: string }>(
      `SELECT action FROM audit_entries WHERE subject_type = 'state' AND subject_id = 'operator:' || $1`,
      [id],
    );
    expect(rows).not.toEqual([]);
    expect(new Set(rows.map(({ action }) => action))).toEqual(new Set(['state.bound']));
    const { status } = await byMember.app
      .get(AuditTrail)
      .trailStatus({ organisationId, type: 'operator', id });
    expect(status).toBe('COMPLETE');
  });

  it('needs two people for what takes two', async () => {
    const { id, organisationId } = await byMember.operator({ roles: ['ANALYST'] });
    const empowered = byMember.app
      .get(UnitOfWork)
      .run(organisationId, (tx) =>
        tx.query(`UPDATE operators SET roles = ARRAY['ADMIN'] WHERE id = $1`, [id]),
      );
    await expect(empowered).rejects.toThrow('without an approved request');
  });
});
