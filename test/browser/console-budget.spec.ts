import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { buildPage } from '../support/browser.js';

describe('the types of the console', () => {
  it('are those of the operator API', async () => {
    // Fails with the words of the program when the document has changed and the types have not.
    await promisify(execFile)(process.execPath, [
      '--import=./test/support/register.mjs',
      'scripts/console-types.mjs',
      '--check',
    ]);
  });
});

describe('what the console loads', () => {
  interface Chunk {
    readonly file: string;
    readonly isEntry?: boolean;
    readonly isDynamicEntry?: boolean;
    readonly imports?: readonly string[];
  }

  it('is at most 230 kB of compressed script at first, 40 kB more for a screen, and 135 kB for the editor', async () => {
    await buildPage();
    const dist = join(import.meta.dirname, '../../web/console/dist');
    const manifest = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8')) as Record<string, Chunk>;
    const filesOf = (name: string, seen = new Set<string>()): Set<string> => {
      const chunk = manifest[name];
      if (chunk === undefined || seen.has(chunk.file)) return seen;
      seen.add(chunk.file);
      for (const one of chunk.imports ?? []) filesOf(one, seen);
      return seen;
    };
    const bytes = (files: Iterable<string>): number =>
      [...files].reduce((sum, file) => sum + readFileSync(join(dist, `${file}.gz`)).length, 0);
    const entry = Object.keys(manifest).find((name) => manifest[name]?.isEntry === true) ?? '';
    const first = filesOf(entry);
    expect(bytes(first)).toBeGreaterThan(50_000);
    expect(bytes(first)).toBeLessThan(230_000);
    const screens = Object.keys(manifest).filter((name) => manifest[name]?.isDynamicEntry === true);
    expect(screens.length).toBeGreaterThan(5);
    for (const screen of screens) {
      const more = bytes([...filesOf(screen)].filter((file) => !first.has(file)));
      const most = screen.endsWith('/rules/editor.tsx') ? 135_000 : 40_000;
      expect({ screen, more, fits: more <= most }).toEqual({ screen, more, fits: true });
    }
  });
});
