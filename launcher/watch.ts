import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endsWithParent } from './commands.js';
import type { Shutdown } from './shutdown.js';

const POLL_MS = 250;
const ASK_AGAIN_MS = 5_000;

/** Compiles and restarts the service, a process of its own, at every change of a source; returns when it answers. */
export async function watchService(shutdown: Shutdown, url: string): Promise<string> {
  const nest = path.resolve('node_modules/@nestjs/cli/bin/nest.js');
  const compile = [process.execPath, nest, 'start', '--watch', '--no-shell', '--preserveWatchOutput'];
  const [program = '', ...args] = await endsWithParent(compile);
  // A session of its own: Ctrl-C would reach the service twice, and the second one cuts its work short.
  const compiler = spawn(program, args, { detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
  const ended = once(compiler, 'exit');
  shutdown.add(async () => {
    const ask = (): boolean => compiler.kill('SIGTERM');
    // Between the old and the new service the compiler forgets that it was asked.
    const again = setInterval(ask, ASK_AGAIN_MS);
    ask();
    await ended;
    clearInterval(again);
  });
  // Errors of the compiler are on the terminal; the first start waits until they are mended.
  while (!(await isReady(url))) await sleep(POLL_MS, undefined, { signal: shutdown.signal });
  return url;
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health/ready`)).ok;
  } catch {
    return false;
  }
}
