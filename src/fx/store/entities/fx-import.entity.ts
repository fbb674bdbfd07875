import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An import of exchange rates. */
@Entity('fx_imports')
export class FxImportEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') source: string;
  @Column('integer') rateCount: number;
  @Column('bytea') contentHash: Buffer;
  @Column('text') importedBy: string;
  @Column('timestamptz') importedAt: Date;
  @Column('bytea') trailHash: Buffer;
}
