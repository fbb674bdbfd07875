import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

@Unregulated('a log of the delivery')
@Entity('webhook_attempts')
export class WebhookAttemptEntity {
  @PrimaryColumn('uuid') deliveryId: string;
  @PrimaryColumn('integer') attempt: number;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) startedAt: Date;
  @Column('integer') durationMs: number;
  @Column('integer', { nullable: true }) statusCode: number | null;
  @Column('text', { nullable: true }) errorCode: string | null;
  @Column('text', { nullable: true }) responseExcerpt: string | null;
  @Column('uuid') organisationId: string;
}
