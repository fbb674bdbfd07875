import { describe, expect, it } from '@jest/globals';
import { hostileFiles } from '../../../../test/support/hostile-files.js';
import { someInFirst } from '../../../../test/support/needs.js';
import { validFiles } from '../../../../test/support/valid-files.js';
import { FileRefusedError } from '../domain/file-errors.js';
import { detectMimeType } from '../domain/file-type.js';
import { inspectFile } from './inspect-file.js';

/** The code with which a file is refused; null when it is taken. */
async function refusalOf(file: Buffer): Promise<string | null> {
  const type = detectMimeType(file);
  if (type === null) return 'FILE_TYPE_UNSUPPORTED';
  try {
    await inspectFile(file, type);
    return null;
  } catch (error) {
    if (!(error instanceof FileRefusedError)) throw error;
    return error.code;
  }
}

describe('a file', () => {
  it('is taken if it is what phones, scanners and programs make', async () => {
    const valid = await validFiles();
    expect(valid.length).toBeGreaterThanOrEqual(30);
    const wrong: string[] = [];
    for (const { name, file } of someInFirst(valid, 10)) {
      const code = await refusalOf(file);
      if (code !== null) wrong.push(`${name}: ${code}`);
    }
    expect(wrong).toEqual([]);
  });

  it('is refused if it is cut off, of two formats, a bomb, or none of those types', async () => {
    const hostile = await hostileFiles();
    expect(hostile.length).toBeGreaterThanOrEqual(80);
    const wrong: string[] = [];
    for (const { name, file, code } of someInFirst(hostile, 30)) {
      const found = await refusalOf(file);
      if (found !== code) wrong.push(`${name}: ${found ?? 'taken'}`);
    }
    expect(wrong).toEqual([]);
  });
});
