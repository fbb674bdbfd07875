import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { eventually } from './eventually.js';
import { reservedPort } from './ports.mjs';

const run = promisify(execFile);
export const root = path.resolve(import.meta.dirname, '../..');

/** A bare clone of the project in which somebody has typed `npm start`, and a terminal there. */
export class StartedClone {
  private output = '';

  private constructor(
    readonly folder: string,
    readonly port: number,
    private readonly service: ChildProcess,
  ) {
    for (const stream of [service.stdout, service.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    }
  }

  /** Clones, brings the packages as `npm ci` leaves them, and waits until the service is ready. */
  static async start(
    install: (folder: string) => void = linkPackages,
    folder = mkdtempSync(path.join(tmpdir(), 'vigia-clone-')),
  ): Promise<StartedClone> {
    await run('git', ['clone', '--quiet', root, folder]);
    install(folder);
    const port = await reservedPort();
    const env = terminal(port);
    const clone = new StartedClone(
      folder,
      port,
      spawn('npm', ['start'], { cwd: folder, env, detached: true }),
    );
    await eventually('npm start says that it is ready', () => clone.isReady(), 600_000);
    return clone;
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Returns what the start has printed so far. */
  get said(): string {
    return this.output;
  }

  /** The environment of somebody's terminal: nothing of the tests in it. */
  get terminal(): NodeJS.ProcessEnv {
    return terminal(this.port);
  }

  /** Returns what a shell prints; rejects when a command fails. */
  async shell(script: string, variables: NodeJS.ProcessEnv = {}): Promise<string> {
    const options = { cwd: this.folder, env: { ...this.terminal, ...variables }, maxBuffer: 1 << 26 };
    return (await run('bash', ['-c', script], options)).stdout;
  }

  async vigia(...args: string[]): Promise<string> {
    const options = { cwd: this.folder, env: this.terminal };
    return (await run('npm', ['run', '--silent', 'vigia', '--', ...args], options)).stdout;
  }

  async close(): Promise<void> {
    if (this.service.pid !== undefined && this.service.exitCode === null) {
      const ended = once(this.service, 'exit');
      process.kill(-this.service.pid, 'SIGTERM');
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async isReady(): Promise<boolean> {
    if (this.service.exitCode !== null) throw new Error(this.output);
    const answer = await fetch(`http://${this.host}/health/ready`).catch(() => null);
    return answer?.ok === true && this.output.includes('demo-app');
  }
}

const linkPackages = (folder: string): void => {
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
};

const terminal = (port: number): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  PORT: String(port),
});
