import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import {
  AuditTrail,
  auditDraftOf,
  systemActor,
  type AuditAction,
  type AuditContent,
} from '../../audit/index.js';
import { UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { LongJobRunner } from '../../../platform/jobs/index.js';
import { Clock } from '../../../platform/kernel/index.js';
import { PastAlertsService } from '../../reviews/index.js';
import { BacktestHistory, FROM_THE_BEGINNING } from '../../rules/index.js';
import { addCounts, LookBackFailureError, type LookBackCounts } from '../domain/look-back.js';
import { LookBackRepository, type ClaimedLookBack } from '../store/work/look-back.repository.js';
import type { LookBackAlertPage } from './alert-finder.js';
import { ListAlertsService } from './list-alerts.service.js';
import { RuleAlertsService } from './rule-alerts.service.js';

const ACTOR = 'kyt.look-backs';
// Maximum number of attempts in a row without progress.
const MAX_ATTEMPTS = 3;
const LONGEST_REST_MS = 2_000;

/**
 * Runs look-backs page by page. The cases of a page and the progress share one commit, so that a crash neither loses
 * nor repeats an alert. After each page it sleeps as long as the page took, at most 2 s.
 */
@Injectable()
export class LookBackRunnerService extends LongJobRunner<ClaimedLookBack> {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly lookBacks: LookBackRepository,
    private readonly history: BacktestHistory,
    private readonly ruleAlerts: RuleAlertsService,
    private readonly listAlerts: ListAlertsService,
    private readonly pastAlerts: PastAlertsService,
  ) {
    super(lookBacks, { title: 'look-back', maxAttempts: MAX_ATTEMPTS });
  }

  protected async work(claimed: ClaimedLookBack): Promise<void> {
    const finder =
      claimed.kind === 'RULESET'
        ? await this.ruleAlerts.findAlerts(claimed)
        : this.listAlerts.findAlerts(claimed);
    await this.lookBacks.recordTotal(claimed, await this.history.count(claimed));
    let counts = claimed.counts;
    let after = claimed.reached ?? FROM_THE_BEGINNING;
    while (!this.stopping) {
      const began = performance.now();
      const piece = await finder.next(after);
      if (!piece) {
        await this.end(claimed, 'look_back.finished', endContent(counts), (tx) =>
          this.lookBacks.finish(tx, claimed, counts),
        );
        return;
      }
      const isCommitted = await this.commitPage(claimed, piece, counts);
      // The look-back was cancelled, or another process has claimed it.
      if (!isCommitted) return;
      counts = isCommitted;
      after = piece.last;
      await sleep(Math.min(performance.now() - began, LONGEST_REST_MS));
    }
    await this.release(claimed);
  }

  /**
   * Opens the cases of a page and stores the progress. Returns null and opens nothing if this process has lost the
   * lease.
   */
  private async commitPage(
    claimed: ClaimedLookBack,
    piece: LookBackAlertPage,
    before: LookBackCounts,
  ): Promise<LookBackCounts | null> {
    const { alerts, last, looked, unreadable, undecided, judgedBy } = piece;
    return this.uow
      .run(claimed.organisationId, async (tx) => {
        const placed = await this.pastAlerts.attachToCases(tx, alerts, ACTOR);
        const pageCounts = { looked, unreadable, undecided, judgedBy, alerts: alerts.length, ...placed };
        const counts = addCounts(before, pageCounts);
        if (!(await this.lookBacks.saveProgress(tx, claimed, last, counts))) throw new LookBackLostError();
        return counts;
      })
      .catch((error: unknown) => {
        if (error instanceof LookBackLostError) return null;
        throw error;
      });
  }

  protected override async failAfter(claimed: ClaimedLookBack, error: unknown): Promise<boolean> {
    if (!(error instanceof LookBackFailureError)) return false;
    await this.fail(claimed, error.code);
    return true;
  }

  protected override async fail(claimed: ClaimedLookBack, code: string): Promise<void> {
    await this.end(claimed, 'look_back.failed', { code, ...endContent(claimed.counts) }, (tx) =>
      this.lookBacks.fail(tx, claimed, code),
    );
  }

  private async end(
    { organisationId, id }: ClaimedLookBack,
    action: AuditAction,
    content: AuditContent,
    settle: (tx: Tx) => Promise<boolean>,
  ): Promise<void> {
    const now = new Date(this.clock.now());
    await this.uow.run(organisationId, async (tx) => {
      if (!(await settle(tx))) return;
      const ctx = systemActor(organisationId, ACTOR);
      await this.audit.record(tx, auditDraftOf(ctx, 'look_back', id, action, now, content));
    });
  }
}

/** The look-back was cancelled or claimed by another process, so the database transaction must not commit. */
class LookBackLostError extends Error {}

const endContent = ({ undecided, ...counts }: LookBackCounts): AuditContent => ({
  ...counts,
  undecidedRules: Object.keys(undecided).sort(),
});
