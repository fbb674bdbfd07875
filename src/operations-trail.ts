import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AuditTrail, OPERATIONS } from './audit/index.js';
import { Clock } from './kernel/index.js';
import { Reconciler } from './queue/index.js';

/** Writes operational events of the foundation into the audit trail; the foundation itself knows no feature. */
@Injectable()
export class OperationsTrail implements OnModuleInit {
  constructor(
    private readonly reconciler: Reconciler,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.reconciler.onRebuilt(async (tx, requeued) => {
      await this.audit.record(tx, [
        {
          subject: { organisationId: OPERATIONS, type: 'operations', id: 'queue' },
          action: 'ops.queue.rebuilt',
          actor: { type: 'system', id: 'reconciler' },
          requestId: null,
          correlationId: null,
          occurredAt: new Date(this.clock.now()),
          content: requeued,
        },
      ]);
    });
  }
}
