import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../platform/database/regulated/regulated.js';

/** An import of exchange rates. */
@Regulated({ of: 'fx_import', by: 'id' })
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
  @Column('boolean', { default: false }) singleControl: boolean;
}

/** An exchange rate of a day, in reais per unit. */
@Regulated({ of: 'fx_import', by: 'importId' })
@Entity('fx_rates')
export class FxRateEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') currency: string;
  @PrimaryColumn('date') rateDate: string;
  @Column('numeric') rate: string;
  @PrimaryColumn('uuid') importId: string;
}

export const fxEntities = [FxImportEntity, FxRateEntity];
