import { spawnSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DirectExportsService, LogAuditorService } from '../../src/features/audit/index.js';
import type { TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction, CPF } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { promised } from '../support/needs.js';
import { flipBytes, node, unpacked, verdictOf, type Verdict } from '../support/package-verifiers.js';
import { isHeavy } from '../support/timing.js';

let app: TestApp;
let client: TestClient;
let pin: string;
const dir = mkdtempSync(path.join(tmpdir(), 'vigia-package-'));

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  await submit(80);
  await sealed();
  [pin = ''] = (await app.app.get(LogAuditorService).readStatus(client.organisationId)).verifierKeys;
});
afterAll(async () => {
  await app.close();
  rmSync(dir, { recursive: true, force: true });
});

let sent = 0;
async function submit(count: number): Promise<void> {
  const items = Array.from({ length: count }, () => aTransaction({ transactionId: `package-${++sent}` }));
  await app.api.as(client).ingestBatch(items).expect(207);
}

/** Waits until everything is evaluated and sealed. */
async function sealed(): Promise<void> {
  await eventually('everything is sealed', async () => {
    const { rows } = await app.owner.query<{ waiting: boolean }>(
      `SELECT EXISTS (SELECT FROM kyt_work WHERE organisation_id = $1)
           OR EXISTS (SELECT FROM audit_pending WHERE organisation_id = $1) AS waiting`,
      [client.organisationId],
    );
    return rows[0]?.waiting === false;
  });
}

let made = 0;
async function aPackage(filter: { subjectType?: string; action?: string } = {}): Promise<string> {
  const file = path.join(dir, `${++made}.zip`);
  await app.app.get(DirectExportsService).writePackage(
    {
      organisationId: client.organisationId,
      filter: { subjectType: filter.subjectType, action: filter.action },
      requestedBy: 'operator:test',
      reason: 'yearly audit',
    },
    createWriteStream(file),
  );
  return file;
}

const anchorFile = (name: string, text: string): string => {
  const file = path.join(dir, name);
  writeFileSync(file, text);
  return file;
};

describe('a package of the whole log', () => {
  it('is verified with the pinned key, as a file and unpacked', async () => {
    const file = await aPackage();
    expect(await verdictOf(file, '--pin', pin)).toBe('VERIFIED');
    expect(await verdictOf(unpacked(file), '--pin', pin)).toBe('VERIFIED');
  });

  it('says when its key was not pinned and when no anchor was given', async () => {
    const file = await aPackage();
    expect(await verdictOf(file)).toBe('NOT PINNED');
    expect(await verdictOf(file, '--allow-unpinned')).toBe('VERIFIED');
    const { lines } = await node(file, '--allow-unpinned');
    expect(lines.join('\n')).toMatch(/NOT PINNED/);
    expect(lines.join('\n')).toMatch(/only an earlier checkpoint shows/);
  });

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['in front of the archive', (bytes) => Buffer.concat([Buffer.from('#!/bin/sh\n'), bytes])],
    ['behind the archive', (bytes) => Buffer.concat([bytes, Buffer.from('and more')])],
    [
      'as its comment',
      (bytes) => Buffer.concat([bytes.subarray(0, -2), Buffer.from([4, 0]), Buffer.from('more')]),
    ],
    [
      'between its files and its directory',
      (bytes) => {
        const end = bytes.length - 22;
        const start = bytes.readUInt32LE(end + 16);
        const moved = Buffer.from(bytes.subarray(end));
        moved.writeUInt32LE(start + 4, 16);
        return Buffer.concat([
          bytes.subarray(0, start),
          Buffer.from('more'),
          bytes.subarray(start, end),
          Buffer.from('more'),
          moved,
        ]);
      },
    ],
  ])('is refused by both verifiers when there is something %s', async (where, changed) => {
    const file = path.join(dir, `${where.replaceAll(' ', '-')}.zip`);
    writeFileSync(file, changed(readFileSync(await aPackage())));
    expect(await verdictOf(file, '--pin', pin)).toBe('TAMPERED');
  });

  it('carries the verifiers, and they verify it from inside', async () => {
    const folder = unpacked(await aPackage());
    const inside = spawnSync(process.execPath, [path.join(folder, 'verify.mjs'), folder, '--pin', pin], {
      encoding: 'utf8',
    });
    expect(inside.stdout).toMatch(/VERIFIED\n$/);
    expect(inside.status).toBe(0);
  });

  it('holds nobody in the clear', async () => {
    const folder = unpacked(await aPackage());
    for (const name of readdirSync(folder)) {
      const text = readFileSync(path.join(folder, name), 'utf8');
      const bodies = name === 'events.jsonl' ? decoded(text) : text;
      for (const canary of [CPF.customer, CPF.payee, 'Maria', 'Exemplo']) {
        expect(bodies).not.toContain(canary);
      }
    }
  });

  it('is not believed under another key, which does not mean that anything was changed', async () => {
    const other = await startTestApp();
    const stranger = await other.client();
    const [key = ''] = (await other.app.get(LogAuditorService).readStatus(stranger.organisationId))
      .verifierKeys;
    await other.close();
    expect(await verdictOf(await aPackage(), '--pin', key)).toBe('CANNOT BE VERIFIED');
  });
});

const decoded = (lines: string): string =>
  lines
    .trimEnd()
    .split('\n')
    .map((line) => Buffer.from((JSON.parse(line) as { canonical: string }).canonical, 'base64').toString())
    .join('\n');

describe('a package of selected entries', () => {
  it('proves each of them against the signed root', async () => {
    const file = await aPackage({ action: 'transaction.evaluated' });
    expect(await verdictOf(file, '--pin', pin)).toBe('VERIFIED');
    const manifest = JSON.parse(readFileSync(path.join(unpacked(file), 'manifest.json'), 'utf8')) as {
      count: number;
      whole: boolean;
      filter: unknown;
      reason: string;
    };
    expect(manifest).toMatchObject({
      count: sent,
      whole: false,
      filter: { action: 'transaction.evaluated' },
      reason: 'yearly audit',
    });
  });
});

describe('an anchor that was kept before', () => {
  it('is a beginning of the log, as a note and as the JSON of a webhook', async () => {
    const before = await app.app.get(LogAuditorService).readStatus(client.organisationId);
    const note = before.checkpoint?.note ?? '';
    await submit(30);
    await sealed();
    const file = await aPackage();
    const [origin, size, root, time = ''] = note.split('\n');
    const signature = note.trimEnd().split(' ').at(-1);
    const webhook = {
      id: 'evt_1',
      audit: { origin, size: Number(size), root, signedAt: time.slice(5), signature },
    };
    const anchors = [anchorFile('kept.txt', note), anchorFile('webhook.json', JSON.stringify(webhook))];
    for (const anchor of anchors) {
      expect(await verdictOf(file, '--pin', pin, '--anchor', anchor)).toBe('VERIFIED');
    }
  });

  it('finds a log that was shortened since, though everything in the package fits', async () => {
    const old = await aPackage();
    await submit(5);
    await sealed();
    const { checkpoint } = await app.app.get(LogAuditorService).readStatus(client.organisationId);
    const anchor = anchorFile('newer.txt', checkpoint?.note ?? '');
    expect(await verdictOf(old, '--pin', pin)).toBe('VERIFIED');
    expect(await verdictOf(old, '--pin', pin, '--anchor', anchor)).toBe('TAMPERED');
  });
});

describe('a changed package', () => {
  const cases: readonly [string, (folder: string) => void, Verdict][] = [
    [
      'an entry is taken out',
      (folder) => {
        edit(folder, 'events.jsonl', withoutLine(3));
      },
      'INCOMPLETE',
    ],
    [
      'the last entry is cut off',
      (folder) => {
        edit(folder, 'events.jsonl', withoutLine(-1));
      },
      'INCOMPLETE',
    ],
    [
      'two entries change places',
      (folder) => {
        edit(folder, 'events.jsonl', swapped);
      },
      'TAMPERED',
    ],
    [
      'an entry says something else',
      (folder) => {
        edit(folder, 'events.jsonl', rewritten);
      },
      'TAMPERED',
    ],
    [
      'an entry says nothing that an entry says',
      (folder) => {
        edit(folder, 'events.jsonl', emptied);
      },
      'TAMPERED',
    ],
    [
      'the spreadsheet says something else',
      (folder) => {
        edit(folder, 'events.csv', (text) => `${text}x`);
      },
      'TAMPERED',
    ],
    [
      'the manifest counts differently',
      (folder) => {
        edit(folder, 'manifest.json', recounted);
      },
      'TAMPERED',
    ],
    [
      'a file is added',
      (folder) => {
        writeFileSync(path.join(folder, 'more.txt'), '');
      },
      'TAMPERED',
    ],
    [
      'a file is gone',
      (folder) => {
        rmSync(path.join(folder, 'events.csv'));
      },
      'INCOMPLETE',
    ],
    [
      'the verifier inside is replaced',
      (folder) => {
        edit(folder, 'verify.mjs', () => 'process.exit(0)\n');
      },
      'TAMPERED',
    ],
    [
      'it is of another format',
      (folder) => {
        edit(folder, 'manifest.json', (text) => text.replace('package/1', 'package/9'));
      },
      'CANNOT BE VERIFIED',
    ],
    [
      'the manifest is no JSON',
      (folder) => {
        edit(folder, 'manifest.json', () => '{');
      },
      'TAMPERED',
    ],
  ];

  it.each(cases)('%s', async (_what, change, verdict) => {
    const folder = unpacked(await aPackage());
    change(folder);
    expect(await verdictOf(folder, '--pin', pin)).toBe(verdict);
  });

  promised(
    'is found out by any single byte of any file',
    async () => {
      const folder = unpacked(await aPackage());
      const names = readdirSync(folder);
      expect((await node(folder, '--pin', pin)).verdict).toBe('VERIFIED');
      await flipBytes(folder, names, FLIPS, '--pin', pin);
      expect((await node(folder, '--pin', pin)).verdict).toBe('VERIFIED');
    },
    600_000,
  );

  it('is no ZIP file at all, or not there', async () => {
    expect(await verdictOf(anchorFile('not.zip', 'nothing'))).toBe('CANNOT BE VERIFIED');
    expect(await verdictOf(path.join(dir, 'nowhere.zip'))).toBe('CANNOT BE VERIFIED');
  });
});

// All of them in `npm run test:all`.
const FLIPS = isHeavy ? 10_000 : 60;

function edit(folder: string, name: string, change: (text: string) => string): void {
  const file = path.join(folder, name);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}
const linesOf = (text: string): string[] => text.trimEnd().split('\n');
const joined = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
const withoutLine =
  (at: number) =>
  (text: string): string =>
    joined(linesOf(text).filter((_, i, all) => i !== (at + all.length) % all.length));
function swapped(text: string): string {
  const lines = linesOf(text);
  const bytes = lines.map((line) => (JSON.parse(line) as { canonical: string }).canonical);
  [bytes[4], bytes[5]] = [bytes[5] ?? '', bytes[4] ?? ''];
  return joined(bytes.map((canonical, index) => `{"index":${index},"canonical":"${canonical}"}`));
}
function rewritten(text: string): string {
  const lines = linesOf(text);
  const entries = lines.map((line) =>
    Buffer.from((JSON.parse(line) as { canonical: string }).canonical, 'base64').toString(),
  );
  const index = entries.findIndex((entry) => entry.includes('transaction'));
  const entry = entries[index]!.replace('transaction', 'transactiom');
  lines[index] = JSON.stringify({ index, canonical: Buffer.from(entry).toString('base64') });
  return joined(lines);
}
function emptied(text: string): string {
  const lines = linesOf(text);
  lines[2] = JSON.stringify({ index: 2, canonical: Buffer.from('{}').toString('base64') });
  return joined(lines);
}
const recounted = (text: string): string => text.replace(/"count": \d+/, '"count": 1');
