import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestApp } from './app.js';
import { fromSource, productionFlags } from './engine-flags.js';
import { eventually } from './eventually.js';
import { reservedPort } from './ports.mjs';

const READY_WITHIN_MS = 60_000;

/** The environment in which another process has the data and the keys of an application of the test. */
export function processEnv({ settings, database }: TestApp): Record<string, string> {
  const ring = (keys: readonly { readonly id: string; readonly bytes: Buffer }[]): string =>
    keys.map(({ id, bytes }) => `${id}:${bytes.toString('base64')}`).join(',');
  return {
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'development',
    LOG_LEVEL: 'warn',
    WARM_UP_MS: '0',
    DATABASE_URL: database.appUrl,
    REDIS_URL: settings.redisUrl ?? '',
    QUEUE_PREFIX: settings.queuePrefix,
    KEY_RING: ring(settings.keyRing),
    AUDIT_KEYS: ring(settings.auditKeys),
    INDEX_KEY: settings.indexKey.toString('base64'),
    CLIENT_SECRET_PEPPER: settings.clientSecretPepper.toString('base64'),
  };
}

/** The program as a process of its own, started as in production, with the data and the keys of a test. */
export class ApiProcess {
  private constructor(
    private readonly child: ChildProcess,
    private readonly dir: string,
    readonly url: string,
  ) {}

  static async start(
    t: TestApp,
    env: Record<string, string> = {},
    program: readonly string[] = fromSource('main.ts'),
  ): Promise<ApiProcess> {
    const port = await reservedPort();
    const dir = mkdtempSync(path.join(os.tmpdir(), 'vigia-process-'));
    const child = spawn(process.execPath, [...productionFlags(), ...program], {
      env: { ...processEnv(t), ROLE: 'api', PORT: String(port), DATA_DIR: dir, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const started = new ApiProcess(child, dir, `http://127.0.0.1:${port}`);
    try {
      await eventually('the process is ready', () => started.isReady(), READY_WITHIN_MS);
    } catch (error) {
      await started.stop();
      throw error;
    }
    return started;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  private async isReady(): Promise<boolean> {
    if (this.child.exitCode !== null) throw new Error(`the process ended with ${this.child.exitCode}`);
    return fetch(`${this.url}/health/ready`).then(
      (answer) => answer.ok,
      () => false,
    );
  }

  /** Ends it without a word, as a power cut or the kernel would. */
  async kill(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
    rmSync(this.dir, { recursive: true, force: true });
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = once(this.child, 'exit');
      this.child.kill('SIGTERM');
      await ended;
    }
    rmSync(this.dir, { recursive: true, force: true });
  }
}
