import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { DataSource, type EntityMetadata } from 'typeorm';
import { entities } from '../../ormconfig.js';
import { appConnectionOptions } from '../../src/platform/database/connection/connection-options.js';
import { AuditTrail, CHAIN_START, composeEntry, type SubjectType } from '../../src/features/audit/index.js';
import type { TrailGap } from '../../src/features/audit/domain/trail.js';
import { findUnboundRows } from '../../src/features/audit/store/state.statements.js';
import { retry, sqlStateOf, UnitOfWork } from '../../src/platform/database/index.js';
import {
  unregulatedReasonOf,
  regulationOf,
  type Regulation,
} from '../../src/platform/database/regulated/regulated.js';
import type { TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { later } from '../support/needs.js';

/** A regulated table with the database's names of its columns. */
interface Table {
  readonly name: string;
  readonly regulation: Regulation;
  readonly key: readonly string[];
  readonly by: string;
  readonly regulated: readonly string[];
}

type Row = Record<string, unknown>;

/** Writes bytes as PostgreSQL reads them from JSON. */
const jsonOfRow = (_: string, value: unknown): unknown =>
  value instanceof Object && 'type' in value && value.type === 'Buffer' && 'data' in value
    ? `\\x${Buffer.from(value.data as number[]).toString('hex')}`
    : value;

const NOBODY = '00000000-0000-0000-0000-000000000000';
let metadata: DataSource;
let tables: Table[];
let t: TestApp;
let client: TestClient;
/** As the superuser who switched everything off. */
let intruder: pg.Client;
/** As the service. */
let service: pg.Client;
let found = 0;

const tableOf = ({ target, tableName, columns, primaryColumns }: EntityMetadata): Table[] => {
  const regulation = regulationOf(target);
  if (!regulation) return [];
  const nameOf = (property: string): string =>
    columns.find(({ propertyName }) => propertyName === property)!.databaseName;
  return [
    {
      name: tableName,
      regulation,
      key: primaryColumns.map(({ databaseName }) => databaseName),
      by: nameOf(regulation.by),
      regulated: columns
        .filter(({ propertyName }) => !(propertyName in regulation.free))
        .map(({ databaseName }) => databaseName),
    },
  ];
};

async function open(): Promise<void> {
  t = await startTestApp();
  metadata = await new DataSource({
    ...appConnectionOptions(),
    entities,
    url: t.database.appUrl,
  }).initialize();
  tables = metadata.entityMetadatas.flatMap(tableOf);
  client = await t.client();
  // Rows of all tables are made here without their features: whatever wants more of a row than its types goes.
  const bound = tables.filter(({ regulation }) => regulation.bound === 'STATE').map(({ name }) => name);
  const loosen = `DO $$ DECLARE one record; BEGIN
    FOR one IN SELECT conrelid::regclass AS of, conname FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace AND conrelid <> 0
        AND (contype IN ('c', 'f') OR (contype = 'u' AND conrelid::regclass::text = ANY ($names))) LOOP
      EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', one.of, one.conname);
    END LOOP;
    FOR one IN SELECT indexrelid::regclass AS name FROM pg_index
      WHERE indisunique AND NOT indisprimary AND indrelid::regclass::text = ANY ($names) LOOP
      EXECUTE format('DROP INDEX %s', one.name);
    END LOOP;
    FOR one IN SELECT tgrelid::regclass AS of, tgname FROM pg_trigger
      WHERE NOT tgisinternal AND tgname NOT LIKE '%\\_bound\\_%' AND tgrelid::regclass::text NOT LIKE 'audit\\_entries' LOOP
      EXECUTE format('DROP TRIGGER %I ON %s', one.tgname, one.of);
    END LOOP; END $$`.replaceAll('$names', `'{${bound.join(',')}}'`);
  // The service is looking at these tables meanwhile; of two who wait for each other, one is thrown out.
  const isDeadlock = (error: unknown): boolean => sqlStateOf(error) === '40P01';
  await retry(() => t.owner.query(loosen), { maxAttempts: 50, retryOn: isDeadlock });
  await t.owner.query('GRANT ALL ON ALL TABLES IN SCHEMA public TO vigia_app');
  intruder = new pg.Client(t.database.ownerUrl);
  await intruder.connect();
  await intruder.query(`SET session_replication_role = replica`);
  await intruder.query(`SET vigia.system = 'test'`);
  service = new pg.Client(t.database.appUrl);
  await service.connect();
  await service.query(`SET vigia.organisations = '{${client.organisationId}}'`);
}

let made = 0;

/** A value of a type of PostgreSQL that is none of the thousand before it. */
function aValue(type: string): unknown {
  made += 1;
  const number = made;
  if (type.endsWith('[]')) {
    const one = aValue(type.slice(0, -2));
    return `{"${Buffer.isBuffer(one) ? `\\\\x${one.toString('hex')}` : String(one)}"}`;
  }
  switch (type) {
    case 'uuid':
      return randomUUID();
    case 'bytea':
      return randomBytes(16);
    case 'boolean':
      return true;
    case 'jsonb':
      return JSON.stringify({ value: number });
    case 'timestamp with time zone':
      return new Date(1_700_000_000_000 + number * 1_000).toISOString();
    case 'date':
      return new Date(1_700_000_000_000 + number * 86_400_000).toISOString().slice(0, 10);
    case 'numeric':
      return (number % 1_000) / 10;
    case 'text':
      return `v${number}`;
    default:
      return number % 30_000;
  }
}

const typesOf = async (table: string): Promise<Record<string, string>> => {
  const { rows } = await t.owner.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, -1) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND attidentity = ''`,
    [table],
  );
  return Object.fromEntries(rows.map(({ name, type }) => [name, type]));
};

async function insert(by: pg.Client, table: string, row: Row): Promise<void> {
  const names = Object.keys(row);
  await change(
    by,
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
    Object.values(row),
  );
}

/** Changes rows: what the service changes comes with an entry. */
async function change(by: pg.Client, sql: string, values: unknown[]): Promise<void> {
  if (by !== service) {
    await by.query(sql, values);
    return;
  }
  await withEntry(() => by.query(sql, values));
}

/** Does `work` in one transaction of the service, which begins with an entry. */
async function withEntry(work: () => Promise<unknown>): Promise<void> {
  const { organisationId } = client;
  const { canonical, recordedAt, subject } = composeEntry(
    {
      ...{ subject: { organisationId, type: 'dossier', id: randomUUID() }, action: 'dossier.exported' },
      ...{ actor: { type: 'system', id: 'test' }, requestId: null, correlationId: null },
      ...{ occurredAt: new Date(), content: {} },
    },
    CHAIN_START,
  );
  await service.query('BEGIN');
  await service.query(
    `INSERT INTO audit_entries (organisation_id, subject_type, subject_id, subject_seq, action, canonical, recorded_at)
     VALUES ($1, 'dossier', $2, 1, 'dossier.exported', $3, $4)`,
    [organisationId, subject.id, canonical, recordedAt],
  );
  await work();
  await service.query('COMMIT');
}

const aRow = (types: Record<string, string>, fixed: Row): Row => ({
  ...Object.fromEntries(Object.entries(types).map(([name, type]) => [name, aValue(type)])),
  organisation_id: client.organisationId,
  ...fixed,
});

const where = (key: readonly string[], from = 1): string =>
  key.map((name, i) => `${name} = $${i + from}`).join(' AND ');

/** Returns how the judge finds the state of a subject. */
async function said(kind: string, id: string): Promise<string> {
  const subject = {
    organisationId: client.organisationId,
    type: 'state' as SubjectType,
    id: `${kind}:${id}`,
  };
  const { status, gaps } = await t.app.get(AuditTrail).trailStatus(subject);
  return [status, ...gaps.map(({ detail }) => detail)].join('; ');
}

const gapsOf = async (kind: string, id: string): Promise<readonly TrailGap[]> => {
  const { organisationId } = client;
  const subject = { organisationId, type: 'state' as SubjectType, id: `${kind}:${id}` };
  return (await t.app.get(AuditTrail).trailStatus(subject)).gaps;
};

/** Makes a change behind the service's back, expects that each of these subjects is named, and takes it back. */
async function isFound(
  table: Table,
  forgery: string,
  values: unknown[],
  back: () => Promise<unknown>,
  subjects: readonly string[],
): Promise<void> {
  const { rowCount } = await intruder.query(forgery, values);
  expect(rowCount).toBeGreaterThan(0);
  for (const id of subjects) {
    const verdict = await said(table.regulation.of, id);
    expect(verdict).toMatch(/^(STATE_MISMATCH|MISSING)/);
    expect(verdict).toContain(table.name);
  }
  found += 1;
  await back();
  for (const id of subjects) expect(await said(table.regulation.of, id)).toBe('COMPLETE');
}

beforeAll(async () => {
  await open();
});
afterAll(async () => {
  await intruder.end();
  await service.end();
  await metadata.destroy();
  await t.close();
});

it('Every table is regulated, or says why not; every column of it is regulated, but for those free for a reason', () => {
  for (const { target, tableName, columns } of metadata.entityMetadatas) {
    const regulation = regulationOf(target);
    if (!regulation) {
      expect([tableName, unregulatedReasonOf(target) ?? '']).toEqual([
        tableName,
        expect.stringMatching(/.{10}/),
      ]);
      continue;
    }
    for (const [property, reason] of Object.entries(regulation.free)) {
      expect([property, reason]).toEqual([property, expect.stringMatching(/.{10}/)]);
      expect(columns.map(({ propertyName }) => propertyName)).toContain(property);
    }
  }
});

describe('What the service changes in one transaction', () => {
  const customer = async (id: string): Promise<Row> => aRow(await typesOf('customers'), { id });
  const statesOf = async (ids: readonly string[]): Promise<number[]> => {
    const { rows } = await t.owner.query<{ count: number }>(
      `SELECT (SELECT count(*)::int FROM audit_entries e WHERE e.subject_type = 'state' AND e.subject_id = 'customer:' || id)
         AS count FROM unnest($1::text[]) WITH ORDINALITY AS s (id, n) ORDER BY n`,
      [ids],
    );
    return rows.map(({ count }) => count);
  };

  it('is bound once for each subject, however often it was changed; what was taken back is not', async () => {
    const ids = Array.from({ length: 40 }, () => randomUUID());
    const [first = '', gone = ''] = ids;
    const rows = await Promise.all(ids.map(customer));
    await change(
      service,
      `INSERT INTO customers SELECT r.* FROM jsonb_populate_recordset(NULL::customers, $1) r`,
      [JSON.stringify(rows, jsonOfRow)],
    );
    expect(await statesOf(ids)).toEqual(ids.map(() => 1));
    for (const id of ids) expect(await said('customer', id)).toBe('COMPLETE');

    await withEntry(async () => {
      await service.query('SAVEPOINT before');
      await service.query('UPDATE customers SET assurance = $1 WHERE id = $2', ['v1', gone]);
      await service.query('ROLLBACK TO before');
      for (const assurance of ['v2', 'v3']) {
        await service.query('UPDATE customers SET assurance = $1 WHERE id = $2', [assurance, first]);
      }
    });
    expect(await statesOf([first, gone])).toEqual([2, 1]);
  });

  it('is found if its session says that all is bound already', async () => {
    const [known, added] = [randomUUID(), randomUUID()];
    await insert(service, 'customers', await customer(known));
    await service.query(`SET vigia.bound = '1000000'`);
    await change(service, 'UPDATE customers SET assurance = $1 WHERE id = $2', ['v1', known]);
    await insert(service, 'customers', await customer(added));
    await service.query('RESET vigia.bound');
    expect(await said('customer', known)).toMatch(/^STATE_MISMATCH/);
    expect(await said('customer', added)).toContain('no entry says');
    // The tests below expect that nothing else is unbound.
    await intruder.query('DELETE FROM customers WHERE id = $1', [added]);
  });
});

describe('What somebody changes as a superuser with the triggers off', () => {
  later(
    'is found in each regulated column and row of each table, and names the subject',
    async () => {
      for (const table of tables.filter(({ regulation }) => regulation.bound === 'STATE')) {
        const types = await typesOf(table.name);
        const isLink = table.by !== 'id';
        const [one, other] =
          table.by === 'organisation_id' ? [client.organisationId, NOBODY] : [randomUUID(), randomUUID()];
        const mine = aRow(types, { [table.by]: one });
        await insert(service, table.name, mine);
        const keyOf = (row: Row): unknown[] => table.key.map((name) => row[name]);
        const put = (row: Row) => async (): Promise<void> => {
          await intruder.query(`DELETE FROM ${table.name} WHERE ${where(table.key)}`, keyOf(mine));
          await insert(intruder, table.name, row);
        };

        for (const column of table.regulated) {
          if (table.key.includes(column) && !isLink) continue;
          if (column === 'organisation_id' || column === table.by) continue;
          const changed = types[column] === 'boolean' ? false : aValue(types[column]!);
          const key = table.key.map((name) => (name === column ? changed : mine[name]));
          await isFound(
            table,
            `UPDATE ${table.name} SET ${column} = $1 WHERE ${where(table.key, 2)}`,
            [changed, ...keyOf(mine)],
            async () => {
              await intruder.query(`DELETE FROM ${table.name} WHERE ${where(table.key)}`, key);
              await put(mine)();
            },
            [one],
          );
        }

        await isFound(table, `DELETE FROM ${table.name} WHERE ${where(table.key)}`, keyOf(mine), put(mine), [
          one,
        ]);

        if (table.by === 'organisation_id') continue;
        const theirs = aRow(types, { [table.by]: other });
        await insert(service, table.name, theirs);
        const swapped = table.regulated.filter((name) => name !== table.by && !table.key.includes(name));
        await isFound(
          table,
          `WITH pair AS (SELECT * FROM ${table.name} WHERE ${table.by} = ANY($1::uuid[]))
         UPDATE ${table.name} r SET ${swapped.map((name) => `${name} = b.${name}`).join(', ')}
         FROM pair b WHERE r.${table.by} = ANY($1::uuid[]) AND b.${table.by} <> r.${table.by}`,
          [[one, other]],
          async () => {
            await intruder.query(`DELETE FROM ${table.name} WHERE ${table.by} = ANY($1::uuid[])`, [
              [one, other],
            ]);
            await insert(intruder, table.name, mine);
            await insert(intruder, table.name, theirs);
          },
          [one, other],
        );

        if (isLink) {
          await isFound(
            table,
            `UPDATE ${table.name} SET ${table.by} = $1 WHERE ${table.by} = $2`,
            [other, one],
            () =>
              intruder
                .query(`DELETE FROM ${table.name} WHERE ${table.by} = ANY($1::uuid[])`, [[one, other]])
                .then(() => insert(intruder, table.name, mine))
                .then(() => insert(intruder, table.name, theirs)),
            [one, other],
          );
          const added = aRow(types, { [table.by]: one });
          await insert(intruder, table.name, added);
          expect(await said(table.regulation.of, one)).toMatch(/^STATE_MISMATCH.*1 rows then, 2 now/);
          await intruder.query(`DELETE FROM ${table.name} WHERE ${where(table.key)}`, keyOf(added));
          found += 1;
        }
        // A later step binds what it finds.
        const [altered, touched] = [swapped[0]!, swapped.at(-1)!];
        const setTheirs = (by: pg.Client, column: string): Promise<unknown> =>
          change(by, `UPDATE ${table.name} SET ${column} = $1 WHERE ${table.by} = $2`, [
            types[column] === 'boolean' ? false : aValue(types[column]!),
            other,
          ]);
        await setTheirs(service, touched);
        expect(await said(table.regulation.of, other)).toBe('COMPLETE');
        await setTheirs(intruder, altered);
        const before = await gapsOf(table.regulation.of, other);
        await setTheirs(service, touched);
        expect(before).toEqual([expect.objectContaining({ kind: 'STATE_MISMATCH' })]);
        expect(await gapsOf(table.regulation.of, other)).toEqual(before);
        found += 1;
        // A row of a subject that nobody has heard of.
        const forged = randomUUID();
        await insert(intruder, table.name, aRow(types, { [table.by]: forged }));
        expect(await said(table.regulation.of, forged)).toContain('no entry says');
        const page = await t.app
          .get(UnitOfWork)
          .read(client.organisationId, (db) =>
            findUnboundRows(db, client.organisationId, table.name, NOBODY, 1_000),
          );
        expect([table.name, page.missing]).toEqual([table.name, [forged]]);
        await intruder.query(`DELETE FROM ${table.name} WHERE ${table.by} = $1`, [forged]);
        found += 1;
      }
    },
    240_000,
  );

  it('is found in each column of a transaction, of its evaluation and of an event', async () => {
    const [one, other] = [aTransaction(), aTransaction()];
    // An organisation of its own: nobody takes anything in by the rows that stand in the first one now.
    const sender = await t.client();
    await t.api.as(sender).ingestBatch([one, other]).expect(207);
    const transactions = await eventually('their evaluations', async () => {
      const { rows } = await t.owner.query<{ id: string }>(
        `SELECT transaction_ref AS id FROM kyt_evaluations WHERE organisation_id = $1 ORDER BY 1`,
        [sender.organisationId],
      );
      return rows.length === 2 ? rows.map(({ id }) => id) : undefined;
    });
    for (const eventId of ['login-1', 'login-2']) {
      const login = { eventId, type: 'LOGIN', occurredAt: new Date().toISOString(), externalCustomerId: 'c' };
      await t.api.as(sender).post('/kyt/events').send(login).expect(202);
    }
    const { rows: events } = await t.owner.query<{ id: string }>(
      `SELECT id FROM kyt_customer_events WHERE organisation_id = $1 ORDER BY 1`,
      [sender.organisationId],
    );
    const verdictOf =
      (type: 'transaction' | 'customer_event') =>
      async (id: string): Promise<string> =>
        (await t.app.get(AuditTrail).trailStatus({ organisationId: sender.organisationId, type, id })).status;
    for (const table of tables.filter(({ regulation }) => regulation.bound === 'ENTRY')) {
      const isOfEvents = table.name === 'kyt_customer_events';
      const ids = isOfEvents ? events.map(({ id }) => id) : transactions;
      const verdict = verdictOf(isOfEvents ? 'customer_event' : 'transaction');
      for (const id of ids) expect(await verdict(id)).toBe('COMPLETE');
      const types = await typesOf(table.name);
      await intruder.query(
        `CREATE TEMP TABLE kept AS SELECT ${Object.keys(types).join(', ')} FROM ${table.name}`,
      );
      const back = async (): Promise<void> => {
        await intruder.query(`DELETE FROM ${table.name}`);
        const names = Object.keys(types).join(', ');
        await intruder.query(`INSERT INTO ${table.name} (${names}) SELECT ${names} FROM kept`);
      };
      for (const column of table.regulated) {
        if (column === 'organisation_id' || column === table.by) continue;
        const changed =
          types[column] === 'boolean'
            ? `NOT ${column}`
            : types[column] === 'numeric'
              ? `${column} + 1`
              : '$2';
        await intruder.query(
          `UPDATE ${table.name} SET ${column} = ${changed} WHERE ${table.by} = $1`,
          changed === '$2' ? [ids[0], aValue(types[column]!)] : [ids[0]],
        );
        expect([table.name, column, await verdict(ids[0]!)]).not.toContain('COMPLETE');
        expect(await verdict(ids[1]!)).toBe('COMPLETE');
        found += 1;
        await back();
      }
      for (const change of [
        `DELETE FROM ${table.name} WHERE ${table.by} = '${ids[0]}'`,
        `UPDATE ${table.name} r SET ${table.by} = '${randomUUID()}' WHERE ${table.by} = '${ids[0]}'`,
      ]) {
        await intruder.query(change);
        expect([change, await verdict(ids[0]!)]).not.toContain('COMPLETE');
        found += 1;
        await back();
      }
      expect(await verdict(ids[0]!)).toBe('COMPLETE');
      await intruder.query('DROP TABLE kept');
    }
  });

  later('was tried in at least four hundred ways', () => {
    expect(found).toBeGreaterThanOrEqual(400);
  });
});
