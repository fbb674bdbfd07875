import { Injectable, Logger } from '@nestjs/common';
import { system, UnitOfWork } from '../../../platform/database/index.js';
import { Clock } from '../../../platform/kernel/index.js';
import { AnchorFile, type FileAnchor } from '../log/anchor-file.js';
import { AuditMetrics } from '../audit-metrics.js';
import { AnchorsService } from '../watch/anchors.service.js';
import { EMPTY_FRONTIER, rootOf } from '../domain/merkle.js';
import { LogIncompleteError, LogProofBuilder } from '../log/log-proof-builder.js';
import { LogRepository, type LogHead } from '../store/log.repository.js';

// A log whose head equals its anchor is recomputed every 60 s, any other log every 5 s.
const CHECK_EVERY_MS = 60_000;
const LOOK_EVERY_MS = 5_000;
const ANCHOR_EVERY_MS = 10_000;

/**
 * Appends checkpoints to a file outside the database, and compares the database with that file at the start and every
 * few seconds. A log that is shorter than its checkpoint, or has other entries, is stopped: nothing is sealed on it,
 * and decisions and exports are refused, until two people approve a log restart.
 */
@Injectable()
export class RollbackGuard {
  private readonly logger = new Logger(RollbackGuard.name);
  /** The size of each log that this process appended last to the file, by organisation and incarnation. */
  private readonly anchoredSizes = new Map<string, number>();
  private anchoredAt = -Infinity;
  private fullCheckAt = -Infinity;
  private quickCheckAt = -Infinity;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly logs: LogRepository,
    private readonly proofs: LogProofBuilder,
    private readonly file: AnchorFile,
    private readonly anchors: AnchorsService,
    private readonly metrics: AuditMetrics,
    private readonly clock: Clock,
  ) {}

  /** Runs the check and the anchoring when they are due. The sealer calls it between its runs. */
  async runDueChecks(): Promise<void> {
    const now = performance.now();
    if (now - this.fullCheckAt >= CHECK_EVERY_MS) await this.check();
    else if (now - this.quickCheckAt >= LOOK_EVERY_MS) {
      await this.compareLogs((head, anchor) => !equalsAnchor(head, anchor));
    }
    if (now - this.anchoredAt >= ANCHOR_EVERY_MS) await this.anchor();
  }

  /** Compares every log with its newest checkpoint in the anchor file. */
  async check(): Promise<void> {
    this.fullCheckAt = performance.now();
    await this.compareLogs(() => true);
  }

  private async compareLogs(isDue: (head: LogHead | null, anchor: FileAnchor) => boolean): Promise<void> {
    this.quickCheckAt = performance.now();
    const { anchors, unsigned } = await this.file.readNewest();
    if (unsigned > 0) this.logger.warn(`${unsigned} lines of the anchor file are not signed by this service`);
    const heads = await this.uow.read(system('audit.anchors'), (db) => this.logs.readHeads(db));
    const headByLog = new Map(heads.map((head) => [head.organisationId, head]));
    for (const anchor of anchors.values()) {
      const head = headByLog.get(anchor.organisationId) ?? null;
      if (head?.rolledBack === true || !isDue(head, anchor)) continue;
      if (await this.extendsAnchor(head, anchor)) continue;
      await this.stop(anchor);
    }
  }

  /** Appends the checkpoints of logs that have grown since the last anchoring. */
  async anchor(): Promise<void> {
    this.anchoredAt = performance.now();
    const heads = await this.uow.read(system('audit.anchors'), (db) => this.logs.readHeads(db));
    const grown = heads.filter(
      ({ organisationId, incarnation, size, rolledBack }) =>
        !rolledBack && size > 0 && this.anchoredSizes.get(`${organisationId}/${incarnation}`) !== size,
    );
    const now = new Date(this.clock.now());
    await this.file.append(
      grown.map(({ note }) => note),
      now,
    );
    await this.anchors.recordFile(this.file.file, grown, now);
    for (const { organisationId, incarnation, size } of grown) {
      this.anchoredSizes.set(`${organisationId}/${incarnation}`, size);
    }
  }

  private async extendsAnchor(head: LogHead | null, anchor: FileAnchor): Promise<boolean> {
    if (!head || head.incarnation < anchor.incarnation) return false;
    // Two people approved the log restart that ended the earlier incarnation, so its anchor no longer applies.
    if (head.incarnation > anchor.incarnation) return true;
    if (head.size < anchor.size) return false;
    try {
      const [root] = await this.proofs.readRoots(anchor.organisationId, [{ start: 0, length: anchor.size }]);
      return root?.equals(anchor.root) === true;
    } catch (error) {
      if (error instanceof LogIncompleteError) return false;
      throw error;
    }
  }

  /** Stops a log that contradicts its anchor. */
  async stop({ organisationId, incarnation, size, root }: FileAnchor): Promise<void> {
    const anchor = { organisationId, incarnation, size, root };
    const stopped = await this.uow.run(system('audit.anchors'), (tx) =>
      this.logs.stopLog(tx, anchor, rootOf(EMPTY_FRONTIER)),
    );
    if (!stopped) return;
    this.metrics.rolledBack.inc();
    this.logger.error(
      `the audit log of organisation ${organisationId} is behind its anchor of ${size} entries, or was rewritten: ` +
        'sealing, decisions and exports wait for a log restart that two people approve',
    );
  }
}

const equalsAnchor = (head: LogHead | null, { incarnation, size, root }: FileAnchor): boolean =>
  head?.incarnation === incarnation && head.size === size && head.root.equals(root);
