import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { MetricsRegistry } from '../telemetry/index.js';

/** Counts sealing and its failures. */
@Injectable()
export class AuditMetrics {
  readonly sealed: Counter;
  readonly sealFailures: Counter;
  readonly rolledBack: Counter;
  readonly anchorFailures: Counter;
  readonly swept: Counter;
  readonly sweepFailures: Counter;
  readonly gapsFound: Counter<'status'>;

  constructor(metrics: MetricsRegistry) {
    const registers = [metrics.registry];
    this.sealed = new Counter({
      name: 'vigia_audit_sealed_total',
      help: 'Audit entries that this process made leaves of a signed log.',
      registers,
    });
    this.sealFailures = new Counter({
      name: 'vigia_audit_seal_failures_total',
      help: 'Rounds of sealing that failed; their entries wait.',
      registers,
    });
    this.anchorFailures = new Counter({
      name: 'vigia_audit_anchor_failures_total',
      help: 'Times that checkpoints could not be written to the anchor file, or not be compared with it.',
      registers,
    });
    this.swept = new Counter({
      name: 'vigia_audit_trails_swept_total',
      help: 'Trails that the background check of this process has judged.',
      registers,
    });
    this.sweepFailures = new Counter({
      name: 'vigia_audit_sweep_failures_total',
      help: 'Rounds of the background check that failed; the next one goes on.',
      registers,
    });
    this.gapsFound = new Counter({
      name: 'vigia_audit_gaps_found_total',
      help: 'Trails in which the background check of this process has found a new gap.',
      labelNames: ['status'],
      registers,
    });
    this.rolledBack = new Counter({
      name: 'vigia_audit_rolled_back_total',
      help: 'Logs that this process found to be behind what was handed out of them, and stopped.',
      registers,
    });
  }
}
