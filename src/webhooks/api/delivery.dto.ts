import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { IsText, PageQuery } from '../../http/index.js';
import { publicId } from '../../kernel/index.js';
import { eventTypes } from '../domain/event.js';
import {
  deliveryStatuses,
  type DeliveryStatus,
  type LoggedAttempt,
  type LoggedDelivery,
} from '../store/delivery-log.queries.js';

const instant = { type: String, format: 'date-time', example: '2026-11-20T12:00:00.000Z' } as const;
const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

export class DeliveryQuery extends PageQuery {
  @ApiPropertyOptional({ example: 'whe_01999e8e7c5b7d0f9a3c5f2d1b4e6a77' })
  @IsOptional()
  @IsText({ max: 64 })
  endpointId?: string;

  @ApiPropertyOptional({ example: 'evt_01999e8e7c5b7d0f9a3c5f2d1b4e6a80' })
  @IsOptional()
  @IsText({ max: 64 })
  eventId?: string;

  @ApiPropertyOptional({ enum: deliveryStatuses })
  @IsOptional()
  @IsIn(deliveryStatuses)
  status?: DeliveryStatus;
}

export class DeliveryView {
  @ApiProperty({ example: 'whd_01999e8e7c5b7d0f9a3c5f2d1b4e6a77', description: 'As in X-Vigia-Delivery.' })
  id: string;

  @ApiProperty({ example: 'evt_01999e8e7c5b7d0f9a3c5f2d1b4e6a80' })
  eventId: string;

  @ApiProperty({ enum: eventTypes })
  eventType: string;

  @ApiProperty({ type: 'integer', example: 1 })
  sequence: number;

  @ApiProperty({ example: 'whe_01999e8e7c5b7d0f9a3c5f2d1b4e6a77' })
  endpointId: string;

  @ApiProperty({ enum: deliveryStatuses, description: 'EXHAUSTED: given up after the whole schedule.' })
  status: string;

  @ApiProperty({ type: 'integer', example: 2 })
  attempts: number;

  @ApiProperty({ type: 'integer', nullable: true, example: 503 })
  lastStatusCode: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'HTTP_503',
    description: 'Why the last attempt failed.',
  })
  lastError: string | null;

  @ApiProperty({ ...instant, nullable: true, description: 'When it is tried next.' })
  nextAttemptAt: string | null;

  @ApiProperty(instant)
  createdAt: string;

  @ApiProperty({ ...instant, nullable: true })
  finishedAt: string | null;

  static of(row: LoggedDelivery): DeliveryView {
    return {
      id: publicId('whd', row.id),
      eventId: publicId('evt', row.eventId),
      eventType: row.eventType,
      sequence: row.sequence,
      endpointId: publicId('whe', row.endpointId),
      status: row.status,
      attempts: row.attempts,
      lastStatusCode: row.lastStatusCode,
      lastError: row.lastError,
      nextAttemptAt: iso(row.nextAttemptAt),
      createdAt: row.createdAt.toISOString(),
      finishedAt: iso(row.finishedAt),
    };
  }
}

export class OperatorAttemptView {
  @ApiProperty({ type: 'integer', example: 1 })
  number: number;

  @ApiProperty(instant)
  startedAt: string;

  @ApiProperty({ type: 'integer', example: 37 })
  durationMs: number;

  @ApiProperty({ type: 'integer', nullable: true, example: 503 })
  statusCode: number | null;

  @ApiProperty({ type: String, nullable: true, example: null, description: 'TIMEOUT, ECONNREFUSED, …' })
  errorCode: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'upstream not available',
    description: 'The beginning of the answer, at most 4 KiB, with secrets and document numbers masked.',
  })
  responseExcerpt: string | null;

  static of(row: LoggedAttempt): OperatorAttemptView {
    return { ...row, startedAt: row.startedAt.toISOString() };
  }
}

/** An attempt as the application may see it: without what the receiver answered. */
export class AttemptView extends OmitType(OperatorAttemptView, ['responseExcerpt'] as const) {
  static of({ number, startedAt, durationMs, statusCode, errorCode }: LoggedAttempt): AttemptView {
    return { number, startedAt: startedAt.toISOString(), durationMs, statusCode, errorCode };
  }
}

interface Detailed {
  readonly delivery: LoggedDelivery;
  readonly attempts: readonly LoggedAttempt[];
}

export class DeliveryDetailView extends DeliveryView {
  @ApiProperty({ type: [AttemptView] })
  log: AttemptView[];

  static from({ delivery, attempts }: Detailed): DeliveryDetailView {
    const shown: Omit<DeliveryView, never> = DeliveryView.of(delivery);
    return { ...shown, log: attempts.map((row) => AttemptView.of(row)) };
  }
}

export class OperatorDeliveryDetailView extends DeliveryView {
  @ApiProperty({ type: [OperatorAttemptView] })
  log: OperatorAttemptView[];

  static from({ delivery, attempts }: Detailed): OperatorDeliveryDetailView {
    const shown: Omit<DeliveryView, never> = DeliveryView.of(delivery);
    return { ...shown, log: attempts.map((row) => OperatorAttemptView.of(row)) };
  }
}
