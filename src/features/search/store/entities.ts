import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../platform/database/regulated/regulated.js';

/** A customer whose profile has changed since its name was indexed. */
@Unregulated('work that is still to do; it follows the profile, which is bound')
@Entity('name_changes')
export class NameChangeEntity {
  @PrimaryColumn('uuid') customerId: string;
  @PrimaryColumn('uuid') organisationId: string;
}

@Unregulated('what a word is found by, derived from the profile, which is bound')
@Entity('name_keys')
export class NameKeyEntity {
  @PrimaryColumn('bytea') key: Buffer;
  @PrimaryColumn('bytea') word: Buffer;
  @PrimaryColumn('uuid') organisationId: string;
}

/** A word of a customer's name, as a keyed hash. */
@Unregulated('words to search by, derived from the profile, which is bound')
@Entity('name_words')
export class NameWordEntity {
  @PrimaryColumn('uuid') customerId: string;
  @PrimaryColumn('bytea') word: Buffer;
  @Column('smallint') words: number;
  @PrimaryColumn('uuid') organisationId: string;
}

export const searchEntities = [NameChangeEntity, NameKeyEntity, NameWordEntity];
