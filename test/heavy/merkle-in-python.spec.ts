import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import {
  appendLeaves,
  consistencyRanges,
  EMPTY_FRONTIER,
  inclusionRanges,
  rootOf,
  type LeafRange,
} from '../../src/features/audit/domain/merkle.js';
import { needs } from '../support/needs.js';

const LEAVES = Array.from({ length: 300 }, (_, i) =>
  createHash('sha256')
    .update(Buffer.from([0]))
    .update(`leaf ${i}`)
    .digest(),
);
const known = new Map<string, Buffer>();
function subtree({ start, length }: LeafRange): Buffer {
  const name = `${start}+${length}`;
  const root = known.get(name) ?? rootOf(appendLeaves(EMPTY_FRONTIER, LEAVES.slice(start, start + length)));
  known.set(name, root);
  return root;
}
const treeOf = (size: number): { root: Buffer } => ({ root: subtree({ start: 0, length: size }) });
const hex = (buffer: Buffer): string => buffer.toString('hex');

// The verifier that auditors get, in another language: it must accept every proof that is made here, and no other root.

const PYTHON = `
import base64, json, sys
sys.path.insert(0, sys.argv[1])
from verify import Tree, is_consistent, leaf_hash, root_of_path
leaves = [leaf_hash(("leaf %d" % i).encode()) for i in range(300)]
roots, tree = [], Tree()
for leaf in [None] + leaves:
    if leaf is not None: tree.add(leaf)
    roots.append(tree.root())
plain = lambda path: [base64.b64decode(node) for node in path]
for line in sys.stdin:
    proof = json.loads(line)
    if "index" in proof:
        index, size = proof["index"], proof["size"]
        assert root_of_path(index, size, leaves[index], plain(proof["path"])) == roots[size], line
    else:
        sizes = [{"size": size, "root": roots[size]} for size in (proof["from"], proof["to"])]
        assert is_consistent(*sizes, plain(proof["path"])), line
        if proof["from"] and proof["path"]:
            assert not is_consistent({**sizes[0], "root": roots[proof["from"] - 1]}, sizes[1], plain(proof["path"])), line
print(" ".join(root.hex() for root in roots))
`;

needs('python3').it(
  'the verifier in Python agrees about every tree, leaf and pair of sizes up to 300',
  () => {
    const base64 = (nodes: readonly Buffer[]): string[] => nodes.map((node) => node.toString('base64'));
    const lines: string[] = [];
    for (let size = 1; size <= 300; size += 1) {
      for (let index = 0; index < size; index += 1) {
        const path = inclusionRanges(index, size).map(subtree);
        lines.push(JSON.stringify({ index, size, path: base64(path) }));
      }
    }
    for (let to = 0; to <= 300; to += 1) {
      for (let from = 0; from <= to; from += 1) {
        lines.push(JSON.stringify({ from, to, path: base64(consistencyRanges(from, to).map(subtree)) }));
      }
    }
    const folder = fileURLToPath(new URL('../../src/features/audit/verify', import.meta.url));
    const python = spawnSync('python3', ['-B', '-c', PYTHON, folder], {
      input: `${lines.join('\n')}\n`,
      encoding: 'utf8',
    });
    expect(python.stderr).toBe('');
    const roots = Array.from({ length: 301 }, (_, size) => hex(treeOf(size).root));
    expect(python.stdout.trim().split(' ')).toEqual(roots);
  },
  60_000,
);
