import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../database/regulated/regulated.js';

/** A part of the set of blind indexes that are stored under an older key. */
@Unregulated('which key finds something, and not what')
@Entity('known_indexes')
export class KnownIndexEntity {
  @PrimaryColumn('smallint') keyNumber: number;
  @PrimaryColumn('integer') part: number;
  /** The first four bytes of each index. */
  @Column('bytea') beginnings: Buffer;
  /** The id of the last transaction that was scanned for this part. */
  @Column('uuid', { nullable: true }) reached: string | null;
}
