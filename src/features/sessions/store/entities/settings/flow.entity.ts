import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { FlowDefinition } from '../../../domain/flow/flow.js';
import { Regulated } from '../../../../../platform/database/regulated/regulated.js';
import type { FlowVersion } from '../../../domain/records.js';

/** A version of a flow: which steps a session asks for. */
@Regulated({ of: 'flow', by: 'id' })
@Entity('flows')
export class FlowEntity implements FlowVersion {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') key: string;
  @Column('integer') version: number;
  @Column('jsonb') definition: FlowDefinition;
  @Column('bytea') contentHash: Buffer;
  @Column('text') createdBy: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('boolean', { default: false }) singleControl: boolean;
}
