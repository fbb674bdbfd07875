import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { noOrganisation, system, UnitOfWork } from '../../src/database/index.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { WebhookReceiver } from '../support/receiver.js';
import { WebhookEndpoints } from '../../src/webhooks/index.js';

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
  await t.app.get(WebhookEndpoints).create({ organisationId, clientAppId, url: receiver.url, actor });
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
    const open = (await tables()).filter((table) => !table.protected);
    expect(open.map(({ name, comment }) => `${name}: ${comment ?? ''}`)).toEqual([
      'event_feed: without organisation: one value: where positions of events are counted from',
      'event_marks: without organisation: which position the feed of all had reached at which minute',
      'operator_login_throttles: without organisation: failures per hash of an account, address or device',
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
    for (const { name } of (await tables()).filter((table) => table.protected)) {
      const column = await organisationColumn(name);
      const count = async (scope: Parameters<UnitOfWork['read']>[0], condition: string): Promise<number> => {
        const sql = `SELECT count(*)::int AS count FROM ${name} WHERE ${condition}`;
        const rows: { count: number }[] = await uow().read(scope, (db) => db.query(sql));
        return rows[0]?.count ?? 0;
      };
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
      if (mine > 0) seen.push(name);
    }
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
    await expect(uow().write(one.organisationId, { text: 'SELECT 1 / 0', values: [] })).rejects.toThrow();
    expect(await told(system('kyt.claim'))).toMatchObject({ organisations: '', system: 'kyt.claim' });
  });

  it('is told in the message of the statement: changing it costs no round trip', async () => {
    // Statements that reached the server one by one have times of their own; those of one message share theirs.
    for (const scope of [one.organisationId, other.organisationId, one.organisationId]) {
      const rows: { same: boolean }[] = await uow().write(scope, {
        text: `SELECT statement_timestamp() = transaction_timestamp() AS same`,
        values: [],
      });
      expect(rows).toHaveLength(1);
    }
  });

  it('takes no text that is not an organisation id', async () => {
    await expect(uow().read(`x'; SET vigia.system = 'all`, (db) => db.query('SELECT 1'))).rejects.toThrow(
      /not an organisation id/,
    );
  });
});
