import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../database/regulated/regulated.js';

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

/** The encrypted data key of a subject; the key is null once it is destroyed. */
@Unregulated(
  'another key opens nothing, and the entry of an erasure names those that go: the check of keys holds them to it',
)
@Entity('subject_keys')
export class SubjectKeyEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('bytea') subjectIndex: Buffer;
  @Column('integer', { default: 1 }) generation: number;
  @Column('text') ringKeyId: string;
  @Column('bytea', { nullable: true }) wrappedKey: Buffer | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('timestamptz', { nullable: true }) eraseRequestedAt: Date | null;
  @Column('timestamptz', { nullable: true }) destroyedAt: Date | null;
  /** The erased customer, whose audit entry names this key. */
  @Column('uuid', { nullable: true }) erasedWith: string | null;
}

export const privacyEntities = [IndexKeyEntity, KnownIndexEntity, SubjectKeyEntity];
