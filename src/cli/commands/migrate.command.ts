import { databaseUrls } from '../../platform/config/database-settings.js';
import { ensureAppRole } from '../../platform/database/connection/app-role.js';
import { loginOf } from '../../platform/database/connection/with-client.js';
import { migrate } from '../../bootstrap/migrate.js';

/** Whether the server refused the login (SQLSTATE 28...) or what it may not do. */
const isRefusal = (error: unknown): error is Error =>
  error instanceof Error && /^(28|42501)/.test(String((error as { code?: unknown }).code));

/** Migrates as the owner of the schema, then makes sure that the role of DATABASE_URL exists and has its grants. */
export async function runMigrations(): Promise<void> {
  const { app, owner } = databaseUrls();
  const ownerUrl = owner ?? app;
  if (ownerUrl === null) throw new Error('DATABASE_OWNER_URL is required: the owner of the schema.');
  const applied = await migrate(ownerUrl).catch((cause: unknown) => {
    if (owner !== null || !isRefusal(cause)) throw cause;
    const why = `DATABASE_OWNER_URL is not set, and the login of DATABASE_URL may not migrate: ${cause.message}`;
    throw new Error(why, { cause });
  });
  process.stdout.write(applied.length === 0 ? 'nothing to migrate\n' : `applied ${applied.join(', ')}\n`);
  if (app === null) return;
  const { user, password } = loginOf(app);
  if (user === loginOf(ownerUrl).user) return;
  await ensureAppRole(ownerUrl, user, password);
  process.stdout.write(`role ${user} is ready\n`);
}
