import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CommitMarks, system, UnitOfWork, type QuietCheck } from '../../../platform/database/index.js';
import { WorkLoop } from '../../../platform/kernel/index.js';
import { Registry } from '../../../platform/registry/index.js';
import { AuditMetrics } from '../audit-metrics.js';
import { OPERATIONS } from '../domain/entry.js';
import { LogRepository } from '../store/log.repository.js';
import { FindingsService } from '../trail/findings.service.js';
import { TrailSurvey, type Subject } from '../trail/trail-survey.js';
import { WatchedSubjects } from './watched-subjects.js';

const LOOK_EVERY_MS = 5_000;
// Interval of the checks without commits: a change that bypasses SQL leaves no commit.
const QUIET_LOOK_MS = 60_000;
// Maximum share of the time that checks may take. With many organisations, or on a busy machine, they run less often.
const MAX_SHARE = 0.05;

/**
 * Verifies every few seconds the subjects on which all others depend: the catalogue of the database (its
 * triggers, functions, owners and grants), the log itself, and subjects that features name, such as the live rulesets.
 * A gap becomes a finding, as in the sweep.
 */
@Injectable()
export class AuditWatchService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(AuditWatchService.name);
  private readonly loop = new WorkLoop(() => this.round());
  private readonly quietCheck: QuietCheck;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly logs: LogRepository,
    private readonly registry: Registry,
    private readonly survey: TrailSurvey,
    private readonly findings: FindingsService,
    private readonly metrics: AuditMetrics,
    marks: CommitMarks,
  ) {
    this.quietCheck = marks.newCheck(QUIET_LOOK_MS);
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  private async round(): Promise<number> {
    const begunAt = performance.now();
    try {
      if (await this.quietCheck.isQuiet()) return LOOK_EVERY_MS;
      await this.checkLogs();
      this.quietCheck.settle();
      this.metrics.watched.inc();
    } catch (error) {
      this.metrics.sweepFailures.inc();
      this.logger.warn(`the log was not watched: ${error instanceof Error ? error.name : 'unknown'}`);
    }
    return Math.max(LOOK_EVERY_MS, (performance.now() - begunAt) / MAX_SHARE);
  }

  async checkLogs(): Promise<void> {
    const heads = await this.uow.read(system('audit.sweep'), (db) => this.logs.readHeads(db));
    const organisations = new Set([OPERATIONS, ...heads.map(({ organisationId }) => organisationId)]);
    for (const organisationId of organisations) {
      const verdicts = await this.survey.verify(organisationId, await this.findSubjects(organisationId));
      for (const status of await this.findings.recordVerdicts(organisationId, verdicts)) {
        this.metrics.gapsFound.inc({ status });
      }
    }
  }

  private async findSubjects(organisationId: string): Promise<readonly Subject[]> {
    const subjects: Subject[] = organisationId === OPERATIONS ? [{ type: 'catalogue', id: OPERATIONS }] : [];
    for (const { call } of this.registry.methodsOf(WatchedSubjects).values()) {
      subjects.push(...(await call(organisationId)));
    }
    return subjects;
  }
}
