import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/**
 * The state of a transaction that is not simply approved: the outcome of its newest evaluation or of the decision about
 * it, its score, and whether that is defensible. Lists find such transactions by it among all the others.
 */
@Unregulated(
  'derived by the database from evaluations and decisions, to find them; what is shown is read from those',
)
@Entity('kyt_standings')
export class KytStandingEntity {
  @PrimaryColumn('uuid') transactionRef: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('integer') evaluationVersion: number;
  @Column('text') outcome: 'APPROVED' | 'CHALLENGED' | 'REVIEW' | 'REJECTED';
  @Column('integer', { nullable: true }) riskScore: number | null;
  @Column('boolean') defensible: boolean;
}
