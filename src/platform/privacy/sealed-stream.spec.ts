import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SealBrokenError, type DataKey } from './sealed.js';
import { openStream, SEGMENT, sealedLength, sealStream, streamKeyId } from './sealed-stream.js';

const aKey = (): DataKey => ({ id: randomUUID(), bytes: randomBytes(32) });
const CONTEXT = 'artifacts|row-1|organisation-1|original';
const HEADER = 56;
const WHOLE = SEGMENT + 16;

async function* chunked(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function whole(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const sealed = (plain: Buffer, key: DataKey, size = 10_000): Promise<Buffer> =>
  whole(sealStream(chunked(plain, size), key, CONTEXT));
const opened = (bytes: Buffer, key: DataKey, context = CONTEXT, size = 7_777): Promise<Buffer> =>
  whole(openStream(chunked(bytes, size), (id) => Promise.resolve(id === key.id ? key : null), context));

describe('a sealed stream', () => {
  it('opens to what was sealed, in whatever chunks both came', async () => {
    const key = aKey();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 3 * SEGMENT }),
        fc.integer({ min: 100, max: 200_000 }),
        fc.integer({ min: 100, max: 200_000 }),
        async (length, writes, reads) => {
          const plain = randomBytes(length);
          const bytes = await sealed(plain, key, writes);
          expect(bytes).toHaveLength(sealedLength(length));
          expect((await opened(bytes, key, CONTEXT, reads)).equals(plain)).toBe(true);
        },
      ),
      { numRuns: 40 },
    );
  });

  it.each([0, 1, SEGMENT - 1, SEGMENT, SEGMENT + 1, 2 * SEGMENT])(
    'holds exactly %d bytes',
    async (length) => {
      const key = aKey();
      const plain = randomBytes(length);
      expect((await opened(await sealed(plain, key), key)).equals(plain)).toBe(true);
    },
  );

  it('names its key and is another one each time', async () => {
    const key = aKey();
    const [a, b] = [await sealed(Buffer.alloc(100), key), await sealed(Buffer.alloc(100), key)];
    expect(streamKeyId(a)).toBe(key.id);
    expect(a.subarray(HEADER).equals(b.subarray(HEADER))).toBe(false);
  });

  it('does not open when cut off, also where a segment ends', async () => {
    const key = aKey();
    const bytes = await sealed(randomBytes(3 * SEGMENT), key);
    for (const length of [
      0,
      1,
      HEADER - 1,
      HEADER,
      HEADER + 15,
      HEADER + WHOLE,
      HEADER + 2 * WHOLE,
      bytes.length - 1,
    ]) {
      await expect(opened(bytes.subarray(0, length), key)).rejects.toThrow(SealBrokenError);
    }
  });

  it('does not open with segments in another order, twice, or of another stream', async () => {
    const key = aKey();
    const bytes = await sealed(randomBytes(3 * SEGMENT), key);
    const other = await sealed(randomBytes(3 * SEGMENT), key);
    const segment = (from: Buffer, i: number): Buffer =>
      from.subarray(HEADER + i * WHOLE, HEADER + (i + 1) * WHOLE);
    const head = bytes.subarray(0, HEADER);
    for (const order of [
      [segment(bytes, 1), segment(bytes, 0), segment(bytes, 2)],
      [segment(bytes, 0), segment(bytes, 0), segment(bytes, 1), segment(bytes, 2)],
      [segment(bytes, 0), segment(bytes, 2)],
      [segment(bytes, 0), segment(other, 1), segment(bytes, 2)],
    ]) {
      await expect(opened(Buffer.concat([head, ...order]), key)).rejects.toThrow(SealBrokenError);
    }
  });

  it('does not open when any byte was changed, in another place, or with another key', async () => {
    const key = aKey();
    const bytes = await sealed(randomBytes(300), key);
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1 << (at % 8);
      await expect(opened(changed, key)).rejects.toThrow(SealBrokenError);
    }
    await expect(opened(bytes, key, 'artifacts|row-2|organisation-1|original')).rejects.toThrow(
      SealBrokenError,
    );
    await expect(opened(bytes, { ...key, bytes: randomBytes(32) })).rejects.toThrow(SealBrokenError);
  });
});
