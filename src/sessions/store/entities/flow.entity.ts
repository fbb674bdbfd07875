import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { FlowDefinition } from '../../domain/flow/flow.js';

/** A version of a flow: which steps a session asks for. */
@Entity('flows')
export class FlowEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') key: string;
  @Column('integer') version: number;
  @Column('jsonb') definition: FlowDefinition;
  @Column('bytea') contentHash: Buffer;
  @Column('text') createdBy: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
}
