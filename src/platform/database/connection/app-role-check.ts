import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Settings } from '../../config/index.js';
import { NO_ORGANISATION } from '../migrations/protect.js';

/**
 * Refuses to start if the database cannot protect the data: the service connects as a role that could rewrite the
 * audit trail, or through a transaction pooler; a table has no row-level security; or (in production) commits are
 * acknowledged before they are durable.
 */
@Injectable()
export class AppRoleCheck implements OnApplicationBootstrap {
  constructor(
    private readonly source: DataSource,
    private readonly settings: Settings,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const rows: { owns: boolean; super: boolean; fsync: string; sync: string }[] = await this.source.query(`
      SELECT EXISTS (SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                     WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p')
                       AND pg_has_role(session_user, c.relowner, 'USAGE')) AS owns,
             (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = session_user) AS super,
             current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS sync`);
    const state = rows[0];
    // The command line sets both URLs to the same value for commands of the owner; as settings, equal URLs are refused.
    const { databaseUrl, databaseOwnerUrl } = this.settings;
    const byOwner = databaseOwnerUrl !== null && databaseUrl === databaseOwnerUrl;
    if (!state || (!byOwner && (state.owns || state.super))) {
      throw new Error(
        'DATABASE_URL connects as a role that owns the tables (or a superuser, or one with BYPASSRLS): it could ' +
          'rewrite the audit trail, and nothing would keep organisations apart. ' +
          'Use the role vigia_app here and put the owner into DATABASE_OWNER_URL.',
      );
    }
    if (await isPooledByTransaction(this.source)) {
      throw new Error(
        'DATABASE_URL leads through a pooler that hands a connection out for one transaction at a time (PgBouncer with ' +
          'pool_mode=transaction): prepared statements and the settings that keep organisations apart belong to a session. ' +
          'Use pool_mode=session, which needs no startup options, or connect to PostgreSQL itself; ' +
          'the service keeps a small pool of its own.',
      );
    }
    const open = await unprotectedTables(this.source);
    if (open.length > 0) {
      throw new Error(
        `Tables without row-level security: ${open.join(', ')}. Their migration has to protect them ` +
          '(src/platform/database/migrations/protect.ts).',
      );
    }
    const unsafe = [
      ...(state.fsync === 'off' ? ['fsync=off'] : []),
      ...(state.sync === 'off' ? ['synchronous_commit=off'] : []),
    ];
    if (this.settings.nodeEnv === 'production' && unsafe.length > 0) {
      throw new Error(
        `The database of DATABASE_URL runs with ${unsafe.join(' and ')}: an acknowledgement would be a guess.`,
      );
    }
  }
}

// One look is not enough: other statements of the process may come in between, so that a connection gets the same
// server process again.
const LOOK_COUNT = 3;

/**
 * True if two open connections share one server process, or one changes from one process to another, which only a pooler
 * in between makes possible.
 */
export async function isPooledByTransaction(source: Pick<DataSource, 'createQueryRunner'>): Promise<boolean> {
  const runners = [source.createQueryRunner(), source.createQueryRunner()];
  try {
    for (const runner of runners) await runner.connect();
    const backends = runners.map(() => new Set<number>());
    for (let look = 0; look < LOOK_COUNT; look += 1) {
      for (const [i, runner] of runners.entries()) {
        const [row] = (await runner.query('SELECT pg_backend_pid() AS pid')) as { pid: number }[];
        if (row) backends[i]?.add(row.pid);
      }
    }
    const pids = backends.flatMap((own) => [...own]);
    return pids.length > runners.length || new Set(pids).size < runners.length;
  } finally {
    for (const runner of runners) await runner.release();
  }
}

/**
 * Returns tables without a forced row-level security policy. A table without `organisation_id` is excepted if its
 * migration has marked it as NO_ORGANISATION.
 */
async function unprotectedTables(source: DataSource): Promise<string[]> {
  const rows: { name: string }[] = await source.query(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p')
       AND NOT (c.relrowsecurity AND c.relforcerowsecurity
                AND EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid))
       AND (coalesce(obj_description(c.oid, 'pg_class'), '') NOT LIKE $1 || '_%'
            OR EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid
                         AND a.attname = 'organisation_id' AND NOT a.attisdropped))
     ORDER BY 1`,
    [NO_ORGANISATION],
  );
  return rows.map((row) => row.name);
}
