import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A word of a customer's name, as a keyed hash. */
@Unregulated('words to search by, derived from the profile, which is bound')
@Entity('name_words')
export class NameWordEntity {
  @PrimaryColumn('uuid') customerId: string;
  @PrimaryColumn('bytea') word: Buffer;
  @Column('smallint') words: number;
  @PrimaryColumn('uuid') organisationId: string;
}
