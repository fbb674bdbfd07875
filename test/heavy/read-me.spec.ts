import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { reservedPort } from '../support/ports.mjs';
import { root, StartedClone } from '../support/started-clone.js';

let clone: StartedClone;
let receiver: number;

beforeAll(async () => {
  clone = await StartedClone.start();
  receiver = await reservedPort();
}, 700_000);

afterAll(() => clone.close());

interface Block {
  readonly commands: string;
  readonly expected: string;
}

/** The pieces that somebody copies, each with the answer that stands below it. */
function blocksOf(file: string): Block[] {
  const text = readFileSync(path.join(root, file), 'utf8').replaceAll('127.0.0.1:3000', clone.host);
  const fences = [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language, code]) => ({
    language,
    code: code ?? '',
  }));
  return fences.flatMap(({ language, code }, i) => {
    if (language !== 'bash') return [];
    const next = fences[i + 1];
    return [
      { commands: code, expected: next?.language === '' && !next.code.startsWith('$') ? next.code : '' },
    ];
  });
}

/** Runs the pieces one after the other in one terminal, with the pauses of somebody who copies them; their outputs. */
async function typed(blocks: readonly Block[]): Promise<string[]> {
  const script = blocks.map(({ commands }) => `${commands}\necho; echo @@@\nsleep 1\n`).join('');
  return (await clone.shell(script)).split('@@@\n').slice(0, blocks.length);
}

/** A text that is shortened in a document may be anything, and a moment any moment. */
const like = (expected: string): RegExp =>
  new RegExp(
    expected
      .trim()
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '...')
      .split(/[\w+-]*\.\.\.[\w-]*/)
      .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll(/\s+/g, '\\s+'))
      .join('[\\s\\S]*?'),
  );

describe('Whoever copies what the documents say', () => {
  it.each(['README.md', 'docs/integrating.md'])(
    '%s: gets the answers that stand there',
    async (file) => {
      const blocks = blocksOf(file);
      expect(blocks.length).toBeGreaterThan(2);
      const outputs = await typed(blocks);
      for (const [i, { commands, expected }] of blocks.entries()) {
        if (!like(expected).test(outputs[i] ?? '')) {
          expect({ file, commands, output: outputs[i] }).toEqual({ file, commands, output: expected });
        }
      }
    },
    120_000,
  );

  it('has nothing in the folder that was not there, and saw what the start is said to print', async () => {
    expect(await clone.shell('git status --porcelain -- . ":!node_modules"')).toBe('');
    const [, shown = ''] = /^```\n(Redis [\s\S]*?)^```$/m.exec(
      readFileSync(path.join(root, 'docs/running.md'), 'utf8').replaceAll('127.0.0.1:3000', clone.host),
    )!;
    // The two servers start at once: the one that is up first is told first.
    const others = shown.replace(/^(Redis .*\n)(PostgreSQL .*\n)/, '$2$1');
    expect([shown, others].filter((text) => like(text).test(clone.said))).not.toEqual([]);
  });

  it('has webhooks verified by a receiver of their own', async () => {
    const added = await clone.vigia('webhooks', 'add', `http://127.0.0.1:${receiver}/webhooks`);
    const secret = /whsec_\S+/.exec(added)?.[0] ?? '';
    const listening = spawn(
      'npm',
      [
        'run',
        '--silent',
        'vigia',
        '--',
        'webhooks',
        'listen',
        '--secret',
        secret,
        '--port',
        String(receiver),
      ],
      {
        cwd: clone.folder,
        env: clone.terminal,
        detached: true,
      },
    );
    let heard = '';
    listening.stdout.on('data', (chunk: Buffer) => (heard += chunk.toString()));
    try {
      await eventually('it listens', () => heard.includes('listening on'), 60_000);
      const [first] = blocksOf('README.md');
      await typed([{ commands: (first?.commands ?? '').replaceAll('pix-1001', 'pix-1005'), expected: '' }]);
      await eventually(
        'both events are verified',
        () => (heard.match(/^VERIFIED .* pix-1005$/gm) ?? []).length >= 2,
        60_000,
      );
    } finally {
      if (listening.pid !== undefined) process.kill(-listening.pid, 'SIGKILL');
    }
  }, 180_000);

  it('waits less than a second for commands that need no service', async () => {
    for (const command of ['--help', 'client trigger --help', 'audit verify README.md --allow-unpinned']) {
      // Seconds of the processor, as others use the machine too.
      const timed = `TIMEFORMAT='%U %S'; time node scripts/vigia.mjs ${command} >/dev/null 2>&1 || true`;
      const [user = 9, system = 9] = (await clone.shell(`{ ${timed}; } 2>&1`)).trim().split(' ').map(Number);
      expect([command, user + system < 1]).toEqual([command, true]);
    }
  });

  it('judges a trail, takes the log along and verifies it; runs the demo; has no dead letters', async () => {
    expect(await clone.vigia('audit', 'trail', 'pix-1001')).toMatch(/^COMPLETE, \d+ entries/);
    await clone.vigia('audit', 'export', '--output', 'audit.zip', '--reason', 'A look around');
    expect(await clone.vigia('audit', 'verify', 'audit.zip', '--allow-unpinned')).toMatch(/^VERIFIED$/m);
    expect(await clone.vigia('demo')).toContain('every accepted transaction was evaluated and reported');
    expect(await clone.vigia('demo', 'clear')).toMatch(/^\d+ cases? closed$/m);
    expect(await clone.vigia('dead-letters', 'list')).toContain('no dead letters');
  }, 600_000);
});
