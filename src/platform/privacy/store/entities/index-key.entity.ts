import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../database/regulated/regulated.js';

/** A key of the blind indexes. */
@Unregulated('another key finds nothing, and a new one is an entry')
@Entity('index_keys')
export class IndexKeyEntity {
  @PrimaryColumn('smallint') number: number;
  /** Null until the first start after the migration. */
  @Column('bytea', { nullable: true }) sealed: Buffer | null;
  /** The check value of the INDEX_KEY that opens it. */
  @Column('text', { nullable: true }) sealedBy: string | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) madeAt: Date;
}
