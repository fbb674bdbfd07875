import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { PartyRole } from '../../domain/party-role.js';
import type { Qualifier } from '../../domain/qualify.js';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';
import type { StoredHit } from '../../domain/records.js';

/** A customer or party that resembles an entry of a list, and the decision on it. */
@Regulated({
  of: 'screening_hit',
  by: 'id',
  links: { customer: 'customerId' },
  free: {
    seen: 'how often it was met again',
    lastSeenAt: 'when it was met last',
    awaitsCase: 'work that is still to do',
  },
})
@Entity('screening_hits')
export class ScreeningHitEntity implements StoredHit {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('bytea') subjectIndex: Buffer;
  @Column('uuid', { nullable: true }) customerId: string | null;
  @Column('uuid', { nullable: true }) transactionRef: string | null;
  @Column('text') role: PartyRole;
  @Column('uuid') listId: string;
  @Column('text') entryKey: string;
  @Column('uuid') entryId: string;
  @Column('bytea') entryHash: Buffer;
  @Column('uuid') snapshotId: string;
  @Column('text') scorerVersion: string;
  @Column('real') score: number;
  @Column('real') nameScore: number;
  @Column('text') strength: 'DOCUMENT' | 'STRONG' | 'NAME' | 'CONTRADICTED';
  @Column('boolean') mandatory: boolean;
  @Column('text', { array: true }) qualifiers: Qualifier[];
  @Column('bytea') sealedExplanation: Buffer;
  @Column('text', { default: 'PENDING' }) status:
    'PENDING' | 'CONFIRMED' | 'DISMISSED_FALSE_POSITIVE' | 'ESCALATED';
  @Column('integer', { default: 0 }) reopened: number;
  @Column('text', { nullable: true }) decidedBy: string | null;
  @Column('timestamptz', { nullable: true }) decidedAt: Date | null;
  @Column('bytea', { nullable: true }) justification: Buffer | null;
  @Column('integer', { default: 1 }) seen: number;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) lastSeenAt: Date;
  @Column('boolean', { default: false }) awaitsCase: boolean;
  /** Customer merge: the hit whose disposition was copied to this hit. */
  @Column('uuid', { nullable: true }) decidedAs: string | null;
  /** The customer whose transaction names the person; null if the person is the customer, or no customer is known. */
  @Column('uuid', { nullable: true }) forCustomerId: string | null;
  @Column('timestamptz', { nullable: true }) expiresAt: Date | null;
  /** True if no independent second person existed to approve the disposition. */
  @Column('boolean', { default: false }) singleControl: boolean;
}
