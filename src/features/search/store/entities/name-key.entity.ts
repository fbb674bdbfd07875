import { Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

@Unregulated('what a word is found by, derived from the profile, which is bound')
@Entity('name_keys')
export class NameKeyEntity {
  @PrimaryColumn('bytea') key: Buffer;
  @PrimaryColumn('bytea') word: Buffer;
  @PrimaryColumn('uuid') organisationId: string;
}
