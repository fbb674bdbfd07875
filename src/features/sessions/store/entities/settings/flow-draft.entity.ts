import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../../platform/database/regulated/regulated.js';

/** A draft of a flow, possibly invalid. */
@Unregulated('nothing is verified by a draft; what is published is bound as a version')
@Entity('flow_drafts')
export class FlowDraftEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') key: string;
  @Column('jsonb') definition: object;
  /** Answers for the preview. */
  @Column('jsonb', { default: {} }) sample: object;
  @Column('integer', { default: 1 }) revision: number;
  @Column('text') author: string;
  @Column('timestamptz') updatedAt: Date;
}
