import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  AuditTrail,
  OPERATIONS,
  type Actor,
  type AuditAction,
  type AuditContent,
} from '../features/audit/index.js';
import { UnitOfWork, type Tx } from '../platform/database/index.js';
import { Clock } from '../platform/kernel/index.js';
import { IndexKeyRotation, KeyRotation } from '../platform/privacy/index.js';
import { Reconciler } from '../platform/queue/index.js';

/**
 * Writes audit entries for operational events of the platform, because platform code must not import the audit module.
 */
@Injectable()
export class OperationsAuditWriter implements OnModuleInit {
  constructor(
    private readonly reconciler: Reconciler,
    private readonly keyRotation: KeyRotation,
    private readonly indexKeyRotation: IndexKeyRotation,
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.reconciler.onRebuilt((tx, requeued) =>
      this.record(tx, 'queue', 'ops.queue.rebuilt', { type: 'system', id: 'reconciler' }, requeued),
    );
    this.keyRotation.onRotated(({ ringKeyId, rewrapped, remaining }) =>
      this.uow.run(OPERATIONS, (tx) => {
        const content = { ringKeyId, rewrapped, remaining };
        return this.record(tx, 'keys', 'ops.keys.rotated', { type: 'system', id: 'cli' }, content);
      }),
    );
    this.indexKeyRotation.onRotated((tx, { number, known }) =>
      this.record(tx, 'keys', 'ops.index_key.rotated', { type: 'system', id: 'cli' }, { number, known }),
    );
  }

  private async record(
    tx: Tx,
    id: string,
    action: Extract<AuditAction, `ops.${string}`>,
    actor: Actor,
    content: AuditContent,
  ): Promise<void> {
    await this.audit.record(tx, {
      subject: { organisationId: OPERATIONS, type: 'operations', id },
      action,
      actor,
      requestId: null,
      correlationId: null,
      occurredAt: new Date(this.clock.now()),
      content,
    });
  }
}
