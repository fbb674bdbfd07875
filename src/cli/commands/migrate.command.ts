import { ensureAppRole } from '../../platform/database/connection/app-role.js';
import { migrate } from '../../bootstrap/migrate.js';

/** Migrates as the owner of the schema, then makes sure that the role of DATABASE_URL exists and has its grants. */
export async function runMigrations(): Promise<void> {
  const ownerUrl = process.env['DATABASE_OWNER_URL'] ?? process.env['DATABASE_URL'];
  if (ownerUrl === undefined) throw new Error('DATABASE_OWNER_URL is required: the owner of the schema.');
  const applied = await migrate(ownerUrl);
  process.stdout.write(applied.length === 0 ? 'nothing to migrate\n' : `applied ${applied.join(', ')}\n`);
  const appUrl = process.env['DATABASE_URL'];
  if (appUrl === undefined || appUrl === ownerUrl) return;
  const { username, password } = new URL(appUrl);
  if (username === new URL(ownerUrl).username) return;
  await ensureAppRole(ownerUrl, decodeURIComponent(username), decodeURIComponent(password));
  process.stdout.write(`role ${username} is ready\n`);
}
