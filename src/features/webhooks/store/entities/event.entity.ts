import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A published event with its encrypted payload. */
@Unregulated('two for each transaction; counted against their sequence')
@Entity('events')
export class EventEntity {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') organisationId: string;
  @Column('uuid') clientAppId: string;
  @Column('text') type: string;
  @Column('text') resourceType: string;
  @Column('uuid') resourceId: string;
  @Column('integer') sequence: number;
  @Column('bytea') sealedPayload: Buffer;
  @Column('text', { nullable: true }) traceparent: string | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('bigint', { default: () => '((pg_current_xact_id()))' }) position: string;
}
