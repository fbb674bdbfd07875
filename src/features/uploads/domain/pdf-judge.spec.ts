import { describe, expect, it } from '@jest/globals';
import { harmlessPdfs, hostilePdfs } from '../../../../test/support/made-pdfs.js';
import { FileRefusedError } from './file-errors.js';
import { requirePassivePdf } from './pdf-judge.js';

/** Returns what is found in a document; null when it is taken. */
function found(file: Buffer): { readonly finding: string; readonly key: string | null } | null {
  try {
    requirePassivePdf(file);
    return null;
  } catch (error) {
    if (!(error instanceof FileRefusedError)) throw error;
    return { finding: error.finding, key: error.key };
  }
}

describe('a PDF', () => {
  it('is refused with the key found, wherever and however it stands', () => {
    // ASVS 5.2.2, 5.2.3
    const hostile = hostilePdfs();
    expect(hostile.length).toBeGreaterThan(600);
    const wrong = hostile.flatMap(({ name, file, finding, key }) => {
      const answer = found(file);
      return answer?.finding === finding && answer.key === key ? [] : [{ name, answer }];
    });
    expect(wrong).toEqual([]);
  });

  it('is taken when it only speaks of such things', () => {
    const harmless = harmlessPdfs();
    expect(harmless.length).toBeGreaterThan(300);
    const wrong = harmless.flatMap(({ name, file }) => {
      const answer = found(file);
      return answer ? [{ name, answer }] : [];
    });
    expect(wrong).toEqual([]);
  });
});
