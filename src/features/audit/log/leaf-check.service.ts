import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/database/index.js';
import { appendLeaves, EMPTY_FRONTIER, rootOf } from '../domain/merkle.js';
import { LogQueries, type CurrentLog } from '../store/log.queries.js';
import { leafHashes, nodeHashes } from '../store/proof.statements.js';
import { LogCheck, type LogCheckFault } from '../watch/log-checks.js';
import { LogIncompleteError, LogProofBuilder } from './log-proof-builder.js';

/** Number of leaves, or nodes, under a stored node. */
const WIDTH = 256;
const LEVELS = 8;
const ROOT = 'root';

/** Names the stored node over a leaf. */
export const leafNodeName = (index: number): string => `1/${Math.floor(index / WIDTH)}`;

/**
 * Counts and hashes the leaves of a log, 256 by 256, and the nodes above them. Without this check nobody would notice
 * leaves that were deleted together with all entries and rows of their subjects.
 */
@Injectable()
export class LeafCheckService {
  /** The next group of 256 leaves to check, by organisation: the index of its first leaf divided by WIDTH. */
  private readonly nextGroups = new Map<string, number>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly queries: LogQueries,
    private readonly proofs: LogProofBuilder,
  ) {}

  /** Checks the places, by default the next ones. A place is the name of a stored node (`height/index`) or `root`. */
  @LogCheck('leaves')
  async checkLeaves(
    organisationId: string,
    places: readonly string[] | null,
  ): Promise<readonly LogCheckFault[]> {
    const log = await this.queries.findCurrentLog(organisationId);
    // A rolled back log is already stopped and reported.
    if (!log || log.rolledBack || log.size === 0) return [];
    const faults: LogCheckFault[] = [];
    for (const place of places ?? this.takeNextNodes(organisationId, log.size)) {
      const fault = await this.faultAt(organisationId, log, place);
      if (fault) faults.push(fault);
    }
    return faults;
  }

  /** Returns the nodes to check next: the node above the next leaves, higher nodes that start there, and the root. */
  private takeNextNodes(organisationId: string, size: number): string[] {
    const firstNode = this.nextGroups.get(organisationId) ?? 0;
    const run = firstNode * WIDTH < size ? firstNode : 0;
    this.nextGroups.set(organisationId, run + 1);
    const places = [`1/${run}`, ROOT];
    for (let height = 2; run % WIDTH ** (height - 1) === 0 && WIDTH ** height <= size; height += 1) {
      places.push(`${height}/${run / WIDTH ** (height - 1)}`);
    }
    return places;
  }

  private async faultAt(
    organisationId: string,
    log: CurrentLog,
    place: string,
  ): Promise<LogCheckFault | null> {
    if (place === ROOT) {
      if (await this.hasSignedRoot(organisationId, log)) return null;
      return { place, kind: 'TAMPERED', detail: 'what the log holds does not give the signed root' };
    }
    const [height = 1, index = 0] = place.split('/').map(Number);
    const width = WIDTH ** height;
    const start = index * width;
    const end = Math.min(start + width, log.size);
    if (start >= end || (await this.isNodeIntact(organisationId, { height, start, end }))) return null;
    const what = height === 1 ? 'the leaves' : 'the nodes over the leaves';
    return { place, kind: 'TAMPERED', detail: `${what} ${start} to ${end - 1} are not what was signed` };
  }

  /** True if all children of a node exist and, if the node is full, hash to its value. */
  private async isNodeIntact(
    organisationId: string,
    { height, start, end }: { readonly height: number; readonly start: number; readonly end: number },
  ): Promise<boolean> {
    const below = (height - 1) * LEVELS;
    const step = 2 ** below;
    const count = Math.floor((end - start) / step);
    const parts = Array.from({ length: count }, (_, i) => ({
      ...{ level: below, start: start + i * step },
      length: step,
    }));
    const level = height * LEVELS;
    const node = { level, start, length: 2 ** level };
    const { leaves, nodes } = await this.uow.read(organisationId, async (db) => ({
      leaves: await leafHashes(db, organisationId, below === 0 ? [{ start, length: count }] : []),
      nodes: await nodeHashes(db, organisationId, [...(below === 0 ? [] : parts), node]),
    }));
    const hashes = parts.flatMap(
      (part) => (below === 0 ? leaves.get(part.start) : nodes.get(`${below}/${part.start / step}`)) ?? [],
    );
    if (hashes.length < count) return false;
    if (end - start < node.length) return true;
    return (
      nodes.get(`${level}/${start / node.length}`)?.equals(rootOf(appendLeaves(EMPTY_FRONTIER, hashes))) ===
      true
    );
  }

  private async hasSignedRoot(organisationId: string, { size, root }: CurrentLog): Promise<boolean> {
    try {
      const [whole] = await this.proofs.readRoots(organisationId, [{ start: 0, length: size }]);
      return whole?.equals(root) === true;
    } catch (error) {
      if (error instanceof LogIncompleteError) return false;
      throw error;
    }
  }
}
