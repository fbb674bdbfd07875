import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { reservedPort } from '../support/ports.mjs';

// A bare clone does not have these: npm ci, the build or an earlier start makes them.
const NOT_CLONED = new Set(['.git', '.data', 'node_modules', 'dist', 'web/dist', 'web/console/dist']);
// Half a minute on an idle machine; beside other tests more. That it is quick is measured elsewhere.
const MAX_MS = 240_000;
const root = process.cwd();
const folder = mkdtempSync(path.join(os.tmpdir(), 'vigia-first-start-'));
chmodSync(folder, 0o711); // as root without user namespaces the database runs as another user

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The sources alone, with the packages of this folder and the copy of Redis that it may have fetched. */
function bareClone(): void {
  cpSync(root, folder, {
    recursive: true,
    filter: (file) => !NOT_CLONED.has(path.relative(root, file)),
  });
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  mkdirSync(path.join(folder, '.data'));
  const cache = path.resolve(root, process.env['DATA_DIR'] ?? '.data', 'cache');
  if (existsSync(cache)) cpSync(cache, path.join(folder, '.data/cache'), { recursive: true });
}

/** Types `npm start`, looks at the service when it is ready, and stops it; returns what was printed. */
async function started(look: (address: string) => Promise<void>): Promise<string> {
  const port = await reservedPort();
  const { PATH, HOME } = process.env;
  const child = spawn('npm', ['start'], {
    cwd: folder,
    env: { PATH, HOME, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  let said = '';
  const ready = new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      said += chunk.toString();
      if (said.includes('Vigia is ready')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', () => {
      reject(new Error(`npm start ended:\n${said}`));
    });
  });
  try {
    await ready;
    await look(`http://127.0.0.1:${port}`);
  } finally {
    child.kill('SIGINT');
  }
  await ended;
  return said;
}

it(
  'npm start on a bare clone builds once, brings its servers, answers, and stops on Ctrl-C',
  async () => {
    bareClone();
    const said = await started(async (address) => {
      const health = await fetch(`${address}/health/ready`);
      expect(health.status).toBe(200);
      const page = await fetch(`${address}/verify/kys_none`);
      expect(page.headers.get('content-type')).toContain('text/html');
      // The console is built by then: it is the page itself, not its excuse.
      const served = await fetch(`${address}/console`);
      expect(served.status).toBe(200);
      expect(await served.text()).toContain('<div id="console">');
    });
    expect(said).toMatch(/http:\/\/127\.0\.0\.1:\d+\/console/);
    for (const part of ['the service', 'the page for end users', 'the operator console']) {
      expect(said).toContain(`Building ${part} …\n`);
      expect(said).toMatch(new RegExp(`Built ${part} in [\\d.]+ s\\n`));
    }
    expect(said).not.toMatch(/error|vite|rolldown|plugin|chunk/i);
    expect(await started(() => Promise.resolve())).not.toMatch(/buil[dt]/i);
  },
  MAX_MS,
);
