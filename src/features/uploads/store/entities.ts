import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../platform/database/regulated/regulated.js';
import type { StoredArtifact } from '../domain/artifact.js';

/** An uploaded file. Its bytes are in the artifact store. */
@Regulated({ of: 'artifact', by: 'id', links: { customer: 'customerId' } })
@Entity('artifacts')
export class ArtifactEntity implements StoredArtifact {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') ownerType: 'SESSION' | 'REVIEW' | 'CUSTOMER';
  @Column('uuid') ownerId: string;
  @Column('text', { nullable: true }) stepId: string | null;
  @Column('text') kind: 'DOCUMENT' | 'SELFIE' | 'PROOF_OF_ADDRESS' | 'ATTACHMENT';
  @Column('text', { nullable: true }) documentType: string | null;
  @Column('text', { nullable: true }) side: 'FRONT' | 'BACK' | null;
  @Column('text') mimeType: 'image/jpeg' | 'image/png' | 'image/webp' | 'application/pdf';
  @Column('integer') sizeBytes: number;
  @Column('integer', { nullable: true }) width: number | null;
  @Column('integer', { nullable: true }) height: number | null;
  @Column('integer', { nullable: true }) pages: number | null;
  @Column('bytea') subjectIndex: Buffer;
  @Column('uuid') keyId: string;
  @Column('bytea') contentIndex: Buffer;
  @Column('bytea') sealed: Buffer;
  @Column('text') storageKey: string;
  @Column('text', { nullable: true }) viewKey: string | null;
  @Column('text', { default: 'STORED' }) state: 'STORED' | 'LOST' | 'ERASED';
  @Column('uuid', { nullable: true }) customerId: string | null;
  @Column('text', { nullable: true }) unlinkedReason: string | null;
  @Column('text') receivedBy: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('timestamptz', { nullable: true }) linkedAt: Date | null;
  @Column('timestamptz', { nullable: true }) endedAt: Date | null;
  @Column('timestamptz') retainUntil: Date;
  @Column('bytea') trailHash: Buffer;
}

export const uploadsEntities = [ArtifactEntity];
