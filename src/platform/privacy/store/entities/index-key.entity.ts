import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../database/regulated/regulated.js';

/** A key for blind indexes. */
@Unregulated('another key finds nothing, and a new one is an entry')
@Entity('index_keys')
export class IndexKeyEntity {
  @PrimaryColumn('smallint') number: number;
  /** The key, encrypted under INDEX_KEY; null until the first start after the migration. */
  @Column('bytea', { nullable: true }) sealed: Buffer | null;
  /** The check value (`keyCheckValueOf`) of the INDEX_KEY that encrypts it. */
  @Column('text', { nullable: true }) sealedBy: string | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) madeAt: Date;
}
