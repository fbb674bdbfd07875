import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../../platform/database/regulated/regulated.js';

/** The newest checkpoint of a log that an anchor file or a witness has, outside the database. */
@Unregulated('it says where a checkpoint is kept; the file and the signed note prove what it was')
@Entity('audit_anchors')
export class AuditAnchorEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') kind: 'FILE' | 'WITNESS';
  /** The host and its file, or the name and key of the witness. */
  @PrimaryColumn('text') name: string;
  @Column('integer') incarnation: number;
  @Column('bigint') size: string;
  @Column('bytea') root: Buffer;
  /** The signed note; from a witness, with the signature of the witness. */
  @Column('text') note: string;
  @Column('timestamptz') seenAt: Date;
}
