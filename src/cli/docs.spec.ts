import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { generatedDocs } from './generated-docs.js';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

describe('the generated documents', () => {
  const documents = [...generatedDocs(root)];

  // When this fails, the sources have changed: run `npm run docs`.
  it.each(documents)('%s is what the sources say now', (file, text) => {
    expect(readFileSync(path.join(root, file), 'utf8')).toBe(text);
  });

  it.each(documents)('%s has tables whose rows have as many cells as their heads', (_file, text) => {
    const rows = text.split('\n').filter((line) => line.startsWith('|'));
    const cells = (line: string): number => line.replaceAll('\\|', '').split('|').length;
    let width = 0;
    for (const [i, row] of rows.entries()) {
      if (rows[i + 1]?.startsWith('|---')) width = cells(row);
      expect([row, cells(row)]).toEqual([row, width]);
    }
  });
});
