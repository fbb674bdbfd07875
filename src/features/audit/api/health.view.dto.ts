import { View } from '../../../platform/http/index.js';
import { harms } from '../domain/consequence.js';
import { trailStatuses } from '../domain/trail.js';
import type { AuditHealth } from '../watch/audit-health.service.js';
import { CheckpointView, TrailGapView } from './audit.view.dto.js';

const MAX_ATTACKED = 100;

export class HealthCountView {
  @View.enum(trailStatuses, 'The status of the trails.') status: string;
  @View.integer('How many there are.', { minimum: 1, example: 1 }) count: number;
}

export class HealthFindingView {
  @View.text('What the trail is about.', { example: 'screening_hit:01a201e2-4791-772e-9cf3-9d4a830918f0' })
  subject: string;
  @View.enum(trailStatuses, 'The status of the trail.') status: string;
  @View.flag('Only rows of another subject are not what was left behind: that one was attacked.')
  consequence: boolean;
  @View.instant('When it was found.') foundAt: string;
  @View.list(TrailGapView, 'What is missing, moved or changed in the trail.') gaps: TrailGapView[];
}

export class HealthWatchView {
  @View.enum(['AS_MIGRATED', 'DIFFERS'], 'The status of the watch.') status: string;
  @View.texts(
    'Triggers, functions, owners, grants and row-level security that are not as the migrations made them.',
    {
      example: [],
    },
  )
  differences: readonly string[];
}

export class HealthAttackedView {
  @View.text('What the trail is about.', { example: 'screening_hit:01a201e2-4791-772e-9cf3-9d4a830918f0' })
  subject: string;
  @View.enums(harms, 'What somebody has done to it.') harms: readonly string[];
  @View.texts('Tables whose rows are not what was left behind.', { example: ['screening_hits'] })
  tables: readonly string[];
  @View.instant('When it was found.') foundAt: string;
}

export class HealthSufferingView {
  @View.text('The table whose rows were changed; `audit_leaves` for the log.', { example: 'screening_hits' })
  because: string;
  @View.integer('Subjects that have a gap only because of that.', { minimum: 1, example: 12 })
  subjects: number;
}

export class HealthIncidentView {
  @View.instant('When the first of it was found.') since: string;
  @View.integer('Subjects that were attacked.', { minimum: 0, example: 1 }) attackedCount: number;
  @View.list(HealthAttackedView, 'At most 100 of them, the first found first.')
  attacked: HealthAttackedView[];
  @View.list(HealthSufferingView, 'Those that were not attacked themselves, by the table that was.')
  suffering: HealthSufferingView[];
}

export class HealthAnchorView {
  @View.enum(
    ['FILE', 'WITNESS', 'WEBHOOK'],
    'FILE: on the disk of a host. WITNESS: signed by somebody outside. WEBHOOK: delivered to an integrator.',
  )
  kind: string;
  @View.text('The host and its file, or the key of the witness.', { example: 'vigia-witness+1f2e3d4c+AX…' })
  name: string;
  @View.integer('Entries of the log that it holds.', { minimum: 0, example: 4711 }) size: number;
  @View.integer('Entries since.', { minimum: 0, example: 12 }) behind: number;
  @View.instant('When it got them.') seenAt: string;
  @View.flagOrNull(
    'Whether the log still begins with them; null for files, which are compared where they are, and for what cannot be told.',
  )
  holds: boolean | null;
}

export class HealthSweepView {
  @View.enum(['RUNNING', 'OFF', 'STALLED'], 'OFF: by the settings. STALLED: somebody has put it off.')
  status: string;
  @View.integer('Rounds through all trails, the present one included.', { minimum: 1, example: 12 })
  cycle: number;
  @View.integerOrNull('How many of a hundred leaves this round has been through.', { example: 40 }) coverage:
    number | null;
  @View.instantOrNull('When all trails had been judged last.') finishedAt: string | null;
}

export class WitnessedView {
  @View.integer('Entries that the witness has seen.', { minimum: 0, example: 4711 }) size: number;
  @View.flag('The log goes on from them.') holds: boolean;
}

export class AuditHealthView {
  @View.enum(['GREEN', 'RED'], 'The status of the audit log.') status: string;
  @View.objectOrNull(CheckpointView, 'The newest checkpoint; null before the first.')
  checkpoint: CheckpointView | null;
  @View.integer('Entries that wait for their seal.', { minimum: 0, example: 0 }) waiting: number;
  @View.integer('How long the oldest of them waits, in seconds.', { minimum: 0, example: 0 })
  oldestSeconds: number;
  @View.integer('Entries that somebody kept from their seal; they were sealed late.', {
    minimum: 0,
    example: 0,
  })
  sealedLate: number;
  @View.flag('The log is behind what was handed out of it.') rolledBack: boolean;
  @View.list(HealthCountView, 'What was found to be wrong.') findings: HealthCountView[];
  @View.list(HealthFindingView, 'At most 100, the attacked subjects before those that suffer from it.')
  subjects: HealthFindingView[];
  @View.objectOrNull(HealthIncidentView, 'Which few subjects were attacked, and how many suffer from it.')
  incident: HealthIncidentView | null;
  @View.list(HealthAnchorView, 'Who outside the database has a checkpoint.') anchors: HealthAnchorView[];
  @View.object(HealthWatchView, 'Whether the watch over the trails runs, and when it last did.')
  watchdog: HealthWatchView;
  @View.objectOrNull(HealthSweepView, 'The check of all trails; null before it has begun.')
  sweep: HealthSweepView | null;

  static of(health: AuditHealth): AuditHealthView {
    const { checkpoint, log, sealedLate, byStatus, findings, incident, differences, sweep } = health;
    const size = checkpoint?.size ?? 0;
    return {
      status: health.isWell ? 'GREEN' : 'RED',
      checkpoint: checkpoint && CheckpointView.of(checkpoint),
      waiting: log.waiting,
      oldestSeconds: Math.floor(log.oldestSeconds),
      sealedLate,
      rolledBack: log.rolledBack > 0,
      findings: Object.entries(byStatus).map(([status, count]) => ({ status, count })),
      subjects: findings.map(({ finding, isConsequence }) => ({
        subject: `${finding.subjectType}:${finding.subjectId}`,
        status: finding.status,
        consequence: isConsequence,
        foundAt: finding.foundAt.toISOString(),
        gaps: finding.gaps.map((gap) => TrailGapView.of(gap)),
      })),
      watchdog: { status: differences.length === 0 ? 'AS_MIGRATED' : 'DIFFERS', differences },
      incident: incident && {
        since: incident.since.toISOString(),
        attackedCount: incident.attacked.length,
        attacked: incident.attacked
          .slice(0, MAX_ATTACKED)
          .map(({ foundAt, ...one }) => ({ ...one, foundAt: foundAt.toISOString() })),
        suffering: [...incident.suffering],
      },
      anchors: health.anchors.map(({ seenAt, ...anchor }) => ({
        ...anchor,
        behind: Math.max(0, size - anchor.size),
        seenAt: seenAt.toISOString(),
      })),
      sweep: sweep && {
        status: log.stalled > 0 ? 'STALLED' : health.sweeps ? 'RUNNING' : 'OFF',
        cycle: Number(sweep.cycle),
        coverage: coverageOf(Number(sweep.position) + 1, size),
        finishedAt: sweep.cycleFinishedAt?.toISOString() ?? null,
      },
    };
  }
}

const coverageOf = (done: number, size: number): number | null =>
  size === 0 ? null : Math.min(100, Math.floor((100 * done) / size));
