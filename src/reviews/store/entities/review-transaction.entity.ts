import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An evaluation that a case is about. */
@Entity('review_transactions')
export class ReviewTransactionEntity {
  @PrimaryColumn('uuid') reviewId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('uuid') transactionRef: string;
  @PrimaryColumn('integer') evaluationVersion: number;
  @Column('text') origin: 'EVALUATION' | 'OPERATOR' | 'REOPENED' | 'RELATED';
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) linkedAt: Date;
}
