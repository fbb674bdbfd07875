import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/database/index.js';
import type { AuditSubject } from '../domain/entry.js';
import { consistencyRanges, inclusionRanges, nodeHash, type LeafRange } from '../domain/merkle.js';
import { AuditLeafEntity } from '../store/entities.js';
import { leafHashes, nodeHashes, type SubtreeRange } from '../store/proof.statements.js';

// Roots of perfect subtrees are stored for every eighth level: 256, 65,536 … leaves.
const LEVELS = 8;

/** Makes proofs from the stored leaves and nodes of a log. */
@Injectable()
export class LogProofBuilder {
  constructor(private readonly uow: UnitOfWork) {}

  /** Returns the leaf of an entry; null if the entry is not sealed yet. */
  async findLeaf(
    { organisationId, type, id }: AuditSubject,
    subjectSeq: number,
  ): Promise<{ readonly index: number; readonly hash: Buffer } | null> {
    const leaf = await this.uow.read(organisationId, (db) =>
      db.findOneBy(AuditLeafEntity, { organisationId, subjectType: type, subjectId: id, subjectSeq }),
    );
    return leaf && { index: Number(leaf.leafIndex), hash: leaf.hash };
  }

  /** Returns the inclusion path of a leaf in the tree of the first `size` leaves. */
  proveInclusion(organisationId: string, index: number, size: number): Promise<Buffer[]> {
    return this.readRoots(organisationId, inclusionRanges(index, size));
  }

  /** Returns the inclusion proofs of many leaves with one query, like `proveInclusion`. */
  async proveInclusions(
    organisationId: string,
    indices: readonly number[],
    size: number,
  ): Promise<Buffer[][]> {
    const ranges = indices.map((index) => inclusionRanges(index, size));
    const roots = await this.readRoots(organisationId, ranges.flat());
    let at = 0;
    return ranges.map(({ length }) => roots.slice(at, (at += length)));
  }

  /** Returns the proof that the tree of `to` leaves begins with the tree of `from` leaves. */
  proveConsistency(organisationId: string, from: number, to: number): Promise<Buffer[]> {
    return this.readRoots(organisationId, consistencyRanges(from, to));
  }

  /**
   * Computes the roots of subtrees from as few stored hashes as possible. Throws LogIncompleteError if one is missing.
   */
  async readRoots(organisationId: string, ranges: readonly LeafRange[]): Promise<Buffer[]> {
    // Paths of neighbouring leaves share most of their nodes. Each node is read and hashed once.
    const distinct = new Map(ranges.map((range) => [nameOf(range), range]));
    const all = [...distinct.values()].flatMap((range) => partsOf(range));
    const runs = mergeRuns(all.filter((part) => part.level === 0));
    const subtrees = all.filter((part) => part.level > 0);
    const [leaves, nodes] = await Promise.all([
      this.uow.read(organisationId, (db) => leafHashes(db, organisationId, runs)),
      this.uow.read(organisationId, (db) => nodeHashes(db, organisationId, subtrees)),
    ]);
    const hashes = { leaves, nodes, known: new Map<string, Buffer>() };
    return ranges.map((range) => rootOver(range, hashes));
  }
}

interface StoredHashes {
  readonly leaves: ReadonlyMap<number, Buffer>;
  readonly nodes: ReadonlyMap<string, Buffer>;
  /** Cache of computed roots, by range. */
  readonly known: Map<string, Buffer>;
}

const nameOf = ({ start, length }: LeafRange): string => `${start}+${length}`;

/** Merges runs of leaves so that they do not overlap. */
function mergeRuns(runs: readonly LeafRange[]): LeafRange[] {
  const joined: { start: number; length: number }[] = [];
  for (const { start, length } of runs.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last && start <= last.start + last.length) {
      last.length = Math.max(last.length, start + length - last.start);
    } else joined.push({ start, length });
  }
  return joined;
}

/** Returns the level at which a range is one stored node; 0 if its root must be computed from smaller parts. */
function storedLevel({ start, length }: LeafRange): number {
  for (let level = LEVELS, width = 2 ** LEVELS; width <= length; level += LEVELS, width *= 2 ** LEVELS) {
    if (width === length && start % width === 0) return level;
  }
  return 0;
}

/** Splits a range into the stored nodes and runs of leaves from which its root is computed. */
function partsOf(range: LeafRange): SubtreeRange[] {
  const level = storedLevel(range);
  if (level > 0 || range.length < 2 ** LEVELS) return [{ ...range, level }];
  const { left, right } = halves(range);
  return [...partsOf(left), ...partsOf(right)];
}

function rootOver(range: LeafRange, stored: StoredHashes): Buffer {
  const level = storedLevel(range);
  const hash =
    level > 0
      ? stored.nodes.get(`${level}/${range.start / 2 ** level}`)
      : range.length === 1
        ? stored.leaves.get(range.start)
        : undefined;
  if (hash) return hash;
  if (level > 0 || range.length === 1) throw new LogIncompleteError();
  const storedRoot = stored.known.get(nameOf(range));
  if (storedRoot) return storedRoot;
  const { left, right } = halves(range);
  const root = nodeHash(rootOver(left, stored), rootOver(right, stored));
  stored.known.set(nameOf(range), root);
  return root;
}

function halves({ start, length }: LeafRange): { left: LeafRange; right: LeafRange } {
  let split = 1;
  while (split * 2 < length) split *= 2;
  return { left: { start, length: split }, right: { start: start + split, length: length - split } };
}

/** Thrown when leaves or nodes that a signed checkpoint covers are missing. */
export class LogIncompleteError extends Error {
  constructor() {
    super('The audit log lacks leaves that a checkpoint covers.');
    this.name = 'LogIncomplete';
  }
}
