import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Settings } from '../config/index.js';

/**
 * Refuses to start on a database that cannot keep the promises: connected as a role that could rewrite the audit
 * trail, or (in production) one that acknowledges commits before they are durable.
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
                       AND pg_has_role(current_user, c.relowner, 'USAGE')) AS owns,
             (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user) AS super,
             current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS sync`);
    const state = rows[0];
    if (!state || state.owns || state.super) {
      throw new Error(
        'DATABASE_URL connects as a role that owns the tables (or a superuser): it could rewrite the audit trail. ' +
          'Use the role vigia_app here and put the owner into DATABASE_OWNER_URL.',
      );
    }
    if (this.settings.nodeEnv === 'production' && (state.fsync === 'off' || state.sync === 'off')) {
      throw new Error(
        'The database runs with fsync=off or synchronous_commit=off: an acknowledgement would be a guess.',
      );
    }
  }
}
