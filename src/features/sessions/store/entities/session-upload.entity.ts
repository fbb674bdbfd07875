import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

/** A file that a step received or refused. */
@Regulated({ of: 'session', by: 'sessionId' })
@Entity('kyc_session_uploads')
export class SessionUploadEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') sessionId: string;
  @Column('text') stepId: string;
  @Column('uuid', { nullable: true }) artifactId: string | null;
  @Column('text', { nullable: true }) documentType: string | null;
  @Column('text', { nullable: true }) side: 'FRONT' | 'BACK' | null;
  @Column('text', { nullable: true }) rejection: string | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
}
