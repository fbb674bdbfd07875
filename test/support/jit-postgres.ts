import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const HOME = '/usr/lib/postgresql';

/** The folder with the programs of a PostgreSQL that compiles plans (Debian's; the bundled one does not), or null. */
export const jitPostgresBin: string | null =
  (existsSync(HOME) ? readdirSync(HOME) : [])
    .map((version) => path.join(HOME, version))
    .filter(
      (home) => existsSync(path.join(home, 'lib/llvmjit.so')) && existsSync(path.join(home, 'bin/initdb')),
    )
    .map((home) => path.join(home, 'bin'))
    // The oldest: since PostgreSQL 18 a plan without sequential scans costs less.
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))[0] ?? null;
