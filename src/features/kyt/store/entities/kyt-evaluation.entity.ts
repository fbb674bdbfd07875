import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

/** A version of the evaluation of a transaction, with its receipt. */
@Regulated({ of: 'transaction', by: 'transactionRef', bound: 'ENTRY' })
@Entity('kyt_evaluations')
export class KytEvaluationEntity {
  @PrimaryColumn('uuid') transactionRef: string;
  @PrimaryColumn('integer') evaluationVersion: number;
  @Column('uuid') organisationId: string;
  @Column('text') outcome: 'APPROVED' | 'CHALLENGED' | 'REVIEW' | 'REJECTED';
  @Column('text') recommendedAction: 'NONE' | 'STEP_UP' | 'HOLD' | 'DECLINE';
  @Column('integer', { nullable: true }) riskScore: number | null;
  @Column('text', { nullable: true }) riskLevel: 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL' | null;
  @Column('text') composition: 'COMPLETE' | 'PARTIAL' | 'MISSING' | 'INCONSISTENT';
  @Column('boolean') defensible: boolean;
  @Column('uuid', { nullable: true }) rulesetId: string | null;
  /** Packed: `receiptText` reads it. */
  @Column('bytea') receipt: Buffer;
  @Column('bytea') receiptHash: Buffer;
  @Column('bytea') trailHash: Buffer;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) evaluatedAt: Date;
  /** Packed: `unpackFacts` reads them. */
  @Column('bytea', { nullable: true }) facts: Buffer | null;
  @Column('text', { nullable: true }) brief: string | null;
}
