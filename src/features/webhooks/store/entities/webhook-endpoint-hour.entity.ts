import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** The counts of attempts at an endpoint in an hour. */
@Unregulated('statistics')
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

  /** The share of the attempts that succeeded, from 0 to 1; null if there were none. */
  get successRate(): number | null {
    return successRateOf([this]);
  }

  get averageMs(): number | null {
    return this.attempts === 0 ? null : Math.round(Number(this.durationMs) / this.attempts);
  }
}

/** The share of the attempts that succeeded, from 0 to 1, rounded to four digits; null if there were none. */
export function successRateOf(
  hours: readonly Pick<WebhookEndpointHourEntity, 'attempts' | 'failedAttempts'>[],
): number | null {
  const attempts = hours.reduce((sum, hour) => sum + hour.attempts, 0);
  const failed = hours.reduce((sum, hour) => sum + hour.failedAttempts, 0);
  return attempts === 0 ? null : Math.round((10_000 * (attempts - failed)) / attempts) / 10_000;
}
