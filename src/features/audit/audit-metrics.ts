import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { MetricsRegistry } from '../../platform/telemetry/index.js';

/** Counts sealing, the background checks, and their failures. */
@Injectable()
export class AuditMetrics {
  readonly sealed: Counter;
  readonly sealFailures: Counter;
  readonly rolledBack: Counter;
  readonly anchorFailures: Counter;
  readonly swept: Counter;
  readonly sweepFailures: Counter;
  readonly sealedLate: Counter;
  readonly watched: Counter;
  readonly gapsFound: Counter<'status'>;

  constructor(metrics: MetricsRegistry) {
    const registers = [metrics.registry];
    const counter = (name: string, help: string): Counter => new Counter({ name, help, registers });
    this.sealed = counter(
      'vigia_audit_sealed_total',
      'Audit entries that this process made leaves of a signed log.',
    );
    this.sealFailures = counter(
      'vigia_audit_seal_failures_total',
      'Rounds of sealing that failed; their entries wait.',
    );
    this.anchorFailures = counter(
      'vigia_audit_anchor_failures_total',
      'Times that checkpoints could not be written to the anchor file, or not be compared with it.',
    );
    this.swept = counter(
      'vigia_audit_trails_swept_total',
      'Trails that the background check of this process has judged.',
    );
    this.sweepFailures = counter(
      'vigia_audit_sweep_failures_total',
      'Rounds of the background check that failed; the next one goes on.',
    );
    this.gapsFound = new Counter({
      name: 'vigia_audit_gaps_found_total',
      help: 'Trails in which the background check of this process has found a new gap.',
      labelNames: ['status'],
      registers,
    });
    this.sealedLate = counter(
      'vigia_audit_sealed_late_total',
      'Audit entries that nothing awaited to be sealed, until this process found them.',
    );
    this.watched = counter(
      'vigia_audit_watch_looks_total',
      'Times that this process has looked at what the log rests on; 0 in five minutes: nobody watches.',
    );
    this.rolledBack = counter(
      'vigia_audit_rolled_back_total',
      'Logs that this process found to be behind what was handed out of them, and stopped.',
    );
  }
}
