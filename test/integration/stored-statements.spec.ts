import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { entities as ofTables } from '../../ormconfig.js';
import { appConnectionOptions } from '../../src/platform/database/connection/connection-options.js';
import {
  registeredStatements,
  type RegisteredStatement,
  type RowShape,
} from '../../src/platform/database/statements/statements.js';
import { freshDatabase } from '../support/database.js';

const root = path.resolve(import.meta.dirname, '../..');
for (const file of readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
  if (/\/store\/.*(?<!\.spec)\.ts$/.test(file)) await import(path.join(root, 'src', file));
}

/** A column of a result, as the server describes it or as the shape of the statement says. */
interface ResultColumn {
  readonly type: string;
  /** The column of a table that it is read from, as `table.column`; null where it is computed. */
  readonly from: string | null;
}

let client: pg.Client;
let entities: DataSource;

beforeAll(async () => {
  const database = await freshDatabase();
  client = new pg.Client(database.ownerUrl);
  await client.connect();
  entities = await new DataSource({
    ...appConnectionOptions(),
    entities: ofTables,
    url: database.appUrl,
  }).initialize();
});
afterAll(async () => {
  await client.end();
  await entities.destroy();
});

/** Has the server parse and describe a statement, without running it. */
const described = (text: string): Promise<pg.FieldDef[]> =>
  new Promise((resolve, reject) => {
    let fields: pg.FieldDef[] = [];
    const question = {
      submit: (connection: pg.Connection): void => {
        connection.parse({ name: '', text, types: [] }, true);
        connection.describe({ type: 'S', name: '' }, true);
        connection.sync();
      },
      handleRowDescription: (message: { readonly fields: pg.FieldDef[] }): void => {
        fields = message.fields;
      },
      handleReadyForQuery: (): void => {
        resolve(fields);
      },
      handleError: reject,
    };
    client.query(question as unknown as pg.Submittable);
  });

async function columnsOf(text: string): Promise<Record<string, ResultColumn>> {
  const fields = await described(text);
  const { rows } = await client.query<ResultColumn & { readonly name: string }>(
    `SELECT f.name, format_type(f.type, -1) AS type, a.attrelid::regclass || '.' || a.attname AS from
     FROM unnest($1::text[], $2::oid[], $3::oid[], $4::int[]) AS f (name, type, relation, position)
     LEFT JOIN pg_attribute a ON a.attrelid = f.relation AND a.attnum = f.position`,
    [
      fields.map(({ name }) => name),
      fields.map(({ dataTypeID }) => dataTypeID),
      fields.map(({ tableID }) => tableID),
      fields.map(({ columnID }) => columnID),
    ],
  );
  return Object.fromEntries(rows.map(({ name, ...column }) => [name, column]));
}

/** PostgreSQL's own names of the types whose short names the entities use. */
const LONG: Readonly<Record<string, string>> = {
  timestamptz: 'timestamp with time zone',
  float8: 'double precision',
  varchar: 'character varying',
};

function promised(field: RowShape[string]): ResultColumn {
  if (typeof field === 'string') {
    const type = field.replace(' | null', '');
    return { type: LONG[type] ?? type, from: null };
  }
  if (!field.column) return promised((field.type ?? '') as 'text');
  const { entity, property } = field.column;
  const metadata = entities.getMetadata(entity);
  const column = metadata.findColumnWithPropertyName(property)!;
  const type = entities.driver.normalizeType(column);
  return {
    type: `${LONG[type] ?? type}${column.isArray ? '[]' : ''}`,
    from: `${metadata.tableName}.${column.databaseName}`,
  };
}

/** A column that is computed, or that a clause hands on, may be promised to be of the type of a column. */
function expected(
  shape: RowShape,
  found: Readonly<Record<string, ResultColumn>>,
): Record<string, ResultColumn> {
  return Object.fromEntries(
    Object.entries(shape).map(([name, field]) => {
      const { type, from } = promised(field);
      return [name, { type, from: found[name]?.from === null ? null : from }];
    }),
  );
}

// Tests of this worker may have registered statements of their own.
const ofStores = registeredStatements().filter(({ name }) => !name.startsWith('test.'));

it('No two statements or forms of one have the same name', () => {
  const names = ofStores.map(({ name }) => name);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});

describe('A statement of a store is understood by the migrated database and returns the rows of its type', () => {
  it.each<[string, RegisteredStatement]>(ofStores.map((one) => [one.name, one]))(
    '%s',
    async (_, { text, shape }) => {
      const found = await columnsOf(text);
      expect(found).toEqual(expected(shape, found));
      // The driver makes of a date midnight of the place where it runs.
      expect(Object.values(found).map(({ type }) => type)).not.toContain('date');
    },
  );
});
