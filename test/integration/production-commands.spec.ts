import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startStack, type OwnStack } from '../../launcher/stack.js';
import { urlForRole } from '../../src/platform/database/connection/app-role.js';
import { fromSource, productionFlags } from '../support/engine-flags.js';
import { eventually } from '../support/eventually.js';
import { reservedPort } from '../support/ports.mjs';

/** The commands of "First start" in docs/production.md. */
const [, BLOCK = ''] =
  /## First start\n+```bash\n([\s\S]*?)```/.exec(readFileSync('docs/production.md', 'utf8')) ?? [];
const lines = BLOCK.split('\n').map((line) => line.replace(/\s+#.*/, '').trim());

/** The variables in front of a command, or behind `export`. */
const variablesIn = (line: string): Record<string, string> =>
  Object.fromEntries(
    [...line.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  );

const folder = mkdtempSync(path.join(os.tmpdir(), 'vigia-production-'));
chmodSync(folder, 0o711); // as root without user namespaces the database runs as another user
const started: ChildProcess[] = [];
let stack: OwnStack;
let env: Record<string, string>;

/** Returns what this installation has in the place of the dots and addresses of the document. */
function ofThisInstallation(name: string, value: string): string {
  const key = (): string => randomBytes(32).toString('base64');
  const own: Record<string, string> = {
    DATABASE_OWNER_URL: stack.ownerUrl,
    DATABASE_URL: urlForRole(stack.ownerUrl, 'vigia_app', randomBytes(16).toString('hex')),
    REDIS_URL: stack.redisUrl ?? '',
    KEY_RING: `k1:${key()}`,
    AUDIT_KEYS: `a1:${key()}`,
    INDEX_KEY: key(),
    CLIENT_SECRET_PEPPER: key(),
  };
  return own[name] ?? value;
}

beforeAll(async () => {
  const cacheDir = path.resolve(process.env['DATA_DIR'] ?? '.data', 'cache');
  // Production refuses a database that does not wait for the disk.
  stack = await startStack({ dir: path.join(folder, 'servers'), cacheDir, durable: true, quiet: true });
  const exported = lines.filter((line) => line.startsWith('export ')).map(variablesIn);
  env = Object.fromEntries(
    Object.entries(Object.assign({}, ...exported) as Record<string, string>).map(([name, value]) => [
      name,
      ofThisInstallation(name, value),
    ]),
  );
});

afterAll(async () => {
  for (const child of started) child.kill('SIGKILL');
  await stack.discard();
  rmSync(folder, { recursive: true, force: true });
});

function run(args: readonly string[], given: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'warn', ...given },
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  started.push(child);
  return child;
}

describe('the commands of a first start in production', () => {
  it('migrate with the owner, and start each process beside the others on one machine', async () => {
    const [code] = (await once(run([...fromSource('cli/main.ts'), 'migrate'], env), 'exit')) as [number];
    expect(code).toBe(0);
    const { DATABASE_OWNER_URL: owner, ...ofService } = env;
    expect([owner, lines]).toEqual([stack.ownerUrl, expect.arrayContaining(['unset DATABASE_OWNER_URL'])]);
    const commands = lines.filter((line) => line.endsWith('npm run start:prod'));
    expect(commands.map((line) => variablesIn(line)['ROLE'])).toEqual(['api', 'worker']);
    const taken = commands
      .map(variablesIn)
      .flatMap(({ PORT = '3000', PROBES_PORT = '3001' }) => [PORT, PROBES_PORT]);
    expect(new Set(taken).size).toBe(taken.length);
    for (const line of commands) {
      const [own, port, probes] = [variablesIn(line), await reservedPort(), await reservedPort()];
      const child = run([...productionFlags(), ...fromSource('main.ts')], {
        ...ofService,
        ...own,
        ...{ HOST: '127.0.0.1', PORT: String(port), PROBES_PORT: String(probes) },
      });
      await eventually(`${own['ROLE']} is ready`, async () => {
        expect(child.exitCode).toBeNull();
        return fetch(`http://127.0.0.1:${probes}/health/ready`).then(
          ({ ok }) => ok,
          () => false,
        );
      });
    }
  }, 120_000);
});
