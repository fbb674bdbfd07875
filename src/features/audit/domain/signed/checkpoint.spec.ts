import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseCheckpoint, signCheckpoint, type Checkpoint } from './checkpoint.js';
import {
  isSignedBy,
  parseNote,
  createSigner,
  signNote,
  parseVerifierKey,
  formatVerifierKey,
} from './signed-note.js';

const seed = Buffer.alloc(32, 7);
const signer = createSigner('vigia/sandbox', seed);
const checkpoint: Checkpoint = {
  origin: 'vigia/sandbox/t/0192f0c0-0000-7000-8000-000000000001/i/1',
  size: 3,
  root: Buffer.alloc(32, 1),
  extensions: ['time 2026-11-20T12:00:00.000Z'],
};

describe('a verifier key', () => {
  it('is the published example of the signed-note specification', () => {
    // https://c2sp.org/signed-note: the key of the Go project's own test suite.
    const vkey = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
    const verifier = parseVerifierKey(vkey);
    expect(verifier?.name).toBe('PeterNeumann');
    expect(verifier && formatVerifierKey(verifier)).toBe(vkey);
    const note = parseNote(
      'If you think cryptography is the answer to your problem,\n' +
        "then you don't know what your problem is.\n\n" +
        '\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n',
    );
    expect(note && verifier && isSignedBy(note, verifier)).toBe(true);
  });

  it('survives the way out and back, and is refused when its hash is not its own', () => {
    const vkey = formatVerifierKey(signer);
    const verifier = parseVerifierKey(vkey);
    expect(verifier && formatVerifierKey(verifier)).toBe(vkey);
    const [name = '', id = '', key = ''] = vkey.split('+');
    expect(parseVerifierKey(`${name}+${id.replace(/^./, (c) => (c === '0' ? '1' : '0'))}+${key}`)).toBeNull();
    expect(parseVerifierKey(`other+${id}+${key}`)).toBeNull();
    expect(parseVerifierKey('nonsense')).toBeNull();
  });
});

describe('a signed checkpoint', () => {
  it('comes back as it was, signed by its key and by no other', () => {
    const parsed = parseCheckpoint(signCheckpoint(checkpoint, [signer]));
    expect(parsed?.checkpoint).toEqual(checkpoint);
    expect(parsed && isSignedBy(parsed.note, signer)).toBe(true);
    expect(parsed && isSignedBy(parsed.note, createSigner('vigia/sandbox', randomBytes(32)))).toBe(false);
  });

  it('can carry the signatures of two keys, as in a rotation', () => {
    const next = createSigner('vigia/sandbox', randomBytes(32));
    const parsed = parseCheckpoint(signCheckpoint(checkpoint, [signer, next]));
    expect(parsed && [isSignedBy(parsed.note, signer), isSignedBy(parsed.note, next)]).toEqual([true, true]);
  });

  it('is another checkpoint, or none, after any byte was changed', () => {
    const whole = Buffer.from(signCheckpoint(checkpoint, [signer]));
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const changed = Buffer.from(whole);
        changed.writeUInt8(changed.readUInt8(at) ^ flip, at);
        const parsed = parseCheckpoint(changed.toString('utf8'));
        expect(parsed !== null && isSignedBy(parsed.note, signer)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is refused with a size that is no plain number, a short root or an empty line', () => {
    const lines = ['origin', '3', checkpoint.root.toString('base64')];
    const variants = [
      ['origin', '03', lines[2]],
      ['origin', '-1', lines[2]],
      ['origin', '9'.repeat(17), lines[2]],
      ['origin', '3', 'AAAA'],
      ['', '3', lines[2]],
    ];
    for (const variant of variants) {
      expect(parseCheckpoint(signNote(`${variant.join('\n')}\n`, [signer]))).toBeNull();
    }
    expect(parseCheckpoint(signNote(`${lines.join('\n')}\n`, [signer]))).not.toBeNull();
    expect(() => signNote('a\n\nb\n', [signer])).toThrow('no empty line');
  });
});
