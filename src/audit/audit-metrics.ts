import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { MetricsRegistry } from '../telemetry/index.js';

/** What sealing counts. */
@Injectable()
export class AuditMetrics {
  readonly sealed: Counter;
  readonly sealFailures: Counter;
  readonly rolledBack: Counter;
  readonly anchorFailures: Counter;

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
    this.rolledBack = new Counter({
      name: 'vigia_audit_rolled_back_total',
      help: 'Logs that this process found to be behind what was handed out of them, and stopped.',
      registers,
    });
  }
}
