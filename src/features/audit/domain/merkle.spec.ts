import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  appendLeaves,
  consistencyRanges,
  EMPTY_FRONTIER,
  EMPTY_ROOT,
  inclusionRanges,
  isConsistent,
  rootFromInclusion,
  rootOf,
  type LeafRange,
} from './merkle.js';
import { runsInPart } from '../../../../test/support/needs.js';

const sha256 = (...parts: Buffer[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();
const leafOf = (data: Buffer): Buffer => sha256(Buffer.from([0]), data);
const hex = (buffer: Buffer): string => buffer.toString('hex');

/** The definition of RFC 6962, 2.1, word for word: slow, and written without looking at the code under test. */
function definition(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return sha256();
  const [only] = leaves;
  if (leaves.length === 1 && only) return only;
  const k = 2 ** Math.floor(Math.log2(leaves.length - 1));
  return sha256(Buffer.from([1]), definition(leaves.slice(0, k)), definition(leaves.slice(k)));
}

const numbered = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, i) => leafOf(Buffer.from(`leaf ${i}`)));

const memo = new Map<string, Buffer>();
const LEAVES = numbered(300);
/** The largest tree of which every one is tried. */
const LARGEST = Math.max(70, runsInPart(LEAVES.length));
function subtree({ start, length }: LeafRange): Buffer {
  const name = `${start}+${length}`;
  const known = memo.get(name);
  if (known) return known;
  const root = definition(LEAVES.slice(start, start + length));
  memo.set(name, root);
  return root;
}
const treeOf = (size: number): { size: number; root: Buffer } => ({
  size,
  root: subtree({ start: 0, length: size }),
});

describe('published vectors of RFC 6962 trees', () => {
  // The inputs and roots that the reference implementation of Certificate Transparency tests with.
  const inputs = [
    '',
    '00',
    '10',
    '2021',
    '3031',
    '40414243',
    '5051525354555657',
    '606162636465666768696a6b6c6d6e6f',
  ];
  const roots = [
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ];

  it('has the roots of the first eight trees', () => {
    const leaves = inputs.map((input) => leafOf(Buffer.from(input, 'hex')));
    expect(roots.map((_, i) => hex(rootOf(appendLeaves(EMPTY_FRONTIER, leaves.slice(0, i + 1)))))).toEqual(
      roots,
    );
  });

  it('begins with the hash of nothing', () => {
    expect(hex(rootOf(EMPTY_FRONTIER))).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
    expect(EMPTY_ROOT).toEqual(rootOf(EMPTY_FRONTIER));
  });
});

describe('a frontier', () => {
  it(`has the root of the definition at every size up to ${LARGEST}, however the leaves come`, () => {
    let one = EMPTY_FRONTIER;
    for (let size = 0; size <= LARGEST; size += 1) {
      expect(hex(rootOf(one))).toBe(hex(treeOf(size).root));
      expect(
        hex(
          rootOf(
            appendLeaves(
              appendLeaves(EMPTY_FRONTIER, LEAVES.slice(0, size / 3)),
              LEAVES.slice(size / 3, size),
            ),
          ),
        ),
      ).toBe(hex(treeOf(size).root));
      one = appendLeaves(one, LEAVES.slice(size, size + 1));
    }
  });

  it('refuses roots that do not belong to its size', () => {
    expect(() => appendLeaves({ size: 3, roots: [EMPTY_ROOT] }, LEAVES.slice(0, 1))).toThrow(
      'one root per bit',
    );
  });
});

describe('inclusion', () => {
  it(`is proved for every leaf of every tree up to ${LARGEST}`, () => {
    for (let size = 1; size <= LARGEST; size += 1) {
      for (let index = 0; index < size; index += 1) {
        const path = inclusionRanges(index, size).map(subtree);
        const root = rootFromInclusion(index, size, LEAVES[index] ?? EMPTY_ROOT, path);
        if (!root?.equals(treeOf(size).root)) throw new Error(`leaf ${index} of ${size}`);
      }
    }
  });

  it('is not proved for another leaf, another place, a shortened or a lengthened path', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 300 }), fc.nat(), fc.nat(), (size, a, b) => {
        const index = a % size;
        const other = b % size;
        fc.pre(index !== other);
        const path = inclusionRanges(index, size).map(subtree);
        const leaf = LEAVES[index] ?? EMPTY_ROOT;
        const wrong = [
          rootFromInclusion(index, size, LEAVES[other] ?? EMPTY_ROOT, path),
          rootFromInclusion(other, size, leaf, path),
          rootFromInclusion(index, size, leaf, path.slice(1)),
          rootFromInclusion(index, size, leaf, [...path, EMPTY_ROOT]),
        ];
        expect(wrong.filter((root) => root?.equals(treeOf(size).root))).toEqual([]);
      }),
    );
  });
});

describe('consistency', () => {
  it(`is proved for every pair of sizes up to ${LARGEST}`, () => {
    for (let to = 0; to <= LARGEST; to += 1) {
      for (let from = 0; from <= to; from += 1) {
        const proof = consistencyRanges(from, to).map(subtree);
        if (!isConsistent(treeOf(from), treeOf(to), proof)) throw new Error(`${from} of ${to}`);
      }
    }
  });

  it('is not proved when any hash, either size or the length of the proof is another', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 299 }),
        fc.integer({ min: 1, max: 300 }),
        fc.nat(),
        (a, b, at) => {
          fc.pre(a < b);
          const proof = consistencyRanges(a, b).map(subtree);
          const flipped = proof.map((node, i) => (i === at % proof.length ? sha256(node) : node));
          expect(isConsistent(treeOf(a), treeOf(b), flipped)).toBe(false);
          expect(isConsistent({ size: a, root: sha256(treeOf(a).root) }, treeOf(b), proof)).toBe(false);
          expect(isConsistent(treeOf(a), { size: b, root: sha256(treeOf(b).root) }, proof)).toBe(false);
          expect(isConsistent(treeOf(a), treeOf(b), [...proof, EMPTY_ROOT])).toBe(false);
          expect(isConsistent(treeOf(a), treeOf(b), proof.slice(1))).toBe(false);
          expect(isConsistent(treeOf(b), treeOf(a), proof)).toBe(false);
        },
      ),
    );
  });
});
