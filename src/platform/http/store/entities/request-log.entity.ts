import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../database/regulated/regulated.js';

/** A request of an application: its shape, and how it was answered. */
@Unregulated('for integrators to look at; kept thirty days')
@Entity('request_log')
export class RequestLogEntity {
  /** The first 48 bits are the time at which the request began. */
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('uuid') clientAppId: string;
  /** The request id that the caller sent; null if the request id is made of `id`. */
  @Column('text', { nullable: true }) requestId: string | null;
  /** The correlation id; null if it equals the request id. */
  @Column('text', { nullable: true }) correlationId: string | null;
  @Column('text') method: string;
  @Column('text') route: string;
  @Column('smallint') status: number;
  @Column('text', { nullable: true }) code: string | null;
  @Column('real') durationMs: number;
  @Column('integer', { nullable: true }) bytesIn: number | null;
  /** Paths of the fields of the body, separated by blanks. */
  @Column('text', { nullable: true }) fields: string | null;
  /** A path and a code in each line. */
  @Column('text', { nullable: true }) faults: string | null;
}
