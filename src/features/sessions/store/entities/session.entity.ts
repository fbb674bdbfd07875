import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EvidenceComponent } from '../../domain/checks/evidence.js';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';
import type { NewSession, StoredSession } from '../../domain/records.js';

@Regulated({ of: 'session', by: 'id', links: { customer: 'customerId' } })
@Entity('kyc_sessions')
export class SessionEntity implements NewSession, StoredSession {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') clientAppId: string;
  @Column('uuid') customerId: string;
  @Column('bytea') subjectIndex: Buffer;
  @Column('uuid') flowId: string;
  @Column('bytea') linkHash: Buffer;
  @Column('bytea') linkSealed: Buffer;
  @Column('text', { default: 'PENDING' }) status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'EXPIRED';
  @Column('text', { nullable: true }) statusReason: 'TIMEOUT' | 'CANCELLED' | 'CHECKED' | null;
  @Column('text') trigger: 'OPERATOR' | 'STEP_UP' | 'API' | 'COMPANY' | 'REVERIFICATION';
  @Column('uuid', { nullable: true }) transactionRef: string | null;
  @Column('integer', { nullable: true }) evaluationVersion: number | null;
  @Column('uuid', { nullable: true }) previousSessionId: string | null;
  @Column('integer', { default: 1 }) attempt: number;
  @Column('text') createdBy: string;
  @Column('text', { nullable: true }) requestId: string | null;
  @Column('text') correlationId: string;
  @Column('text', { nullable: true }) traceparent: string | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('timestamptz') expiresAt: Date;
  @Column('timestamptz', { nullable: true }) submittedAt: Date | null;
  @Column('bytea', { nullable: true }) submissionHash: Buffer | null;
  @Column('bytea', { nullable: true }) answersSealed: Buffer | null;
  @Column('timestamptz', { nullable: true }) endedAt: Date | null;
  @Column('text', { nullable: true }) outcome: 'APPROVED' | 'REVIEW' | 'REJECTED' | null;
  @Column('integer', { nullable: true }) riskScore: number | null;
  @Column('text', { nullable: true }) composition: 'COMPLETE' | 'PARTIAL' | 'MISSING' | 'INCONSISTENT' | null;
  @Column('boolean', { nullable: true }) defensible: boolean | null;
  @Column('text', { array: true, default: [] }) nonDefensibleReasons: string[];
  @Column('jsonb', { default: [] }) evidence: EvidenceComponent[];
  /** 1, plus one for each resubmission. */
  @Column('integer', { default: 1 }) round: number;
  /** The creator's extras, encrypted: prefilled answers, metadata and redirect. */
  @Column('bytea', { nullable: true }) extrasSealed: Buffer | null;
  /** The version of the privacy notice that the session shows. */
  @Column('integer', { nullable: true }) noticeVersion: number | null;
  /** The session of the company that named this person as an owner or representative. */
  @Column('uuid', { nullable: true }) parentSessionId: string | null;
  /** The earlier session whose evidence is reused, with the person's consent. */
  @Column('uuid', { nullable: true }) reusedSessionId: string | null;
  @Column('bytea') trailHash: Buffer;
}
