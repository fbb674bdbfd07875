import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';

/** An owner or representative named in the session of a company, with customer, hits and own session. */
@Regulated({ of: 'session', by: 'sessionId' })
@Entity('kyc_session_people')
export class SessionPersonEntity {
  @PrimaryColumn('uuid') sessionId: string;
  @PrimaryColumn('uuid') organisationId: string;
  /** Index of the person over all groups of the flow, from 0. */
  @PrimaryColumn('integer') place: number;
  @PrimaryColumn('integer') round: number;
  @Column('text') stepId: string;
  @Column('text') kind: 'OWNER' | 'REPRESENTATIVE';
  /** Null if the person has no tax id. */
  @Column('uuid', { nullable: true }) customerId: string | null;
  @Column('numeric', { nullable: true, precision: 5, scale: 2 }) share: string | null;
  @Column('uuid', { array: true, default: [] }) hitIds: string[];
  @Column('uuid', { nullable: true }) childSessionId: string | null;
}
