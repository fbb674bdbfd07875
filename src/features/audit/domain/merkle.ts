import { sha256 } from '../../../platform/kernel/values/digest.js';

/**
 * The Merkle tree of RFC 6962 (section 2.1): leaves are hashed with the prefix 0x00, nodes with 0x01, and the left
 * subtree of n leaves holds the largest power of two below n. Pure; sizes and indices are safe integers.
 */

const NODE_PREFIX = Buffer.from([1]);

/** Root of the tree without leaves: SHA-256 of nothing. */
export const EMPTY_ROOT: Buffer = sha256('');

export const nodeHash = (left: Buffer, right: Buffer): Buffer =>
  sha256(Buffer.concat([NODE_PREFIX, left, right]));

/**
 * The roots of the perfect subtrees that a tree of `size` leaves consists of, the largest first: one per bit that is
 * set in `size`. Enough to append leaves and to know the root, without any leaf.
 */
export interface Frontier {
  readonly size: number;
  readonly roots: readonly Buffer[];
}

export const EMPTY_FRONTIER: Frontier = { size: 0, roots: [] };

/** The root of a perfect subtree with 2^level leaves; `index` counts such subtrees from the left. */
export interface TreeNode {
  readonly level: number;
  readonly index: number;
  readonly hash: Buffer;
}

/** Appends leaf hashes; calls `completed` for each perfect subtree that they complete. */
export function appendLeaves(
  frontier: Frontier,
  leafHashes: readonly Buffer[],
  completed?: (node: TreeNode) => void,
): Frontier {
  if (frontier.roots.length !== countOnes(frontier.size)) {
    throw new Error('a frontier has one root per bit of its size');
  }
  const roots = [...frontier.roots];
  let size = frontier.size;
  for (const leaf of leafHashes) {
    let node = leaf;
    // Each bit that the increment clears is a pair of equal subtrees that become one.
    let level = 0;
    for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2) {
      const leftRoot = roots.pop();
      if (!leftRoot) throw new Error('a frontier has one root per bit of its size');
      node = nodeHash(leftRoot, node);
      level += 1;
      completed?.({ level, index: (rest - 1) / 2, hash: node });
    }
    roots.push(node);
    size += 1;
  }
  return { size, roots };
}

export function rootOf({ roots }: Frontier): Buffer {
  const last = roots.at(-1);
  if (!last) return EMPTY_ROOT;
  return roots.slice(0, -1).reduceRight((right, left) => nodeHash(left, right), last);
}

/** Consecutive leaves: `length` leaves from index `start`. */
export interface LeafRange {
  readonly start: number;
  readonly length: number;
}

/**
 * Returns the subtrees whose roots are the inclusion path of leaf `index` in a tree of `size` leaves, from the leaf
 * upwards (RFC 6962, 2.1.1). A caller then loads only the hashes that the path needs.
 */
export function inclusionRanges(index: number, size: number): LeafRange[] {
  if (!(index >= 0 && index < size)) throw new RangeError('the leaf is not in the tree');
  const path: LeafRange[] = [];
  let start = 0;
  let length = size;
  while (length > 1) {
    const remaining = splitOf(length);
    if (index < start + remaining) {
      path.push({ start: start + remaining, length: length - remaining });
      length = remaining;
    } else {
      path.push({ start, length: remaining });
      start += remaining;
      length -= remaining;
    }
  }
  return path.reverse();
}

/** Returns the subtrees whose roots are the consistency proof between the trees of two sizes (RFC 6962, 2.1.2). */
export function consistencyRanges(from: number, to: number): LeafRange[] {
  if (!(from >= 0 && from <= to)) throw new RangeError('the earlier tree must not be larger');
  if (from === 0 || from === to) return [];
  const proof: LeafRange[] = [];
  let start = 0;
  let length = to;
  let position = from;
  // True while the subtree is the whole earlier tree, whose root the verifier knows.
  let whole = true;
  while (position !== length) {
    const remaining = splitOf(length);
    if (position <= remaining) {
      proof.push({ start: start + remaining, length: length - remaining });
      length = remaining;
    } else {
      proof.push({ start, length: remaining });
      start += remaining;
      length -= remaining;
      position -= remaining;
      whole = false;
    }
  }
  if (!whole) proof.push({ start, length });
  return proof.reverse();
}

/** Computes the root from an inclusion path; null if the path has the wrong length. RFC 9162, 2.1.3.2. */
export function rootFromInclusion(
  index: number,
  size: number,
  leafHash: Buffer,
  path: readonly Buffer[],
): Buffer | null {
  if (!(index >= 0 && index < size)) return null;
  let position = index;
  let last = size - 1;
  let root = leafHash;
  for (const sibling of path) {
    if (last === 0) return null;
    if (position % 2 === 1 || position === last) {
      root = nodeHash(sibling, root);
      while (position % 2 === 0 && position !== 0) {
        position = half(position);
        last = half(last);
      }
    } else {
      root = nodeHash(root, sibling);
    }
    position = half(position);
    last = half(last);
  }
  return last === 0 ? root : null;
}

/** True when the tree of `to` leaves begins with the tree of `from` leaves. RFC 9162, 2.1.4.2. */
export function isConsistent(
  from: { readonly size: number; readonly root: Buffer },
  to: { readonly size: number; readonly root: Buffer },
  proof: readonly Buffer[],
): boolean {
  if (from.size > to.size) return false;
  if (from.size === to.size) return proof.length === 0 && from.root.equals(to.root);
  if (from.size === 0) return proof.length === 0 && from.root.equals(EMPTY_ROOT);
  const path = isPowerOfTwo(from.size) ? [from.root, ...proof] : [...proof];
  const first = path.shift();
  if (!first) return false;
  let position = from.size - 1;
  let last = to.size - 1;
  while (position % 2 === 1) {
    position = half(position);
    last = half(last);
  }
  let earlier = first;
  let later = first;
  for (const node of path) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      earlier = nodeHash(node, earlier);
      later = nodeHash(node, later);
      while (position % 2 === 0 && position !== 0) {
        position = half(position);
        last = half(last);
      }
    } else {
      later = nodeHash(later, node);
    }
    position = half(position);
    last = half(last);
  }
  return last === 0 && earlier.equals(from.root) && later.equals(to.root);
}

/** Returns the largest power of two below `length`, which is at least 2. Bit operators would overflow at 2^31. */
function splitOf(length: number): number {
  let split = 1;
  while (split * 2 < length) split *= 2;
  return split;
}

const half = (value: number): number => Math.floor(value / 2);

function countOnes(value: number): number {
  let count = 0;
  for (let rest = value; rest > 0; rest = half(rest)) count += rest % 2;
  return count;
}

const isPowerOfTwo = (value: number): boolean => countOnes(value) === 1;
