import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';
import type { ProviderKind } from '../../domain/provider.js';

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
