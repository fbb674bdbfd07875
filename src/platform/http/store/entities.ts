import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../database/regulated/regulated.js';

/** An idempotency key: the stored answer to its request, or the lease of the process that handles the request. */
@Unregulated('answers for a day, for repeated requests')
@Entity('idempotency_keys')
export class IdempotencyKeyEntity {
  @PrimaryColumn('bytea') slot: Buffer;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text') route: string;
  @Column('bytea') fingerprint: Buffer;
  @Column('integer', { default: 1 }) fence: number;
  @Column('timestamptz') leaseUntil: Date;
  @Column('boolean', { default: false }) effective: boolean;
  @Column('bytea', { nullable: true }) sealedAnswer: Buffer | null;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('timestamptz') expiresAt: Date;
}

/**
 * Requests of an application that began in one second and differ in nothing but their id, duration and size: their
 * shape, and how they were answered. A request with a request id or correlation id of its caller has a row of its own.
 */
@Unregulated('for integrators to look at; kept thirty days')
@Entity('request_log')
export class RequestLogEntity {
  /** The first of `ids`. */
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('uuid') clientAppId: string;
  /** The whole second in which the requests began. */
  @PrimaryColumn('timestamptz') second: Date;
  /** The ids of the requests. The first 48 bits of an id are the time at which its request began, in milliseconds. */
  @Column('uuid', { array: true }) ids: string[];
  /** The request id that the caller sent; null if the service made the request ids, which then follow from `ids`. */
  @Column('text', { nullable: true }) requestId: string | null;
  /** The correlation id; null if it equals the request id. */
  @Column('text', { nullable: true }) correlationId: string | null;
  @Column('text') method: string;
  @Column('text') route: string;
  @Column('smallint') status: number;
  @Column('text', { nullable: true }) code: string | null;
  /** In milliseconds, in the order of `ids`. */
  @Column('real', { array: true }) durationsMs: number[];
  /** The sizes of the bodies in bytes, in the order of `ids`; null for a request that did not announce its size. */
  @Column('integer', { array: true }) bytesIn: (number | null)[];
  /** Paths of the fields of the body, separated by blanks. */
  @Column('text', { nullable: true }) fields: string | null;
  /** A path and a code in each line. */
  @Column('text', { nullable: true }) faults: string | null;
}

export const httpEntities = [IdempotencyKeyEntity, RequestLogEntity];
