import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The attempts at an endpoint in an hour, counted. */
@Entity('webhook_endpoint_hours')
export class WebhookEndpointHourEntity {
  @PrimaryColumn('uuid') endpointId: string;
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('timestamptz') hour: Date;
  @Column('integer', { default: 0 }) attempts: number;
  @Column('integer', { default: 0 }) delivered: number;
  @Column('integer', { default: 0 }) failedAttempts: number;
  @Column('integer', { default: 0 }) exhausted: number;
  @Column('integer', { default: 0 }) cancelled: number;
  @Column('bigint', { default: 0 }) durationMs: string;
  @Column('integer', { default: 0 }) slowestMs: number;

  /** The mean time of an attempt. */
  get averageMs(): number | null {
    return this.attempts === 0 ? null : Math.round(Number(this.durationMs) / this.attempts);
  }
}
