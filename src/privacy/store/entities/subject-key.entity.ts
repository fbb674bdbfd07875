import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The wrapped key of the personal data of a subject; null once it is destroyed. */
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
}
