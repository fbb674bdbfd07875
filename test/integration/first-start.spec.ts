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

it(
  'npm start on a bare clone builds, brings its servers, answers, and stops on Ctrl-C',
  async () => {
    bareClone();
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
      const health = await fetch(`http://127.0.0.1:${port}/health/ready`);
      expect(health.status).toBe(200);
      const page = await fetch(`http://127.0.0.1:${port}/verify/kys_none`);
      expect(page.headers.get('content-type')).toContain('text/html');
      // The console is built by then, its address said, and it is the page itself, not its excuse.
      const operatorConsole = `http://127.0.0.1:${port}/console`;
      expect(said).toContain(operatorConsole);
      const served = await fetch(operatorConsole);
      expect(served.status).toBe(200);
      expect(await served.text()).toContain('<div id="console">');
    } finally {
      child.kill('SIGINT');
    }
    await ended;
    expect(said).not.toMatch(/error/i);
  },
  MAX_MS,
);
