import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../database/regulated/regulated.js';

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
