import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect } from '@jest/globals';

/** Runs the harness of test/crash with its own servers, in a short form; fails with its whole output. */
export async function expectNothingLost(
  form: '--first' | '--short',
  ...options: readonly string[]
): Promise<void> {
  const harness = path.resolve(import.meta.dirname, '../crash/run.mjs');
  const child = spawn(process.execPath, [harness, form, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
  }
  const [code] = (await once(child, 'exit')) as [unknown];
  if (code !== 0) throw new Error(output);
  expect(output).toContain('Nothing lost, nothing twice.');
}
