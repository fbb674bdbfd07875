import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import { AuditTrail } from '../../src/features/audit/index.js';
import { ClientAppsService, OrganisationSettingsService } from '../../src/features/auth/index.js';
import {
  ensureAppRole,
  requireOwnerLogin,
  urlForRole,
} from '../../src/platform/database/connection/app-role.js';
import {
  appConnectionOptions,
  ownerConnectionOptions,
} from '../../src/platform/database/connection/connection-options.js';
import { withClient } from '../../src/platform/database/connection/with-client.js';
import { ConnectionWatch, PROCESS_NAME, UnitOfWork } from '../../src/platform/database/index.js';
import { processEnv } from '../support/api-process.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { freshDatabase } from '../support/database.js';
import { fromSource } from '../support/engine-flags.js';
import { eventually } from '../support/eventually.js';
import { later } from '../support/needs.js';
import { StartupProxy } from '../support/startup-proxy.js';

const member = `member_${randomBytes(5).toString('hex')}`;
const password = randomBytes(12).toString('hex');
let proxy: StartupProxy;
let memberUrl: string;
let t: TestApp;
let byMember: TestApp;

// A server, a database or a login may say otherwise: defaults of PostgreSQL and of its packages among it.
const otherwise = {
  jit: 'on',
  jit_above_cost: '0',
  random_page_cost: '4',
  TimeZone: 'America/Sao_Paulo',
  client_encoding: 'LATIN1',
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  'vigia.system': 'left by somebody',
};

beforeAll(async () => {
  const database = await freshDatabase();
  await withClient(database.ownerUrl, async (client) => {
    const name = new URL(database.ownerUrl).pathname.slice(1);
    for (const [setting, value] of Object.entries(otherwise)) {
      await client.query(`ALTER DATABASE ${name} SET ${setting} = '${value}'`);
    }
  });
  t = await startTestApp({ database });
  await ensureAppRole(t.database.ownerUrl, member, password);
  proxy = await StartupProxy.before(t.database.ownerUrl);
  memberUrl = proxy.urlOf(urlForRole(t.database.appUrl, member, password));
  byMember = await startTestApp({ like: t, settings: { databaseUrl: memberUrl } });
});

afterAll(async () => {
  await byMember.close();
  await proxy.close();
  await t.owner.query(`DROP OWNED BY ${member}`);
  await t.owner.query(`DROP ROLE ${member}`);
  await t.close();
});

/** A connection as its session shows it. */
const SHOWN = `SELECT session_user AS login, current_user AS role, current_setting('statement_timeout') AS statement,
  current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('jit') AS jit,
  current_setting('random_page_cost') AS page, current_setting('TimeZone') AS zone,
  current_setting('client_encoding') AS encoding, current_setting('tcp_user_timeout') AS unheard,
  current_setting('vigia.system', true) AS system, current_setting('application_name') AS name`;
const common = { jit: 'off', page: '1.1', zone: 'UTC', encoding: 'UTF8', unheard: '12000' };
const service = {
  ...common,
  role: 'vigia_app',
  statement: '10s',
  idle: '10s',
  system: '',
  name: PROCESS_NAME,
};

describe('a connection of the service', () => {
  const shownTo = async (app: TestApp): Promise<unknown> =>
    app.app.get(UnitOfWork).read([], (db) => db.query(SHOWN));

  it('shows who it acts as and its limits, whatever server and database say otherwise', async () => {
    expect(await shownTo(t)).toEqual([{ ...service, login: 'vigia_app' }]);
  });

  it('shows the same through a proxy that drops the options of the startup', async () => {
    expect([...proxy.dropped]).toContain('client_encoding');
    expect(await shownTo(byMember)).toEqual([{ ...service, login: member }]);
  });

  it('shows the same when it is that of the health probe', async () => {
    const watch = byMember.app.get<{ readonly probe: { client: pg.Client } | null }>(ConnectionWatch);
    const { client } = await eventually('there is a probe', () => Promise.resolve(watch.probe));
    const { rows } = await client.query(SHOWN);
    expect(rows).toEqual([{ ...service, login: member, name: `${PROCESS_NAME} watch` }]);
  });

  it('shows the same when the URL has options of its own', async () => {
    const url = `${memberUrl}?options=-c%20statement_timeout%3D0&application_name=somebody&statement_timeout=0`;
    expect(await shownBy(appConnectionOptions({ ...LIMITS, url }))).toEqual([{ ...service, login: member }]);
  });

  it('has no role and no limits when it is the owner who migrates, and the rest', async () => {
    const login = new URL(t.database.ownerUrl).username;
    const owner = { ...common, login, role: login, statement: '0', idle: '0', system: 'migration' };
    const url = proxy.urlOf(t.database.ownerUrl);
    expect(await shownBy(ownerConnectionOptions(url))).toEqual([{ ...owner, name: PROCESS_NAME }]);
    const { rows } = await withClient(url, (client) => client.query<object>(SHOWN));
    expect(rows).toMatchObject([{ ...common, login, role: login }]);
  });

  it('is refused with the reason where the login may not act as vigia_app', async () => {
    const stranger = `stranger_${randomBytes(5).toString('hex')}`;
    await t.owner.query(`CREATE ROLE ${stranger} LOGIN PASSWORD '${password}'`);
    try {
      const url = urlForRole(t.database.appUrl, stranger, password);
      await expect(shownBy(appConnectionOptions({ ...LIMITS, url }))).rejects.toThrow(
        'refused: permission denied to set role "vigia_app"',
      );
    } finally {
      await t.owner.query(`DROP ROLE ${stranger}`);
    }
  });

  it.each([
    ["SET role = 'vigia_app'", `role is "${member}" and not "vigia_app"`],
    ["SET statement_timeout = '10000'", 'statement_timeout is "0" and not "10000"'],
    ["SET jit = 'off'", 'jit is "on" and not "off"'],
  ])('is refused with the reason where something on the way swallows %s', async (statement, reason) => {
    proxy.swallowed = statement;
    try {
      await expect(shownBy(appConnectionOptions({ ...LIMITS, url: memberUrl }))).rejects.toThrow(reason);
    } finally {
      proxy.swallowed = null;
    }
  });

  it('that is refused while the service runs makes it unready, with the reason in its log', async () => {
    const readiness = async (): Promise<unknown> => (await fetch(`${byMember.url}/health/ready`)).json();
    await t.owner.query(`REVOKE vigia_app FROM ${member}`);
    try {
      await t.owner.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [
        member,
      ]);
      await eventually('readiness names it', async () =>
        JSON.stringify(await readiness()).includes('database-session'),
      );
      const refusal = 'away: database-session, the connection to the database is refused: permission denied';
      expect(byMember.log.some((line) => line.includes(refusal))).toBe(true);
    } finally {
      await t.owner.query(`GRANT vigia_app TO ${member}`);
    }
    await eventually('it is ready', async () => (await fetch(`${byMember.url}/health/ready`)).ok);
  });
});

describe('a service that logs in as a member of vigia_app', () => {
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

const LIMITS = {
  poolSize: 1,
  connectTimeoutMs: 2_000,
  statementTimeoutMs: 10_000,
  idleInTransactionTimeoutMs: 10_000,
};

async function shownBy(options: PostgresDataSourceOptions): Promise<unknown> {
  const source = await new DataSource(options).initialize();
  try {
    return await source.query(SHOWN);
  } finally {
    await source.destroy();
  }
}

it('migrates with words about the setting that is missing, where only the login of the service is given', async () => {
  const env: Record<string, string | undefined> = {
    ...processEnv(t),
    DATABASE_URL: urlForRole(t.database.appUrl, `nobody_${randomBytes(5).toString('hex')}`, password),
  };
  delete env['DATABASE_OWNER_URL'];
  const ran = spawn(process.execPath, [...fromSource('cli/main.ts'), 'migrate'], { env });
  let said = '';
  ran.stderr.on('data', (text: Buffer) => (said += text.toString()));
  const [code] = (await once(ran, 'close')) as [number | null];
  expect([code, said]).toEqual([1, expect.stringContaining('DATABASE_OWNER_URL is not set')]);
  expect(said).not.toContain(password);
});

describe('that one person may decide alone', () => {
  const key = `alone-${randomBytes(4).toString('hex')}`;
  let organisationId: string;

  beforeAll(async () => {
    organisationId = await t.app.get(ClientAppsService).ensureOrganisation(key, key);
  });

  // Both services live in this process: they go on meanwhile.
  const declare = async (
    env: Record<string, string>,
    ...given: string[]
  ): Promise<{ code: number | null; said: string }> => {
    const command = [...fromSource('cli/main.ts'), 'organisations', 'single-handed', key, ...given];
    const ran = spawn(process.execPath, command, { env: { ...processEnv(t), ...env } });
    let said = '';
    for (const stream of [ran.stdout, ran.stderr]) {
      stream.on('data', (text: Buffer) => (said += text.toString()));
    }
    const [code] = (await once(ran, 'close')) as [number | null];
    return { code, said };
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

  later(
    'is declared and taken back from the command line by the owner of the schema, with an entry',
    async () => {
      const owner = { DATABASE_OWNER_URL: t.database.ownerUrl };
      expect(await declare(owner)).toMatchObject({
        code: 0,
        said: expect.stringContaining('one person alone'),
      });
      expect(await isDeclared()).toBe(true);
      await expect(
        t.app.get(OrganisationSettingsService).setSingleControl(organisationId, false),
      ).rejects.toThrow('only the owner of the schema');
      expect(await declare(owner, '--end')).toMatchObject({
        code: 0,
        said: expect.stringContaining('nobody'),
      });
      expect(await isDeclared()).toBe(false);
      const { rows } = await t.owner.query<{ said: string }>(
        `SELECT convert_from(canonical, 'UTF8') AS said FROM audit_entries
       WHERE action = 'ops.single_handed.set' ORDER BY subject_seq`,
      );
      expect(rows.map(({ said }) => (JSON.parse(said) as { content: object }).content)).toEqual([
        { organisation: organisationId, declared: true },
        { organisation: organisationId, declared: false },
      ]);
    },
  );

  later.each([
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
    expect(await declare(env())).toMatchObject({ code: 1, said: expect.stringContaining(message) });
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
