import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A transaction that a dismissed hit did not stop. */
@Unregulated('what has to be judged again; the receipt of each transaction names the hit that let it through')
@Entity('hit_uses')
export class HitUseEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') hitId: string;
  @Column('uuid') transactionRef: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) usedAt: Date;
  /** When the dismissal was reversed; the transaction has to be re-evaluated after that. */
  @Column('timestamptz', { nullable: true }) reopenedAt: Date | null;
  @Column('timestamptz', { nullable: true }) judgedAt: Date | null;
}
