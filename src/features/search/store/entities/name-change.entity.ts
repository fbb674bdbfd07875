import { Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A customer whose profile changed since the words of the name were written. */
@Unregulated('work that is still to do; it follows the profile, which is bound')
@Entity('name_changes')
export class NameChangeEntity {
  @PrimaryColumn('uuid') customerId: string;
  @PrimaryColumn('uuid') organisationId: string;
}
