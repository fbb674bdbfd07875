import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An exchange rate of a day, in reais per unit. */
@Entity('fx_rates')
export class FxRateEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('text') currency: string;
  @PrimaryColumn('date') rateDate: string;
  @Column('numeric') rate: string;
  @PrimaryColumn('uuid') importId: string;
}
