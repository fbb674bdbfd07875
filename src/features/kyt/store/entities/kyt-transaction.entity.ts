import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';
import type { StoredTransactionColumns } from '../../domain/claimed.js';

/** A submitted transaction; the body is encrypted. */
@Regulated({
  of: 'transaction',
  by: 'id',
  bound: 'ENTRY',
  free: {
    seq: 'the order of arrival, given by the database',
    velocityEntry: 'computed by the database from the others',
    receivedSpan: 'computed by the database from the id',
  },
})
@Entity('kyt_transactions')
export class KytTransactionEntity implements StoredTransactionColumns {
  @PrimaryColumn('uuid') id: string;
  @Column({ type: 'bigint', generatedIdentity: 'ALWAYS', insert: false, update: false }) seq: string;
  @Column('uuid') organisationId: string;
  @Column('uuid') clientAppId: string;
  @Column('text') transactionId: string;
  @Column('text') source: 'INGEST' | 'LEGACY';
  @Column('text') type: string;
  /** True if the transaction moves banknotes. */
  @Column('boolean') cash: boolean;
  @Column('text') channel: string;
  @Column('numeric') amount: string;
  @Column('text') currency: string;
  @Column('text', { nullable: true }) direction: 'IN' | 'OUT' | null;
  @Column('text') directionSource: string;
  @Column('timestamptz') occurredAt: Date;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) receivedAt: Date;
  @Column('bytea') fingerprint: Buffer;
  @Column('bytea', { nullable: true }) documentKey: Buffer | null;
  /** Blind index of the document; if there is none, of the institution's id; else of the account. */
  @Column('bytea', { nullable: true }) customerKey: Buffer | null;
  /** Blind index of the institution's id of the customer. */
  @Column('bytea', { nullable: true }) externalKey: Buffer | null;
  @Column('bytea', { nullable: true }) accountKey: Buffer | null;
  @Column('bytea', { nullable: true }) deviceKey: Buffer | null;
  @Column('bytea', { nullable: true }) ipKey: Buffer | null;
  @Column('bytea', { nullable: true }) counterpartyKey: Buffer | null;
  @Column('bytea', { nullable: true }) cardKey: Buffer | null;
  /** Empty if none was sent; null in rows that are older than the column. */
  @Column('text', { nullable: true }) originCountry: string | null;
  @Column('text', { nullable: true }) destinationCountry: string | null;
  @Column('bytea') sealedBody: Buffer;
  @Column('text', { nullable: true, array: true }) warnings: string[] | null;
  @Column('text') requestId: string;
  @Column('text') correlationId: string;
  @Column('text', { nullable: true }) traceparent: string | null;
  @Column('bytea') trailHash: Buffer;
  @Column({ type: 'bytea', insert: false, update: false }) velocityEntry: Buffer;
  /** The time of receipt, from the id, in spans of 65.536 seconds since 1970. */
  @Column({ type: 'integer', insert: false, update: false }) receivedSpan: number;
}
