import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { AuditTrail } from '../../src/features/audit/index.js';
import { ClientAppsService, OrganisationSettingsService } from '../../src/features/auth/index.js';
import {
  ensureAppRole,
  requireOwnerLogin,
  urlForRole,
} from '../../src/platform/database/connection/app-role.js';
import { UnitOfWork } from '../../src/platform/database/index.js';
import { processEnv } from '../support/api-process.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { fromSource } from '../support/engine-flags.js';

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
    const empowered = byMember.app.get(UnitOfWork).run(organisationId, async (tx) => {
      await tx.query(`UPDATE operators SET roles = ARRAY['ADMIN'] WHERE id = $1`, [id]);
      await tx.query('SET CONSTRAINTS operators_empowered IMMEDIATE');
    });
    await expect(empowered).rejects.toThrow('without an approved request');
  });
});

describe('that one person may decide alone', () => {
  const key = `alone-${randomBytes(4).toString('hex')}`;
  let organisationId: string;

  beforeAll(async () => {
    organisationId = await t.app.get(ClientAppsService).ensureOrganisation(key, key);
  });

  const declare = (env: Record<string, string>, ...given: string[]): { code: number; said: string } => {
    const command = [...fromSource('cli/main.ts'), 'organisations', 'single-handed', key, ...given];
    const ran = spawnSync(process.execPath, command, { env: { ...processEnv(t), ...env }, encoding: 'utf8' });
    return { code: ran.status ?? -1, said: ran.stdout + ran.stderr };
  };

  const isDeclared = async (): Promise<boolean> => {
    const { rowCount } = await t.owner.query(
      'SELECT FROM organisations WHERE id = $1 AND single_handed_at IS NOT NULL',
      [organisationId],
    );
    return rowCount === 1;
  };

  it('is not declared by the login of the service', async () => {
    for (const app of [t, byMember]) {
      const declared = app.app.get(OrganisationSettingsService).setSingleControl(organisationId, true);
      await expect(declared).rejects.toThrow('only the owner of the schema');
    }
    const born = t.app
      .get(UnitOfWork)
      .run([organisationId], (tx) =>
        tx.query('INSERT INTO organisations (id, key, name, single_handed_at) VALUES ($1, $2, $2, now())', [
          organisationId,
          `${key}-born`,
        ]),
      );
    await expect(born).rejects.toThrow('only the owner of the schema');
    expect(await isDeclared()).toBe(false);
  });

  it('is declared and taken back from the command line by the owner of the schema, with an entry', async () => {
    const owner = { DATABASE_OWNER_URL: t.database.ownerUrl };
    expect(declare(owner)).toMatchObject({ code: 0, said: expect.stringContaining('one person alone') });
    expect(await isDeclared()).toBe(true);
    await expect(
      t.app.get(OrganisationSettingsService).setSingleControl(organisationId, false),
    ).rejects.toThrow('only the owner of the schema');
    expect(declare(owner, '--end')).toMatchObject({ code: 0, said: expect.stringContaining('nobody') });
    expect(await isDeclared()).toBe(false);
    const { rows } = await t.owner.query<{ said: string }>(
      `SELECT convert_from(canonical, 'UTF8') AS said FROM audit_entries
       WHERE action = 'ops.single_handed.set' ORDER BY subject_seq`,
    );
    expect(rows.map(({ said }) => (JSON.parse(said) as { content: object }).content)).toEqual([
      { organisation: organisationId, declared: true },
      { organisation: organisationId, declared: false },
    ]);
  });

  it.each([
    ['there is none', 'This command needs DATABASE_OWNER_URL', (): Record<string, string> => ({})],
    [
      'it is that of the service',
      'DATABASE_URL and DATABASE_OWNER_URL are two logins',
      (): Record<string, string> => ({ DATABASE_OWNER_URL: t.database.appUrl }),
    ],
    [
      'it owns nothing',
      'DATABASE_OWNER_URL does not connect as the owner',
      (): Record<string, string> => ({
        DATABASE_OWNER_URL: urlForRole(t.database.appUrl, member, password),
      }),
    ],
  ])('is refused where the second login is missing: %s', async (_, message, env) => {
    expect(declare(env())).toMatchObject({ code: 1, said: expect.stringContaining(message) });
    expect(await isDeclared()).toBe(false);
  });

  it('names the grant that an owner needs who is not a superuser', async () => {
    const name = `owner_${randomBytes(5).toString('hex')}`;
    await t.owner.query(`CREATE ROLE ${name} LOGIN NOSUPERUSER PASSWORD '${password}'`);
    await t.owner.query(`CREATE DATABASE ${name} OWNER ${name}`);
    const url = new URL(urlForRole(t.database.ownerUrl, name, password));
    url.pathname = `/${name}`;
    const owner = new pg.Client({ connectionString: url.href });
    try {
      await owner.connect();
      await owner.query('CREATE TABLE organisations ()');
      await expect(requireOwnerLogin(url.href)).rejects.toThrow(`GRANT vigia_app TO "${name}"`);
      await t.owner.query(`GRANT vigia_app TO ${name}`);
      await requireOwnerLogin(url.href);
    } finally {
      await owner.end();
      await t.owner.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await t.owner.query(`DROP ROLE ${name}`);
    }
  });
});
