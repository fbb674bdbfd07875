import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { withLogin } from '../../config/server-urls.js';
import { sqlStateOf } from '../work/database-errors.js';
import { APP_ROLE } from './session-settings.js';
import { loginOf, withClient } from './with-client.js';

/** Thrown when the roles cannot be set up as configured; the message says what to change. */
export class AppRoleError extends Error {}

const NO_ACCESS = new Set(['28P01', '28000', '42501', '42704']);

/** Returns the URL of the same database for another role. Throws AppRoleError if `url` names no host. */
export function urlForRole(url: string, user: string, password: string): string {
  try {
    return withLogin(url, user, password);
  } catch (error) {
    throw new AppRoleError(
      'The URL of the database names no host, so that of the application role cannot be derived from it.\n' +
        'Write postgres://user:password@host/database.',
      { cause: error },
    );
  }
}

/**
 * Makes sure that the application can log in as `appUser` and has the rights of `vigia_app`, no more.
 * Changes nothing if the role is complete already, because a database administrator may manage it.
 */
export async function ensureAppRole(ownerUrl: string, appUser: string, appPassword: string): Promise<void> {
  if (loginOf(ownerUrl).user === appUser) {
    throw new AppRoleError(
      `The application must not use the role that owns the tables (${appUser}): ` +
        'what protects the audit trail would not bind it.',
    );
  }
  const appUrl = urlForRole(ownerUrl, appUser, appPassword);
  // Roles belong to the whole server, so several processes (test files, for example) may create this role at the same
  // time. All but one process fail, and their next check finds the role complete.
  for (let attempt = 1; !(await isReady(appUrl)); attempt++) {
    try {
      await withClient(ownerUrl, async (client) => grantAccess(client, appUser, appPassword));
    } catch (error) {
      if (attempt === 5) throw error;
      await sleep(50 * attempt);
    }
  }
}

/** Throws AppRoleError unless `url` connects as an owner of the schema who may act as `vigia_app`. */
export async function requireOwnerLogin(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ owns: boolean }>(
      `SELECT pg_has_role(session_user, relowner, 'USAGE') AS owns FROM pg_class
       WHERE oid = to_regclass('organisations')`,
    );
    if (rows[0]?.owns !== true) {
      throw new AppRoleError('DATABASE_OWNER_URL does not connect as the owner of the schema.');
    }
    await client.query(`SET ROLE ${client.escapeIdentifier(APP_ROLE)}`).catch((error: unknown) => {
      if (!NO_ACCESS.has(sqlStateOf(error) ?? '')) throw error;
      throw new AppRoleError(
        `The role of DATABASE_OWNER_URL may not act as ${APP_ROLE}. An administrator of the server lets it:\n` +
          `GRANT ${APP_ROLE} TO ${client.escapeIdentifier(client.user ?? '')}`,
      );
    });
  });
}

async function isReady(appUrl: string): Promise<boolean> {
  try {
    return await withClient(appUrl, async (client) => {
      const { rows } = await client.query<{ member: boolean }>(
        `SELECT pg_has_role(current_user, $1, 'USAGE') AS member`,
        [APP_ROLE],
      );
      return rows[0]?.member === true;
    });
  } catch (error) {
    // Wrong password or no such role, no right to log in or to connect, no group role yet.
    if (NO_ACCESS.has(sqlStateOf(error) ?? '')) return false;
    throw error;
  }
}

async function grantAccess(client: pg.Client, appUser: string, appPassword: string): Promise<void> {
  const user = client.escapeIdentifier(appUser);
  await createRole(client, APP_ROLE);
  await createRole(client, appUser);
  // ALTER ROLE takes no bind parameters.
  await client.query(`ALTER ROLE ${user} LOGIN PASSWORD ${client.escapeLiteral(appPassword)}`);
  if (appUser !== APP_ROLE) await client.query(`GRANT ${client.escapeIdentifier(APP_ROLE)} TO ${user}`);
  // The owner needs the role for commands that it runs as the service.
  await client.query(`GRANT ${client.escapeIdentifier(APP_ROLE)} TO CURRENT_USER`);
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
  for (const { name } of rows) {
    await client.query(`GRANT CONNECT ON DATABASE ${client.escapeIdentifier(name)} TO ${user}`);
  }
}

async function createRole(client: pg.Client, role: string): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
  if (rowCount === 0) await client.query(`CREATE ROLE ${client.escapeIdentifier(role)} NOLOGIN`);
}
