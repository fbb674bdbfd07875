import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { LeadReason } from '../../domain/alert.js';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

/** A transaction of a case, with the version of its evaluation. */
@Regulated({ of: 'review', by: 'reviewId' })
@Entity('review_transactions')
export class ReviewTransactionEntity {
  @PrimaryColumn('uuid') reviewId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('uuid') transactionRef: string;
  @PrimaryColumn('integer') evaluationVersion: number;
  @Column('text') origin: 'EVALUATION' | 'LOOK_BACK' | 'OPERATOR' | 'REOPENED' | 'RELATED';
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) linkedAt: Date;
  /** The merged cases from which the transaction was moved here, in order of the merges. */
  @Column('uuid', { array: true, default: [] }) cameWith: string[];
  /** The score of the evaluation. */
  @Column('integer', { nullable: true }) points: number | null;
  /** The amount in centavos (BRL). */
  @Column('bigint', { nullable: true }) amountCents: string | null;
  @Column('jsonb', { nullable: true }) lead: LeadReason | null;
  @Column('text', { array: true, default: [] }) rules: string[];
  @Column('text', { array: true, default: [] }) countries: string[];
  /** The look-back that raised the alert. */
  @Column('uuid', { nullable: true }) lookBackId: string | null;
  /** The hits about the parties of the transaction, also those that were not mandatory when they were found. */
  @Column('uuid', { array: true, default: [] }) hitIds: string[];
}
