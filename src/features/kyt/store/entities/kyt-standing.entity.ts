import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/**
 * An index for lists: outcome, score and defensibility of a transaction, by its newest evaluation or decision. Approved
 * and defensible transactions with a score of 0, which are most, have no row.
 */
@Unregulated(
  'derived by the database from evaluations and decisions, to find them; the trail of a transaction compares it with those',
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
