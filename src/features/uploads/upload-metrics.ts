import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { DomainError } from '../../platform/kernel/index.js';
import { MetricsRegistry } from '../../platform/telemetry/index.js';

/** Counts stored, duplicate and refused uploads. */
@Injectable()
export class UploadMetrics {
  private readonly uploads: Counter<'result'>;
  private readonly bytes: Counter;
  readonly swept: Counter<'what'>;

  constructor(metrics: MetricsRegistry) {
    const registers = [metrics.registry];
    this.uploads = new Counter({
      name: 'vigia_uploads_total',
      help: 'Uploaded files by result: stored, duplicate, or the error code.',
      labelNames: ['result'],
      registers,
    });
    this.bytes = new Counter({
      name: 'vigia_uploads_bytes_total',
      help: 'Bytes of stored files.',
      registers,
    });
    this.swept = new Counter({
      name: 'vigia_uploads_swept_total',
      help: 'What the sweep set right: orphan files removed, artifacts lost, artifacts erased.',
      labelNames: ['what'],
      registers,
    });
  }

  countStored(sizeBytes: number): void {
    this.uploads.inc({ result: 'stored' });
    this.bytes.inc(sizeBytes);
  }

  countDuplicate(): void {
    this.uploads.inc({ result: 'duplicate' });
  }

  countRefused(error: unknown): void {
    this.uploads.inc({ result: error instanceof DomainError ? error.code : 'INTERNAL_ERROR' });
  }
}
