import type { EventType } from './event.js';

export type RecoveryStatus = 'QUEUED' | 'RUNNING' | 'COMPLETED' | 'CANCELLED';

/** A recovery and how far it has come. */
export interface Recovery {
  readonly id: string;
  readonly organisationId: string;
  readonly endpointId: string;
  readonly since: Date;
  readonly until: Date;
  readonly eventTypes: readonly EventType[];
  readonly dryRun: boolean;
  readonly status: RecoveryStatus;
  /** Events of the range that were looked at. */
  readonly events: number;
  /** Of those, the ones that were (or, in a dry run, would be) sent. */
  readonly recovered: number;
  /** From 0 to 100. */
  readonly progress: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}
