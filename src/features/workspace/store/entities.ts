import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../platform/database/regulated/regulated.js';

/** A saved filter of the list of cases. */
@Unregulated('how a list is looked at; no decision rests on it')
@Entity('saved_views')
export class SavedViewEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') ownerId: string;
  @Column('boolean', { default: false }) shared: boolean;
  /** Name and filter, encrypted because their text is free. */
  @Column('bytea') sealed: Buffer;
  @Column('timestamptz') updatedAt: Date;
}

export const workspaceEntities = [SavedViewEntity];
