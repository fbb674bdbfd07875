import { randomBytes, verify } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { required } from '../../../../platform/kernel/index.js';
import { parseCheckpoint, signCheckpoint, type Checkpoint } from './checkpoint.js';
import { appendLeaves, consistencyRanges, EMPTY_FRONTIER, rootOf } from '../merkle.js';
import { parseNote, createSigner } from './signed-note.js';
import { cosignatureLine, pinnedCheckpoint, witnessCheckpoint, type AcceptedCheckpoint } from './witness.js';

const leaves = Array.from({ length: 40 }, () => randomBytes(32));
const rootAt = (size: number, of = leaves): Buffer => rootOf(appendLeaves(EMPTY_FRONTIER, of.slice(0, size)));
const at = (size: number, of = leaves): Checkpoint => ({
  ...{ origin: 'log/t/1/i/1', size, root: rootAt(size, of), extensions: ['time 2026-11-20T12:00:00.000Z'] },
});
const proof = (from: number, to: number): Buffer[] =>
  consistencyRanges(from, to).map(({ start, length }) =>
    rootOf(appendLeaves(EMPTY_FRONTIER, leaves.slice(start, start + length))),
  );
const known = (size: number): AcceptedCheckpoint => ({
  ...{ origin: 'log/t/1/i/1', size, root: rootAt(size).toString('base64') },
});

describe('a witness', () => {
  it('takes the first checkpoint that it sees, and every one that goes on from what it knows', () => {
    expect(witnessCheckpoint(null, at(7), [])).toMatchObject({ kind: 'ACCEPTED', isFirst: true });
    for (let from = 0; from <= 40; from += 1) {
      for (let to = from; to <= 40; to += 7) {
        expect(witnessCheckpoint(known(from), at(to), proof(from, to)).kind).toBe('ACCEPTED');
      }
    }
  });

  it('refuses a log that was shortened, rewritten, or is another one', () => {
    expect(witnessCheckpoint(known(9), at(8), [])).toMatchObject({
      kind: 'REFUSED',
      why: expect.stringMatching('shortened'),
    });
    const rewritten = leaves.map((leaf, i) => (i === 3 ? randomBytes(32) : leaf));
    expect(witnessCheckpoint(known(9), at(9, rewritten), []).kind).toBe('REFUSED');
    expect(witnessCheckpoint(known(9), at(20, rewritten), proof(9, 20)).kind).toBe('REFUSED');
    expect(witnessCheckpoint(known(9), at(20), []).kind).toBe('REFUSED');
    expect(witnessCheckpoint({ ...known(9), origin: 'log/t/1/i/2' }, at(20), proof(9, 20)).kind).toBe(
      'REFUSED',
    );
  });

  it('believes only pinned keys', () => {
    const [own, thief] = [createSigner('log', randomBytes(32)), createSigner('log', randomBytes(32))];
    expect(pinnedCheckpoint(signCheckpoint(at(5), [own]), [own])?.size).toBe(5);
    expect(pinnedCheckpoint(signCheckpoint(at(5), [thief]), [own])).toBeNull();
    expect(pinnedCheckpoint('nothing', [own])).toBeNull();
  });

  it('adds a line to the note that says when it has seen it', () => {
    const [own, watcher] = [createSigner('log', randomBytes(32)), createSigner('witness', randomBytes(32))];
    const note = signCheckpoint(at(5), [own]);
    const text = parseNote(note)?.text ?? '';
    const cosigned = note + cosignatureLine(text, watcher, 1_763_640_000);
    const [, line] = parseCheckpoint(cosigned)?.note.signatures ?? [];
    const time = line?.signature.readBigUInt64BE(0) ?? 0n;
    const message = Buffer.from(`cosignature/v1\ntime ${time}\n${text}`);
    expect(time).toBe(1_763_640_000n);
    const signature = required(line, 'the line of the witness').signature.subarray(8);
    expect(verify(null, message, watcher.publicKey, signature)).toBe(true);
  });
});
