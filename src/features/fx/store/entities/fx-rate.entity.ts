import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

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
