import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Column, DataSource, Entity, type MigrationInterface } from 'typeorm';
import { entities } from '../../ormconfig.js';
import { migrateBy } from '../../src/bootstrap/migrate.js';
import { AuditTrail } from '../../src/features/audit/index.js';
import { CheckProviderEntity } from '../../src/features/providers/store/entities.js';
import { ownerConnectionOptions } from '../../src/platform/database/connection/connection-options.js';
import { migrations } from '../../src/platform/database/migrations/index.js';
import { SqlMigration } from '../../src/platform/database/migrations/sql-migration.js';
import { Regulated } from '../../src/platform/database/regulated/regulated.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { withProvider } from '../support/providers.js';
import { behindItsBack } from '../support/tamper.js';

/** The table as an earlier release had it, with one regulated column more. */
@Regulated({ of: 'provider', by: 'id' })
@Entity('check_providers')
class EarlierProviderEntity extends CheckProviderEntity {
  @Column('text', { default: 'earlier' }) former: string;
}

class AddFormer1767000000001 extends SqlMigration {
  protected override readonly statements = [
    `ALTER TABLE check_providers ADD COLUMN former text NOT NULL DEFAULT 'earlier'`,
  ];
}
class DropFormer1767000000002 extends SqlMigration {
  protected override readonly statements = [`ALTER TABLE check_providers DROP COLUMN former`];
}
class Fail1767000000003 extends SqlMigration {
  protected override readonly statements = ['SELECT 1 / 0'];
}

let t: TestApp;
let organisationId: string;
const ids = new Map<string, string>();

const migrateWith = (
  known: readonly (new () => object)[],
  ...more: readonly (new () => MigrationInterface)[]
): Promise<string[]> =>
  migrateBy(
    new DataSource({
      ...ownerConnectionOptions(t.database.ownerUrl),
      entities: [...known],
      migrations: [...migrations, ...more],
    }),
  );

const verdictOn = async (name: string): Promise<string> => {
  const subject = { organisationId, type: 'provider', id: ids.get(name)! } as const;
  const { status, gaps } = await t.app.get(AuditTrail).trailStatus(subject);
  return [status, ...gaps.map(({ kind }) => kind)].join(' ');
};

const hasFormer = async (): Promise<boolean> => {
  const { rowCount } = await t.owner.query(
    `SELECT FROM pg_attribute WHERE attrelid = 'check_providers'::regclass AND attname = 'former' AND NOT attisdropped`,
  );
  return rowCount === 1;
};

const lastState = async (
  name: string,
): Promise<{ actor: string; content: object; correlationId: string }> => {
  const { rows } = await t.owner.query<{ said: string }>(
    `SELECT convert_from(canonical, 'UTF8') AS said FROM audit_entries WHERE subject_type = 'state'
     AND subject_id = 'provider:' || $1 ORDER BY subject_seq DESC LIMIT 1`,
    [ids.get(name)],
  );
  return JSON.parse(rows[0]!.said) as { actor: string; content: object; correlationId: string };
};

beforeAll(async () => {
  t = await startTestApp();
  const earlier = entities.map((one) => (one === CheckProviderEntity ? EarlierProviderEntity : one));
  expect(await migrateWith(earlier, AddFormer1767000000001)).toEqual(['AddFormer1767000000001']);
  ({ organisationId } = await t.client());
  for (const name of ['acme-kept', 'acme-altered']) {
    await withProvider(t, organisationId, {
      ...{ name, checks: ['DOCUMENT'], url: 'https://acme.example/', timeoutMs: 2_000 },
    });
    const { rows } = await t.owner.query<{ id: string }>('SELECT id FROM check_providers WHERE name = $1', [
      name,
    ]);
    ids.set(name, rows[0]!.id);
  }
  await behindItsBack(
    t,
    'check_providers',
    `UPDATE check_providers SET former = 'altered' WHERE name = 'acme-altered'`,
    [],
  );
});

afterAll(() => t.close());

describe('a migration that drops a regulated column', () => {
  it('finds the states of the earlier release', async () => {
    expect(await verdictOn('acme-kept')).toBe('COMPLETE');
    expect(await verdictOn('acme-altered')).toMatch(/STATE_MISMATCH/);
  });

  it('changes nothing when a later one fails', async () => {
    const before = await lastState('acme-kept');
    const failed = migrateWith(entities, AddFormer1767000000001, DropFormer1767000000002, Fail1767000000003);
    await expect(failed).rejects.toThrow('division by zero');
    expect(await hasFormer()).toBe(true);
    expect(await lastState('acme-kept')).toEqual(before);
    expect(await verdictOn('acme-kept')).toBe('COMPLETE');
  });

  it('runs on a database that the earlier release bound, and binds its rows anew as a step of its own', async () => {
    const before = await lastState('acme-kept');
    expect(await migrateWith(entities, AddFormer1767000000001, DropFormer1767000000002)).toEqual([
      'DropFormer1767000000002',
    ]);
    expect(await hasFormer()).toBe(false);
    const after = await lastState('acme-kept');
    expect(after.actor).toBe('system:migration');
    expect(after.correlationId).toMatch(/^catalogue:/);
    expect(after.content).not.toEqual(before.content);
    expect(await verdictOn('acme-kept')).toBe('COMPLETE');
  });

  it('leaves rows that were altered before it a finding', async () => {
    expect(await verdictOn('acme-altered')).toMatch(/STATE_MISMATCH/);
  });

  it('lets the service write on, and binds what it writes', async () => {
    await withProvider(t, organisationId, {
      ...{ name: 'acme-kept', checks: ['DOCUMENT'], url: 'https://acme.example/next', timeoutMs: 2_000 },
    });
    const { rows } = await t.owner.query<{ id: string }>(
      `SELECT id FROM check_providers WHERE name = 'acme-kept' AND version = 2`,
    );
    ids.set('next', rows[0]!.id);
    expect(await lastState('next')).toMatchObject({ actor: 'system:audit.state' });
    expect(await verdictOn('next')).toBe('COMPLETE');
  });
});
