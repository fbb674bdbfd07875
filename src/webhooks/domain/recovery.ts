import type { WebhookRecoveryEntity } from '../store/entities/webhook-recovery.entity.js';

export type RecoveryStatus = WebhookRecoveryEntity['status'];

/** A recovery and how far it has come. */
export interface Recovery extends Readonly<
  Omit<
    WebhookRecoveryEntity,
    'reachedPosition' | 'reachedId' | 'startPosition' | 'stopPosition' | 'requestedBy' | 'touchedAt'
  >
> {
  /** From 0 to 100. */
  readonly progress: number;
}
