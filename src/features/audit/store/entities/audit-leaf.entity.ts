import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SubjectType } from '../../domain/entry.js';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A sealed entry: its index and hash in the Merkle tree of its organisation. */
@Unregulated('part of the log itself: leaves, checkpoints and anchors bind it')
@Entity('audit_leaves')
export class AuditLeafEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('bigint') leafIndex: string;
  @Column('text') subjectType: SubjectType;
  @Column('text') subjectId: string;
  @Column('integer') subjectSeq: number;
  @Column('bytea') hash: Buffer;
}
