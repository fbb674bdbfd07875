import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A filter of the list of cases that somebody wants again. */
@Unregulated('how a list is looked at; no decision rests on it')
@Entity('saved_views')
export class SavedViewEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') ownerId: string;
  @Column('boolean', { default: false }) shared: boolean;
  /** Its name and its filter, sealed because people write into both what they like. */
  @Column('bytea') sealed: Buffer;
  @Column('timestamptz') updatedAt: Date;
}
