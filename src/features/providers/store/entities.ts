import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated, Unregulated } from '../../../platform/database/regulated/regulated.js';
import type { ProviderKind } from '../domain/provider.js';

/** An immutable version of a provider's configuration. */
@Regulated({ of: 'provider', by: 'id' })
@Entity('check_providers')
export class CheckProviderEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') name: string;
  @Column('integer') version: number;
  @Column('text', { array: true }) checks: ProviderKind[];
  @Column('text') url: string;
  @Column('integer') timeoutMs: number;
  @Column('integer') costMicros: number;
  @Column('integer') rank: number;
  @Column('boolean') enabled: boolean;
  @Column('integer') secretGeneration: number;
  @Column('bytea') contentHash: Buffer;
  @Column('text') createdBy: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('boolean', { default: false }) singleControl: boolean;
}

/** A provider's answer about a session, stored so that no call is paid twice; encrypted under the person's key. */
@Unregulated('an answer that is kept until the session has its result, which is bound')
@Entity('provider_answers')
export class ProviderAnswerEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('uuid') sessionId: string;
  @PrimaryColumn('integer') round: number;
  @PrimaryColumn('text') kind: string;
  @PrimaryColumn('text') provider: string;
  @Column('bytea') sealed: Buffer;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) answeredAt: Date;
}

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

export const providersEntities = [CheckProviderEntity, ProviderAnswerEntity, ProviderUsageEntity];
