import { randomBytes, randomUUID } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { AppRoleCheck } from '../../src/platform/database/connection/app-role-check.js';
import { UnreleasedSchemaError, migrate } from '../../src/bootstrap/migrate.js';
import { noOrganisation, statement, system, UnitOfWork } from '../../src/platform/database/index.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { WebhookReceiver } from '../support/receiver.js';
import { WebhookEndpointsService } from '../../src/features/webhooks/index.js';
import { later } from '../support/needs.js';

let t: TestApp;
let receiver: WebhookReceiver;
let one: TestClient;
let other: TestClient;

const uow = (): UnitOfWork => t.app.get(UnitOfWork);
const as = (client: TestClient): TestApi => t.api.as(client);

/** An organisation with a row in every table that the service fills. */
async function aTenant(): Promise<TestClient> {
  const client = await t.client();
  const { organisationId, id: clientAppId } = client;
  const actor = { type: 'operator', id: 'test' } as const;
  await t.app.get(WebhookEndpointsService).create({ organisationId, clientAppId, url: receiver.url, actor });
  const body = aTransaction();
  await as(client).ingest(body).expect(202);
  await as(client).settled(body.transactionId);
  await receiver.about(body.transactionId, 2);
  return client;
}

interface TableRow {
  readonly name: string;
  readonly protected: boolean;
  readonly comment: string | null;
}

const tables = async (): Promise<TableRow[]> => {
  const { rows } = await t.owner.query<TableRow>(
    `SELECT c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS protected,
            obj_description(c.oid, 'pg_class') AS comment
     FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') ORDER BY 1`,
  );
  return rows;
};

beforeAll(async () => {
  t = await startTestApp();
  receiver = await WebhookReceiver.listen();
  one = await aTenant();
  other = await aTenant();
});

afterAll(async () => {
  await t.close();
  await receiver.close();
});

describe('row-level security', () => {
  it('is forced on every table, except those that say why they hold nothing of any organisation', async () => {
    // ASVS 8.4.1
    const open = (await tables()).filter((table) => !table.protected);
    expect(open.map(({ name, comment }) => `${name}: ${comment ?? ''}`)).toEqual([
      'event_feed: without organisation: one value: where positions of events are counted from',
      'event_incarnations: without organisation: which lives the feed of all had, and where each began',
      'event_marks: without organisation: which position the feed of all had reached at which minute',
      'index_keys: without organisation: the keys of the blind indexes of all, sealed under INDEX_KEY',
      'known_indexes: without organisation: beginnings of blind indexes, which name nobody and no organisation',
      'operator_login_throttles: without organisation: failures per hash of an account, address or device',
      'operator_oidc_logins: without organisation: who logs in is known only when the identity provider has said so',
      'operator_passkey_challenges: without organisation: who signs in is known only when the passkey has answered',
      'outbox: without organisation: references of queued work, deleted within milliseconds, read by the relay of all',
      'queue_epoch: without organisation: one value: which filling of the queue is the present one',
      'schema_migrations: without organisation: the names of the migrations that have run',
    ]);
  });

  it('shows a raw query of the application role no row of any of them, and lets it write none', async () => {
    const raw = new pg.Client({ connectionString: t.database.appUrl });
    await raw.connect();
    try {
      for (const { name } of (await tables()).filter((table) => table.protected)) {
        const { rows } = await raw.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${name}`);
        expect([name, rows[0]?.count]).toEqual([name, 0]);
      }
      const insert = `INSERT INTO kyt_work (transaction_ref, organisation_id, due_at) VALUES ($1, $2, now())`;
      await expect(raw.query(insert, [randomUUID(), one.organisationId])).rejects.toMatchObject({
        code: '42501',
      });
      await raw.query(`SET vigia.organisations = '{${other.organisationId}}'`);
      await expect(raw.query(insert, [randomUUID(), one.organisationId])).rejects.toMatchObject({
        code: '42501',
      });
      await expect(raw.query(insert, [randomUUID(), other.organisationId])).resolves.toMatchObject({
        rowCount: 1,
      });
      await raw.query(`DELETE FROM kyt_work WHERE organisation_id = $1`, [other.organisationId]);
    } finally {
      await raw.end();
    }
  });

  it('shows a scope its own rows only, in every table that has any', async () => {
    const seen: string[] = [];
    const lock = await t.owner.connect();
    for (const { name } of (await tables()).filter((table) => table.protected)) {
      const column = await organisationColumn(name);
      const count = async (scope: Parameters<UnitOfWork['read']>[0], condition: string): Promise<number> => {
        const sql = `SELECT count(*)::int AS count FROM ${name} WHERE ${condition}`;
        const rows: { count: number }[] = await uow().read(scope, (db) => db.query(sql));
        return rows[0]?.count ?? 0;
      };
      // Work in the background would take rows away between two counts.
      await lock.query(`BEGIN; LOCK TABLE ${name} IN SHARE MODE`);
      const all = await count(system('queue.reconcile'), 'true');
      const mine = await count(one.organisationId, 'true');
      const theirs = await count(other.organisationId, 'true');
      expect([name, await count(noOrganisation, 'true')]).toEqual([name, 0]);
      expect([name, await count([one.organisationId, other.organisationId], 'true')]).toEqual([
        name,
        mine + theirs,
      ]);
      expect([name, mine + theirs <= all]).toEqual([name, true]);
      if (column !== null) {
        expect([name, await count(one.organisationId, `${column} <> '${one.organisationId}'`)]).toEqual([
          name,
          0,
        ]);
      }
      await lock.query('COMMIT');
      if (mine > 0) seen.push(name);
    }
    lock.release();
    expect(seen).toEqual(
      expect.arrayContaining([
        'audit_entries',
        'client_apps',
        'client_secrets',
        'events',
        'kyt_evaluations',
        'kyt_transactions',
        'organisations',
        'rulesets',
        'subject_keys',
        'webhook_attempts',
        'webhook_deliveries',
        'webhook_endpoints',
      ]),
    );
  });

  it('refuses to move a row to another organisation', async () => {
    const move = uow().run(one.organisationId, (tx) =>
      tx.query('UPDATE webhook_endpoints SET organisation_id = $1', [other.organisationId]),
    );
    await expect(move).rejects.toMatchObject({ driverError: { code: '42501' } });
  });
});

async function organisationColumn(table: string): Promise<string | null> {
  if (table === 'organisations') return 'id';
  const { rowCount } = await t.owner.query(
    `SELECT 1 FROM information_schema.columns WHERE table_name = $1 AND column_name = 'organisation_id'`,
    [table],
  );
  return rowCount === 1 ? 'organisation_id' : null;
}

describe('the scope of a connection', () => {
  const scopeNow = `SELECT coalesce(current_setting('vigia.organisations', true), '') AS organisations,
                           coalesce(current_setting('vigia.system', true), '') AS system, pg_backend_pid() AS pid`;
  interface Seen {
    readonly organisations: string;
    readonly system: string;
    readonly pid: number;
  }
  const told = async (scope: Parameters<UnitOfWork['read']>[0]): Promise<Seen> => {
    const rows: Seen[] = await uow().read(scope, (db) => db.query(scopeNow));
    return rows[0]!;
  };

  it('is the list of the work, each time, whatever the connection did before', async () => {
    const both = `{${[one.organisationId, other.organisationId].sort().join(',')}}`;
    for (let round = 0; round < 3; round += 1) {
      expect(await told(one.organisationId)).toMatchObject({
        organisations: `{${one.organisationId}}`,
        system: '',
      });
      expect(await told([other.organisationId, one.organisationId])).toMatchObject({ organisations: both });
      expect(await told(system('kyt.claim'))).toMatchObject({ organisations: '', system: 'kyt.claim' });
      expect(await told(noOrganisation)).toMatchObject({ organisations: '', system: '' });
    }
  });

  it('is told again after an error, a roll-back and a savepoint', async () => {
    const broken = uow().run(one.organisationId, (tx) => tx.query('SELECT 1 / 0'));
    await expect(broken).rejects.toThrow(/division by zero/);
    expect(await told(one.organisationId)).toMatchObject({ organisations: `{${one.organisationId}}` });
    const given = uow().run(other.organisationId, () => Promise.reject(new Error('changed its mind')));
    await expect(given).rejects.toThrow('changed its mind');
    expect(await told(other.organisationId)).toMatchObject({ organisations: `{${other.organisationId}}` });
    expect(await told(one.organisationId)).toMatchObject({ organisations: `{${one.organisationId}}` });
    const inside = await uow().run(one.organisationId, async (tx) => {
      await tx.query('SAVEPOINT here');
      await expect(tx.query('SELECT 1 / 0')).rejects.toThrow();
      await tx.query('ROLLBACK TO SAVEPOINT here');
      return tx.query<Seen[]>(scopeNow);
    });
    expect(inside[0]).toMatchObject({ organisations: `{${one.organisationId}}` });
    const failing = statement('test.failing', 'SELECT 1 / 0');
    await expect(uow().write(one.organisationId, failing, [])).rejects.toThrow(/division by zero/);
    expect(await told(system('kyt.claim'))).toMatchObject({ organisations: '', system: 'kyt.claim' });
  });

  it('is told in the message of the statement: changing it costs no round trip', async () => {
    // The server answers ReadyForQuery once for each message that has to be waited for.
    const waited = async (scope: string, times: number): Promise<number> =>
      uow().read(scope, async (db) => {
        const { connection } = (await db.queryRunner!.connect()) as { connection: EventEmitter };
        let count = 0;
        const counting = (): void => void (count += 1);
        connection.on('readyForQuery', counting);
        for (let i = 0; i < times; i += 1) await db.query(scopeNow);
        connection.off('readyForQuery', counting);
        return count;
      });
    for (const scope of [one.organisationId, other.organisationId, one.organisationId]) {
      expect(await waited(scope, 3)).toBe(3);
    }
  });

  it('cannot change while a transaction is open', async () => {
    const changed = uow().run(one.organisationId, async (tx) => {
      const client = (await tx.queryRunner?.connect()) as { setScope(settings: object): void };
      client.setScope({ organisations: '', system: 'kyt.claim' });
      await tx.query('SELECT 1');
    });
    await expect(changed).rejects.toThrow(/cannot change while it is open/);
    // The connection is given up: nobody inherits the open transaction.
    expect(await told(other.organisationId)).toMatchObject({ organisations: `{${other.organisationId}}` });
  });

  it('of a connection that somebody takes past the unit of work is empty, whatever it was last', async () => {
    await told(system('kyt.claim'));
    for (let i = 0; i < 3; i += 1) {
      const rows: { count: number }[] = await t.app
        .get(DataSource)
        .query('SELECT count(*)::int AS count FROM kyt_transactions');
      expect(rows).toEqual([{ count: 0 }]);
    }
  });

  it('takes no text that is not an organisation id', async () => {
    // ASVS 1.2.4
    await expect(uow().read(`x'; SET vigia.system = 'all`, (db) => db.query('SELECT 1'))).rejects.toThrow(
      /not an organisation id/,
    );
  });
});

describe('the schema', () => {
  later('is made by an owner that may neither make roles nor see past the policies', async () => {
    // ASVS 13.2.2
    const name = `owner_${randomBytes(5).toString('hex')}`;
    const server = t.owner;
    await server.query(`CREATE ROLE ${name} LOGIN NOCREATEROLE NOSUPERUSER PASSWORD 'test'`);
    await server.query(`CREATE DATABASE ${name} OWNER ${name}`);
    const url = new URL(t.database.ownerUrl);
    [url.username, url.password, url.pathname] = [name, 'test', `/${name}`];
    try {
      expect((await migrate(url.href)).length).toBeGreaterThan(1);
      expect(await migrate(url.href)).toEqual([]);
      const owner = new pg.Client({ connectionString: url.href });
      owner.on('error', () => undefined);
      await owner.connect();
      const id = randomUUID();
      const insert = owner.query('INSERT INTO organisations (id, key, name) VALUES ($1, $2, $2)', [id, name]);
      await expect(insert).rejects.toMatchObject({ code: '42501' });
      await owner.query(`SET vigia.system = 'repair'`);
      await owner.query('INSERT INTO organisations (id, key, name) VALUES ($1, $2, $2)', [id, name]);
      await owner.query('RESET vigia.system');
      expect((await owner.query('SELECT 1 FROM organisations')).rowCount).toBe(0);
      await owner.end();
    } finally {
      await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await server.query(`DROP ROLE ${name}`);
    }
  });

  it('has the organisation in every key of its tables, except where docs/architecture.md says why not', async () => {
    const { rows } = await t.owner.query<{ name: string }>(
      `WITH own AS (SELECT attrelid AS id, attnum FROM pg_attribute
                    WHERE attname = 'organisation_id' AND NOT attisdropped AND attrelid IN
                      (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')))
       SELECT indexrelid::regclass::text AS name FROM pg_index JOIN own ON own.id = indrelid
       WHERE indisunique AND own.attnum <> ALL (indkey::int2[])
       UNION ALL
       SELECT conname FROM pg_constraint JOIN own ON own.id = conrelid JOIN own AS parent ON parent.id = confrelid
       WHERE contype = 'f' AND own.attnum <> ALL (conkey)
       ORDER BY 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual([
      'audit_pending_pkey',
      'client_apps_client_id_key',
      ...['events_pkey', 'events_sequence'],
      'kyc_sessions_link',
      'kyt_decisions_transaction_ref_fkey',
      ...['kyt_evaluations_pkey', 'kyt_transactions_once', 'kyt_transactions_pkey', 'kyt_work_pkey'],
      ...['operator_devices_hash_key', 'operator_invitations_hash_key', 'operator_passkeys_credential'],
      ...['webhook_attempts_pkey', 'webhook_deliveries_pkey'],
    ]);
  });

  it.each([
    ['the first schema', 1_763_600_000_001, 'Foundation1763600000001'],
    ['one migration for each change', 1_764_000_000_261, 'OperatorLineageAddRoles1764000000261'],
  ])('is not made beside that of a version from before the first release: %s', async (_, timestamp, last) => {
    const name = `unreleased_${randomBytes(5).toString('hex')}`;
    await t.owner.query(`CREATE DATABASE ${name}`);
    const url = new URL(t.database.ownerUrl);
    url.pathname = `/${name}`;
    const owner = new pg.Client({ connectionString: url.href });
    try {
      await owner.connect();
      await owner.query(
        'CREATE TABLE schema_migrations (id serial PRIMARY KEY, "timestamp" bigint, name text)',
      );
      await owner.query('INSERT INTO schema_migrations ("timestamp", name) VALUES ($1, $2)', [
        timestamp,
        last,
      ]);
      const refused = migrate(url.href);
      await expect(refused).rejects.toThrow(UnreleasedSchemaError);
      await expect(refused).rejects.toThrow(
        new RegExp(`before the first release .*${last}[^]*Use an empty database`),
      );
      const { rows } = await owner.query(`SELECT relname FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`);
      expect(rows).toEqual([{ relname: 'schema_migrations' }]);
    } finally {
      await owner.end();
      await t.owner.query(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  });

  it('may be newer than the process, not older: migrated first, replaced after', async () => {
    await t.owner.query(
      `INSERT INTO schema_migrations (timestamp, name) VALUES (9999999999999, 'OfTheNextRelease')`,
    );
    await t.api.get('/health/ready').expect(200);
    const { rows } = await t.owner.query<{ id: number }>(
      `UPDATE schema_migrations SET name = 'x' || name WHERE name LIKE 'Foundation%' RETURNING id`,
    );
    const { body } = await t.api.get('/health/ready').expect(503);
    expect(JSON.stringify(body)).toContain('migrations');
    await t.owner.query(`UPDATE schema_migrations SET name = substr(name, 2) WHERE id = $1`, [rows[0]?.id]);
    await t.api.get('/health/ready').expect(200);
  });

  it('needs the triggers and functions of the release, which may come without a migration', async () => {
    const { rowCount } = await t.owner.query(
      `UPDATE schema_migrations SET name = 'x' || name WHERE name LIKE 'Bindings-%'`,
    );
    expect(rowCount).toBe(1);
    const { body } = await t.api.get('/health/ready').expect(503);
    expect(JSON.stringify(body)).toContain('migrations');
    await t.owner.query(`UPDATE schema_migrations SET name = substr(name, 2) WHERE name LIKE 'xBindings-%'`);
    await t.api.get('/health/ready').expect(200);
  });

  it.each([
    ['a table without a policy', 'CREATE TABLE forgotten (id uuid)'],
    [
      'a table that declares itself free and has an organisation',
      `CREATE TABLE forgotten (organisation_id uuid);
      COMMENT ON TABLE forgotten IS 'without organisation: says who?'`,
    ],
    [
      'a policy that is not forced',
      `CREATE TABLE forgotten (organisation_id uuid);
      ALTER TABLE forgotten ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON forgotten USING (true)`,
    ],
  ])('with %s stops the boot, by its name', async (_what, ddl) => {
    await t.owner.query(ddl);
    try {
      await expect(t.app.get(AppRoleCheck).onApplicationBootstrap()).rejects.toThrow(
        'Tables without row-level security: forgotten.',
      );
    } finally {
      await t.owner.query('DROP TABLE forgotten');
    }
  });
});
