import { describe, expect, it } from '@jest/globals';
import { checkDuplicates, type SentFile } from './artifact-findings.js';

const files = (...kinds: readonly [SentFile['kind'], string][]): SentFile[] =>
  kinds.map(([kind, sha256]) => ({ kind, sha256 }));

describe('DUPLICATE_ARTIFACT', () => {
  it.each([
    ['no file at all', files(), 0, 'MISSING_INPUT NO_FILE'],
    ['files of this person alone', files(['DOCUMENT', 'a'], ['SELFIE', 'b']), 0, 'NO_HIT null'],
    [
      'one file with both sides',
      files(['DOCUMENT', 'a'], ['DOCUMENT', 'a'], ['SELFIE', 'b']),
      0,
      'NO_HIT null',
    ],
    ['two selfies', files(['SELFIE', 'b'], ['SELFIE', 'b']), 0, 'NO_HIT null'],
    ['a document as selfie', files(['DOCUMENT', 'a'], ['SELFIE', 'a']), 0, 'HIT SELFIE_IS_ANOTHER_FILE'],
    ['a file of somebody else', files(['DOCUMENT', 'a']), 1, 'HIT SAME_FILE_OF_ANOTHER_CUSTOMER'],
  ])('%s', (_what, sent, ofOthers, expected) => {
    const { state, reason } = checkDuplicates(sent, ofOthers);
    expect(`${state} ${reason}`).toBe(expected);
  });
});
