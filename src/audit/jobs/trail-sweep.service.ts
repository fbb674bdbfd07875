import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Any } from 'typeorm';
import { Settings } from '../../config/index.js';
import { WorkLoop } from '../../kernel/index.js';
import { AuditMetrics } from '../audit-metrics.js';
import { isBlocking } from '../domain/trail.js';
import { ExportEnds } from '../exports/export-ends.service.js';
import { Findings } from '../trail/findings.service.js';
import { LogQueries } from '../store/log.queries.js';
import { SweepRepository } from '../store/sweep.repository.js';
import { TrailSurvey, type Subject } from '../trail/trail-survey.service.js';

// Leaves to look through in one step, about two for each trail: a fraction of a second, so that the pace is even.
const SPAN = 200;
const MAX_RECHECKS = 100;
const IDLE_MS = 1_000;
const HOUSEKEEPING_MS = 60_000;

/**
 * Judges every trail of every log, round and round, at a bounded pace; it goes on where it was when a process ends. What
 * it finds is counted, written to the log of the organisation and noted, so that exports of everything name it at once.
 * Decisions, and exports of one subject, do not wait for it: they judge their trails themselves.
 */
@Injectable()
export class TrailSweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(TrailSweep.name);
  private readonly loop = new WorkLoop(() => this.round());
  private keptHouseAt = -Infinity;

  constructor(
    private readonly sweeps: SweepRepository,
    private readonly queries: LogQueries,
    private readonly survey: TrailSurvey,
    private readonly found: Findings,
    private readonly exports: ExportEnds,
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
      if (performance.now() - this.keptHouseAt >= HOUSEKEEPING_MS) {
        this.keptHouseAt = performance.now();
        await this.exports.expire();
      }
      const perSecond = this.settings.auditSweepPerSecond;
      const judged = perSecond === 0 ? 0 : await this.step();
      if (judged > 0) nextMs = Math.ceil((judged * 1_000) / perSecond);
    } catch (error) {
      this.metrics.sweepFailures.inc();
      this.logger.warn(`trails were not judged: ${error instanceof Error ? error.name : 'unknown'}`);
    }
    return nextMs;
  }

  /** Judges the next trails of one log and returns how many those were; 0 when nothing is due. */
  async step(): Promise<number> {
    const sweep = await this.sweeps.claim();
    if (!sweep) return 0;
    const { organisationId, position } = sweep;
    const size = (await this.queries.current(organisationId))?.size ?? 0;
    const last = Math.min(position + SPAN, size - 1);
    const subjects = await this.queries.beginnings(organisationId, position, last);
    // At the beginning of a round what was found before comes first: it may be repaired by now.
    if (position < 0) subjects.push(...(await this.found.open(organisationId, {}, MAX_RECHECKS)));
    const ids = subjects.map(({ id }) => id);
    const known = new Set((await this.found.open(organisationId, { subjectId: Any(ids) })).map(nameOf));
    for (const [subject, verdict] of await this.survey.judge(organisationId, subjects)) {
      if (isBlocking(verdict)) {
        const isNew = await this.found.note(organisationId, subject, verdict);
        if (isNew) this.metrics.gapsFound.inc({ status: verdict.status });
      } else if (known.has(nameOf(subject))) await this.found.close(organisationId, subject);
    }
    this.metrics.swept.inc(subjects.length);
    await this.sweeps.reached(sweep, last, last >= size - 1, subjects.length);
    return Math.max(1, subjects.length);
  }
}

const nameOf = ({ type, id }: Subject): string => `${type}:${id}`;
