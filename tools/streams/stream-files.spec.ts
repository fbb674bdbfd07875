import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { simulate } from '../../src/cli/commands/rules.command.js';
import type { LabelLine } from './stream-files.js';
import { writeStream } from './stream-files.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'vigia-stream-'));
const inFolder = (name: string): string => path.join(folder, name);
const WISH = {
  ...{ seed: 5, days: 12, people: 6, sellers: 1, companies: 1, patterns: 18 },
  begins: { year: 2026, month: 1, day: 5 },
};

/** Everything that a command prints. */
async function printedBy(command: () => Promise<void>): Promise<string> {
  const printed: string[] = [];
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.push(String(text));
    return true;
  });
  try {
    await command();
  } finally {
    write.mockRestore();
  }
  return printed.join('');
}

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('vigia simulate', () => {
  const files = { labels: inFolder('labels.ndjson'), profiles: inFolder('profiles.ndjson') };
  const events = inFolder('events.ndjson');

  it('writes a label for each event, which rules simulate reads', async () => {
    await printedBy(() => writeStream({ ...WISH, ...files, output: events }));
    const idsIn = (file: string): string[] =>
      readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as LabelLine).transactionId);
    expect(idsIn(files.labels)).toEqual(idsIn(events));
    const options = { organisation: 'demo', ...files, dollar: 5.4 };
    const report = JSON.parse(await printedBy(() => simulate(events, { ...options, json: true })));
    expect(report).toMatchObject({ refused: 0, snapshots: idsIn(events).length });
    expect(report.recall.classes).toHaveLength(18);
    const text = await printedBy(() => simulate(events, { ...options, json: false }));
    expect(text).toMatch(/^ACCOUNT_TAKEOVER +1 +1 /m);
    expect(text).toMatch(/^PERSON +\d+ +\d+ /m);
  });

  it('writes the same to the standard output, and nothing else', async () => {
    const printed = await printedBy(() => writeStream({ ...WISH, output: '-' }));
    expect(printed).toBe(readFileSync(events, 'utf8'));
  });
});
