import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const harness = path.join(import.meta.dirname, 'run.mjs');
// Without any Redis to be had there is nothing to take away; the whole test says so itself.
const withRedis = process.env['TEST_REDIS_URL'] === undefined ? it.skip : it;

/** The harness runs as it does for `npm run test:crash`, with its own servers; only shorter. */
async function run(): Promise<{ code: unknown; output: string }> {
  const child = spawn(process.execPath, [harness, '--short'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
  }
  const [code] = (await once(child, 'exit')) as [unknown];
  return { code, output };
}

describe('killed, emptied and cut off under load', () => {
  withRedis(
    'the service evaluates what it acknowledged, each transaction once, with its events and a complete trail',
    async () => {
      const { code, output } = await run();
      if (code !== 0) throw new Error(output);
      expect(output).toContain('Nothing lost, nothing twice.');
    },
    900_000,
  );
});
