import { Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A customer whose profile has changed since its name was indexed. */
@Unregulated('work that is still to do; it follows the profile, which is bound')
@Entity('name_changes')
export class NameChangeEntity {
  @PrimaryColumn('uuid') customerId: string;
  @PrimaryColumn('uuid') organisationId: string;
}
