import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import {
  CommitMarks,
  system,
  UnitOfWork,
  type DatabaseScope,
  type QuietCheck,
  type Tx,
} from '../../../platform/database/index.js';
import { Clock, WorkLoop } from '../../../platform/kernel/index.js';
import { AuditMetrics } from '../audit-metrics.js';
import { CheckpointSigner } from '../log/checkpoint-signer.js';
import type { FileAnchor } from '../log/anchor-file.js';
import { appendLeaves, rootOf, type TreeNode } from '../domain/merkle.js';
import { LateSealDetector } from '../watch/late-seal-detector.js';
import { RollbackGuard } from './rollback-guard.js';
import { LogRepository, type LogState, type SealedLog } from '../store/log.repository.js';

// Minimum pause between two runs, if a run takes longer than the interval.
const MIN_PAUSE_MS = 25;
// Maximum number of pending rows per run; each holds up to 16 entries.
const MAX_ROWS = 500;
// An idle log is signed again after this time: the new checkpoint proves that no entry was added.
const HEARTBEAT_SECONDS = 60;
const HEARTBEAT_CHECK_MS = 5_000;
// Checkpoints are stored at most this often: a busy log is signed more often.
const KEEP_EVERY_MS = 10_000;
const NODE_LEVELS = 8;
const MAX_PAUSE_MS = 10_000;

/**
 * Turns pending entries into leaves of their organisation's log and signs the new state of the log. Any number of
 * processes may run one; a lock lets one at a time work. Leaves, nodes, log and pending rows change in one commit, so
 * that a signature is never visible without the leaves that it covers.
 */
@Injectable()
export class SealerService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(SealerService.name);
  private readonly loop = new WorkLoop(() => this.round());
  private failures = 0;
  private isBusy = false;
  private mayHaveMore = false;
  private heartbeatAt = 0;
  private readonly quietCheck: QuietCheck;
  /** The newest state of each log that this process has signed and committed. */
  private readonly signed = new Map<string, SealedLog>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly logs: LogRepository,
    private readonly signer: CheckpointSigner,
    private readonly clock: Clock,
    private readonly metrics: AuditMetrics,
    private readonly guard: RollbackGuard,
    private readonly lateSealDetector: LateSealDetector,
    private readonly settings: Settings,
    marks: CommitMarks,
  ) {
    this.quietCheck = marks.newCheck();
  }

  async onApplicationBootstrap(): Promise<void> {
    // A rolled back log is stopped before anything is sealed on it.
    await this.guard.check();
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    await this.guard.anchor().catch(() => {
      // If anchoring fails, the anchor is written at the next start.
      this.metrics.anchorFailures.inc();
    });
  }

  private async round(): Promise<number> {
    const begunAt = performance.now();
    let nextMs: number;
    try {
      await this.seal();
      if (this.failures > 0) this.logger.log('sealing again');
      this.failures = 0;
      nextMs = this.mayHaveMore
        ? 0
        : Math.max(MIN_PAUSE_MS, this.settings.auditSealMs - (performance.now() - begunAt));
    } catch (error) {
      // The entries are committed; only their seal is late.
      if (this.failures === 0) {
        this.logger.warn(
          `audit entries wait for their seal: ${error instanceof Error ? error.name : 'unknown'}`,
        );
      }
      this.failures += 1;
      this.metrics.sealFailures.inc();
      nextMs = Math.min(this.settings.auditSealMs * 2 ** this.failures, MAX_PAUSE_MS);
    }
    // Runs even after a failure: the guard may find the reason.
    await this.runOtherChecks();
    return nextMs;
  }

  /** Runs the other checks of a run. A failure, such as a full disk under the anchor file, must not stop sealing. */
  private async runOtherChecks(): Promise<void> {
    try {
      await this.guard.runDueChecks();
    } catch (error) {
      this.metrics.anchorFailures.inc();
      this.logger.warn(`anchors not kept: ${error instanceof Error ? error.name : 'unknown'}`);
    }
    try {
      await this.lateSealDetector.recordLateSeals();
    } catch (error) {
      this.metrics.sealFailures.inc();
      this.logger.warn(
        `not looked for what nothing awaits: ${error instanceof Error ? error.name : 'unknown'}`,
      );
    }
  }

  /** Seals pending entries, up to a limit. */
  private async seal(): Promise<void> {
    const heartbeat = performance.now() - this.heartbeatAt >= HEARTBEAT_CHECK_MS;
    const scope = system('audit.seal');
    // A read for pending entries avoids a transaction while there are none. After a busy run entries are likely, so the
    // read is left out.
    if (!heartbeat && !this.isBusy && !(await this.isAnyPending(scope))) return;
    this.mayHaveMore = false;
    try {
      const round = await this.uow.run(scope, (tx) => this.sealIn(tx, heartbeat));
      this.isBusy = round.isBusy;
      for (const log of round.sealed) this.signed.set(log.organisationId, log);
    } catch (error) {
      if (!(error instanceof RewrittenLogError)) throw error;
      await this.guard.stop(error.anchor);
      // The batch was rolled back for all logs, so it is repeated without a pause.
      this.mayHaveMore = true;
    }
  }

  private async isAnyPending(scope: DatabaseScope): Promise<boolean> {
    if (await this.quietCheck.isQuiet()) return false;
    const isAny = await this.uow.read(scope, (db) => this.logs.isAnyPending(db));
    if (!isAny) this.quietCheck.settle();
    return isAny;
  }

  private async sealIn(tx: Tx, heartbeat: boolean): Promise<SealRound> {
    if (!(await this.logs.tryLockSealing(tx))) return { isBusy: false, sealed: [] };
    const waiting = await this.logs.readLogsWithPending(tx, MAX_ROWS);
    const sealed = waiting.length > 0 ? await this.growLogs(tx, waiting) : [];
    if (heartbeat) {
      const idle = await this.logs.findIdle(tx, HEARTBEAT_SECONDS);
      for (const log of idle) this.refuseRewritten(log);
      const logs = idle.map((log) => this.sign(log, log.frontier));
      if (logs.length > 0) await this.logs.write(tx, { nodes: [], logs });
      sealed.push(...logs);
      this.heartbeatAt = performance.now();
    }
    return { isBusy: waiting.length > 0, sealed };
  }

  /**
   * Throws RewrittenLogError for a state that this service has not signed: another signature would confirm the
   * rewritten log. Such a log is stopped until two people approve a log restart.
   */
  private refuseRewritten({ organisationId, incarnation, frontier, root, note }: LogState): void {
    if (root === null || note === '') return;
    const last = this.signed.get(organisationId);
    // The log is shorter than the state that this process signed: new leaves would reuse indices of signed leaves.
    if (last?.incarnation === incarnation && frontier.size < last.frontier.size) {
      throw new RewrittenLogError({ ...last, size: last.frontier.size });
    }
    // A note that this process signed itself needs no verification.
    const isKnown = last?.note === note;
    const fits = root.equals(rootOf(frontier));
    if (fits && (isKnown || this.signer.isOurs({ size: frontier.size, root, note }))) return;
    throw new RewrittenLogError({ organisationId, incarnation, size: frontier.size, root });
  }

  private async growLogs(tx: Tx, waiting: readonly LogState[]): Promise<SealedLog[]> {
    for (const log of waiting) this.refuseRewritten(log);
    const { hashes, isFull } = await this.logs.assignLeaves(
      tx,
      waiting.map(({ organisationId }) => organisationId),
      MAX_ROWS,
    );
    this.mayHaveMore = isFull;
    const nodes: (TreeNode & { organisationId: string })[] = [];
    const logs = waiting.flatMap((log) => {
      const newHashes = hashes.get(log.organisationId);
      if (!newHashes) return [];
      const { organisationId } = log;
      const frontier = appendLeaves(log.frontier, newHashes, (node) => {
        if (node.level % NODE_LEVELS === 0) nodes.push({ organisationId, ...node });
      });
      return [this.sign(log, frontier)];
    });
    if (logs.length > 0) await this.logs.write(tx, { nodes, logs });
    for (const logHashes of hashes.values()) this.metrics.sealed.inc(logHashes.length);
    return logs;
  }

  private sign(log: LogState, frontier: LogState['frontier']): SealedLog {
    const signedAt = new Date(this.clock.now());
    const { organisationId, incarnation } = log;
    const root = rootOf(frontier);
    const note = this.signer.sign({ organisationId, incarnation, size: frontier.size, root, signedAt });
    const keptAt =
      log.keptAt !== null && signedAt.getTime() - log.keptAt.getTime() < KEEP_EVERY_MS
        ? log.keptAt
        : signedAt;
    return { organisationId, incarnation, frontier, root, note, signedAt, keptAt };
  }
}

interface SealRound {
  /** True if there were entries to seal. */
  readonly isBusy: boolean;
  readonly sealed: readonly SealedLog[];
}

/** Thrown when a log differs from its signed state; the run is rolled back, and the log is stopped. */
class RewrittenLogError extends Error {
  constructor(readonly anchor: Pick<FileAnchor, 'organisationId' | 'incarnation' | 'size' | 'root'>) {
    super('The audit log is not what was signed of it.');
    this.name = 'RewrittenLog';
  }
}
