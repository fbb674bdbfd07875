import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { IsNull } from 'typeorm';
import { Gauge } from 'prom-client';
import { Settings } from '../../../platform/config/index.js';
import { CommitMarks, system, UnitOfWork, type QuietCheck } from '../../../platform/database/index.js';
import { Readiness } from '../../../platform/http/index.js';
import { WorkLoop } from '../../../platform/kernel/index.js';
import { MetricsRegistry } from '../../../platform/telemetry/index.js';
import { OPERATIONS } from '../domain/entry.js';
import type { TrailStatus } from '../domain/trail.js';
import { LogQueries, type StoredCheckpoint } from '../store/log.queries.js';
import { AuditFindingEntity, AuditLateSealEntity, AuditSweepEntity } from '../store/entities.js';
import { readLogHealth, type LogHealth } from '../store/watch/health.statements.js';
import { incidentOf, isConsequence, type Incident } from '../domain/consequence.js';
import { AuditTrail } from '../trail/audit-trail.js';
import { AnchorsService, type CheckpointCopy } from './anchors.service.js';

const LOOK_EVERY_MS = 3_000;
/** Interval without commits: then only the ages of waiting entries and of delayed sweeps change. */
const QUIET_LOOK_MS = 60_000;
/** If an entry waits longer than this for its seal, the sealer is not working. */
const WAIT_SECONDS = 60;
const MAX_NAMED = 100;

/** The health of the log of an organisation, for its operators. */
export interface AuditHealth {
  readonly isWell: boolean;
  readonly checkpoint: StoredCheckpoint | null;
  readonly log: LogHealth;
  readonly sealedLate: number;
  readonly byStatus: Readonly<Partial<Record<TrailStatus, number>>>;
  /** Open findings, at most MAX_NAMED. Findings that are only consequences of other gaps are last. */
  readonly findings: readonly { readonly finding: AuditFindingEntity; readonly isConsequence: boolean }[];
  readonly incident: Incident | null;
  readonly differences: readonly string[];
  readonly anchors: readonly CheckpointCopy[];
  /** True if the settings allow the background check of all trails. */
  readonly sweeps: boolean;
  readonly sweep: Pick<AuditSweepEntity, 'cycle' | 'position' | 'subjects' | 'cycleFinishedAt'> | null;
}

/** Reports the health of one log to the API, and the health of all logs to readiness and metrics. */
@Injectable()
export class AuditHealthService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(AuditHealthService.name);
  private readonly loop = new WorkLoop(() => this.round());
  private readonly quietCheck: QuietCheck;
  private lastHealth: LogHealth = { findings: 0, rolledBack: 0, stalled: 0, waiting: 0, oldestSeconds: 0 };

  constructor(
    private readonly uow: UnitOfWork,
    private readonly queries: LogQueries,
    private readonly trail: AuditTrail,
    private readonly anchors: AnchorsService,
    private readonly settings: Settings,
    readiness: Readiness,
    metrics: MetricsRegistry,
    marks: CommitMarks,
  ) {
    this.quietCheck = marks.newCheck(QUIET_LOOK_MS);
    readiness.watch('audit', () => !isWell(this.lastHealth));
    const registers = [metrics.registry];
    const gauge = (name: string, help: string, value: () => number): void => {
      const metric: Gauge = new Gauge({
        name,
        help,
        registers,
        collect: () => {
          metric.set(value());
        },
      });
    };
    gauge(
      'vigia_audit_findings_open',
      'Trails with a gap that nobody has answered for.',
      () => this.lastHealth.findings,
    );
    gauge(
      'vigia_audit_logs_stopped',
      'Logs that are behind what was handed out of them.',
      () => this.lastHealth.rolledBack,
    );
    gauge(
      'vigia_audit_sweeps_stalled',
      'Logs whose check of all trails somebody has put off.',
      () => this.lastHealth.stalled,
    );
    gauge(
      'vigia_audit_oldest_waiting_seconds',
      'How long the oldest entry waits for its seal.',
      () => this.lastHealth.oldestSeconds,
    );
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  async read(organisationId: string): Promise<AuditHealth> {
    const watched = { organisationId: OPERATIONS, type: 'catalogue' as const, id: OPERATIONS };
    const { gaps } = await this.trail.trailStatus(watched);
    const health = await this.uow.read(organisationId, async (db) => ({
      log: await readLogHealth(db, organisationId),
      sealedLate: await db.countBy(AuditLateSealEntity, { organisationId }),
      findings: await db.find(AuditFindingEntity, {
        where: { organisationId, clearedAt: IsNull() },
        order: { foundAt: 'ASC' },
      }),
      sweep: await db.findOneBy(AuditSweepEntity, { organisationId }),
    }));
    const byStatus: Partial<Record<TrailStatus, number>> = {};
    for (const { status } of health.findings) byStatus[status] = (byStatus[status] ?? 0) + 1;
    const findings = health.findings
      .map((finding) => ({ finding, isConsequence: isConsequence(finding) }))
      .sort((a, b) => Number(a.isConsequence) - Number(b.isConsequence))
      .slice(0, MAX_NAMED);
    return {
      ...health,
      isWell: isWell(health.log) && gaps.length === 0,
      checkpoint: await this.queries.findCurrentLog(organisationId),
      byStatus,
      findings,
      incident: incidentOf(health.findings),
      differences: gaps.map(({ detail }) => detail),
      anchors: await this.anchors.listByOrganisation(organisationId),
      sweeps: this.settings.auditSweepPerSecond > 0,
    };
  }

  private async round(): Promise<number> {
    try {
      if (await this.quietCheck.isQuiet()) return LOOK_EVERY_MS;
      this.lastHealth = await this.uow.read(system('audit.sweep'), (db) => readLogHealth(db, null));
      // The entries that wait for their seal grow older without a commit.
      if (this.lastHealth.waiting === 0) this.quietCheck.settle();
    } catch (error) {
      // The error is only logged: readiness itself reports an unavailable database.
      this.logger.warn(
        `the health of the log is not known: ${error instanceof Error ? error.name : 'unknown'}`,
      );
    }
    return LOOK_EVERY_MS;
  }
}

const isWell = ({ findings, rolledBack, stalled, oldestSeconds }: LogHealth): boolean =>
  findings === 0 && rolledBack === 0 && stalled === 0 && oldestSeconds < WAIT_SECONDS;
