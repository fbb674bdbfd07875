import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';
import type { OperatorDecision } from '../../domain/decided-data.js';

/** A person's decision in a case, as it applies to one transaction of the case. */
@Regulated({ of: 'transaction', by: 'transactionRef' })
@Entity('kyt_decisions')
export class KytDecisionEntity implements OperatorDecision {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') transactionRef: string;
  @Column('integer') evaluationVersion: number;
  @Column('uuid') reviewId: string;
  @Column('text') outcome: 'APPROVED' | 'REJECTED';
  @Column('integer') eventSequence: number;
  @Column('timestamptz') decidedAt: Date;
  /** True if one person decided alone, because there was nobody independent to approve. */
  @Column('boolean', { default: false }) singleControl: boolean;
  @Column('bytea') trailHash: Buffer;
}
