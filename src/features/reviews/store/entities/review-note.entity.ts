import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

/** An encrypted note of a case. */
@Regulated({ of: 'review', by: 'reviewId' })
@Entity('review_notes')
export class ReviewNoteEntity {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') reviewId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') authorId: string;
  @Column('bytea') sealed: Buffer;
  @Column('uuid', { array: true, default: [] }) artifactIds: string[];
  @Column('timestamptz') writtenAt: Date;
  @Column('text', { default: 'NOTE' }) kind:
    'REASON' | 'NOTE' | 'INFO_REQUEST' | 'INFO' | 'JUSTIFICATION' | 'RETURN';
}
