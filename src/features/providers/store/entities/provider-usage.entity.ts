import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** Calls, cost and failures of a provider on one day. */
@Unregulated('figures of calls; what was answered is in the result of each session')
@Entity('provider_usage')
export class ProviderUsageEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') provider: string;
  @PrimaryColumn('date') day: string;
  @Column('integer', { default: 0 }) calls: number;
  @Column('integer', { default: 0 }) failures: number;
  /** Consecutive failures, counted across days. */
  @Column('integer', { default: 0 }) failuresInRow: number;
  @Column('bigint', { default: 0 }) costMicros: string;
  @Column('bigint', { default: 0 }) totalMs: string;
  @Column('text', { nullable: true }) lastFailure: string | null;
  @Column('timestamptz', { nullable: true }) lastFailureAt: Date | null;
  @Column('timestamptz', { nullable: true }) lastAnswerAt: Date | null;
}
