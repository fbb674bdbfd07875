import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import { WorkLoop } from '../../../platform/kernel/index.js';
import { AuditMetrics } from '../audit-metrics.js';
import { subjectOfState } from '../domain/state.js';
import { FindingsService } from '../trail/findings.service.js';
import { LogQueries } from '../store/log.queries.js';
import { SweepRepository } from '../store/sweep.repository.js';
import { LateSealDetector } from '../watch/late-seal-detector.js';
import { leafNodeName } from '../log/leaf-check.service.js';
import { addGaps, type LogCheckTarget, type TrailGap, type TrailVerdict } from '../domain/trail.js';
import { LogChecks } from '../watch/log-checks.js';
import { UnrecordedRows } from '../trail/unrecorded-rows.js';
import { TrailSurvey, type Subject } from '../trail/trail-survey.js';

// Leaves per step, about two for each trail. A step takes a fraction of a second, so that the load is even.
const SPAN = 200;
const MAX_RECHECKS = 100;
const IDLE_MS = 1_000;

/**
 * Verifies every trail of every log repeatedly, at a limited rate; a new process continues from the stored position.
 * Each gap is counted, recorded in the log of the organisation and stored as a finding, so that exports of the whole
 * log can name it immediately. Decisions, and exports of one subject, verify their trails themselves.
 */
@Injectable()
export class TrailSweepService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(TrailSweepService.name);
  private readonly loop = new WorkLoop(() => this.round());

  constructor(
    private readonly sweeps: SweepRepository,
    private readonly queries: LogQueries,
    private readonly survey: TrailSurvey,
    private readonly unrecordedRows: UnrecordedRows,
    private readonly lateSealDetector: LateSealDetector,
    private readonly checks: LogChecks,
    private readonly findings: FindingsService,
    private readonly metrics: AuditMetrics,
    private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start(IDLE_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  private async round(): Promise<number> {
    let nextMs = IDLE_MS;
    try {
      const { auditSweepPerSecond: perSecond, auditSweepPercent: percent } = this.settings;
      const begunAt = performance.now();
      const stepCount = perSecond === 0 ? 0 : await this.step();
      const workedMs = performance.now() - begunAt;
      if (stepCount > 0) {
        nextMs = Math.ceil(Math.max((stepCount * 1_000) / perSecond, (workedMs * 100) / percent));
      }
    } catch (error) {
      this.metrics.sweepFailures.inc();
      this.logger.warn(`trails were not judged: ${error instanceof Error ? error.name : 'unknown'}`);
    }
    return nextMs;
  }

  /** Verifies the next trails of one log and returns their number; 0 if no log is due. */
  async step(): Promise<number> {
    const sweep = await this.sweeps.claim();
    if (!sweep) return 0;
    const { organisationId, position } = sweep;
    const size = (await this.queries.findCurrentLog(organisationId))?.size ?? 0;
    const last = Math.min(position + SPAN, size - 1);
    const newSubjects = await this.queries.listNewSubjects(organisationId, position, last);
    // A state trail is verified together with its subject.
    const subjectsByName = new Map(
      newSubjects.map(subjectOfState).map((subject) => [nameOf(subject), subject]),
    );
    const subjects = [...subjectsByName.values()];
    await this.lateSealDetector.sweep(organisationId);
    subjects.push(...(await this.unrecordedRows.findOnNextPage(organisationId)));
    // A sweep starts with the open findings, whose trails may be repaired by now.
    if (position < 0) {
      subjects.push(...(await this.findings.listOpenSubjects(organisationId, {}, MAX_RECHECKS)));
    }
    const verdicts = new Map(await this.survey.verify(organisationId, subjects));
    await this.addDamage(organisationId, verdicts);
    for (const status of await this.findings.recordVerdicts(organisationId, verdicts)) {
      this.metrics.gapsFound.inc({ status });
    }
    this.metrics.swept.inc(subjects.length);
    await this.sweeps.saveProgress(sweep, last, last >= size - 1, subjects.length);
    return Math.max(1, subjects.length);
  }

  /**
   * Adds the gaps in the log itself to `verdicts`: runs the next page of each log check, and checks again the nodes above
   * the leaves that `verdicts` name.
   */
  private async addDamage(organisationId: string, verdicts: Map<Subject, TrailVerdict>): Promise<void> {
    const hinted = [...verdicts.values()].flatMap(({ gaps }) => gaps.flatMap(placeOf));
    const damage = [
      ...(await this.checks.checkNextPage(organisationId)),
      ...(await this.checks.recheck(organisationId, hinted)),
    ];
    if (damage.length === 0) return;
    const log: Subject = { type: 'audit_log', id: organisationId };
    for (const [known] of verdicts) if (nameOf(known) === nameOf(log)) verdicts.delete(known);
    const [[own, verdict] = []] = await this.survey.verify(organisationId, [log]);
    if (own && verdict) verdicts.set(own, addGaps(verdict, damage));
  }
}

/** Returns the stored node above the leaf of a gap, for the log check `leaves`; [] if the gap has no leaf. */
const placeOf = ({ leaf }: TrailGap): LogCheckTarget | [] =>
  leaf === undefined ? [] : { of: 'leaves', place: leafNodeName(leaf) };

const nameOf = ({ type, id }: Subject): string => `${type}:${id}`;
