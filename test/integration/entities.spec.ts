import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DataSource, type QueryRunner } from 'typeorm';
import { entities } from '../../ormconfig.js';
import { ownerConnectionOptions } from '../../src/platform/database/connection/connection-options.js';
import { freshDatabase } from '../support/database.js';

// Entities do not repeat foreign keys, unique and check constraints, indexes, and comments of tables.
const migrationsOnly = /DROP (CONSTRAINT|INDEX) |^COMMENT ON TABLE /;

/** One question after the other: TypeORM asks one connection several at once, which pg is going to refuse. */
function inTurn(runner: QueryRunner): QueryRunner {
  const query = runner.query.bind(runner);
  let turn: Promise<unknown> = Promise.resolve();
  jest.spyOn(runner, 'query').mockImplementation((...asked) => {
    const mine = turn.then(() => query(...asked));
    turn = mine.catch(() => undefined);
    return mine;
  });
  return runner;
}

let source: DataSource;

beforeAll(async () => {
  source = await new DataSource({
    ...ownerConnectionOptions((await freshDatabase()).ownerUrl),
    entities,
  }).initialize();
});
afterAll(async () => {
  // Undefined when an entity could not be loaded: that failure is the one to read.
  await (source as DataSource | undefined)?.destroy();
});

describe('Entities', () => {
  it('are there for every table', async () => {
    const tables: { name: string }[] = await source.query(
      `SELECT relname AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
    );
    expect(source.entityMetadatas.map(({ tableName }) => tableName).sort()).toEqual(
      tables.map(({ name }) => name).sort(),
    );
  });

  it('agree with the migrations: tables, columns, types, nullability, defaults and primary keys', async () => {
    // TypeORM knows the expression of a generated column only if it made the column itself.
    const generated: { table: string; column: string }[] = await source.query(
      `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
       WHERE table_schema = 'public' AND is_generated = 'ALWAYS'`,
    );
    for (const { table, column } of generated) {
      await source.query(`ALTER TABLE ${table} ALTER COLUMN ${column} DROP EXPRESSION`);
    }
    const runnerOf = source.createQueryRunner.bind(source);
    jest.spyOn(source, 'createQueryRunner').mockImplementation((mode) => inTurn(runnerOf(mode)));
    const { upQueries } = await source.driver.createSchemaBuilder().log();
    const differences = upQueries.map(({ query }) => query).filter((query) => !migrationsOnly.test(query));
    jest.restoreAllMocks();
    expect(differences).toEqual([]);
  });
});
