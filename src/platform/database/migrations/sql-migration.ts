import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A migration that is a list of SQL statements, written by hand: grants, triggers, policies and storage parameters are
 * part of the design, and no generator produces them. There is no down migration, because the tables hold evidence.
 */
export abstract class SqlMigration implements MigrationInterface {
  /** The class name. It ends with a timestamp of 13 digits, which orders the migrations for TypeORM. */
  readonly name = this.constructor.name;
  protected abstract readonly statements: readonly string[];

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of this.statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error(`${this.name} is not undone: its tables hold evidence. Restore a backup.`);
  }
}
