import { describe, expect, it } from '@jest/globals';
import { SealBrokenError, Vault, type BlindIndex } from '../../../platform/privacy/index.js';
import { EntryCodec } from './entry-codec.js';

describe('a stored entry of a list', () => {
  const index = {} as BlindIndex;
  const keys = { findByKeyId: () => Promise.resolve(new Map()) };
  const codec = new EntryCodec(new Vault(keys as never, index), index);
  const row = { id: '019364d0-c0de-7000-a000-000000000001', key: 'k', hash: Buffer.alloc(32) };

  it('that has lost its content is refused, not read as an empty one', async () => {
    await expect(codec.decodeContents('org', [{ ...row, content: null, sealed: null }])).rejects.toThrow(
      'lost its content',
    );
    const emptied = codec.decodeContents('org', [{ ...row, content: null, sealed: Buffer.alloc(0) }]);
    await expect(emptied).rejects.toThrow(SealBrokenError);
  });
});
