import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate } from '../../src/bootstrap/migrate.js';
import { ensureAppRole } from '../../src/platform/database/connection/app-role.js';

// Any constant: the test files of a run take turns at making the template.
const TEMPLATE_LOCK = 4_711;
const TEMPLATE = 'vigia_template';

export interface TestDatabase {
  readonly ownerUrl: string;
  readonly appUrl: string;
}

/** Returns a variable that the run of the tests has set. */
export function required(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: run the tests with npm test`);
  return value;
}

const inDatabase = (url: string, name: string): string => {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
};

/** A private database: a clone of a template that is migrated once per run from the present sources. */
export async function freshDatabase(): Promise<TestDatabase> {
  const owner = required('TEST_OWNER_URL');
  const password = required('TEST_APP_PASSWORD');
  const client = new pg.Client({ connectionString: inDatabase(owner, 'postgres') });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    // One template per run: the servers may be somebody's own and outlive it.
    const template = `${TEMPLATE}_${required('VIGIA_TEST_RUN')}`;
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [template]);
    if (rowCount === 0) {
      await client.query(`CREATE DATABASE ${template}_building`);
      const building = inDatabase(owner, `${template}_building`);
      await migrate(building);
      await ensureAppRole(building, 'vigia_app', password);
      await client.query(`ALTER DATABASE ${template}_building RENAME TO ${template}`);
    }
    const name = `vigia_test_${randomBytes(6).toString('hex')}`;
    // 35 to 80 ms a clone, so one database per test file.
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
    const ownerUrl = inDatabase(owner, name);
    const appUrl = new URL(ownerUrl);
    appUrl.username = 'vigia_app';
    appUrl.password = password;
    return { ownerUrl, appUrl: appUrl.href };
  } finally {
    await client.end();
  }
}

/** The state of a database as it is now, under another name: a backup, restored. Nobody may be connected to it. */
export async function copyOf(database: TestDatabase): Promise<TestDatabase> {
  const client = new pg.Client({ connectionString: inDatabase(required('TEST_OWNER_URL'), 'postgres') });
  await client.connect();
  try {
    const name = `vigia_test_${randomBytes(6).toString('hex')}`;
    const source = new URL(database.ownerUrl).pathname.slice(1);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${source}`);
    return { ownerUrl: inDatabase(database.ownerUrl, name), appUrl: inDatabase(database.appUrl, name) };
  } finally {
    await client.end();
  }
}
