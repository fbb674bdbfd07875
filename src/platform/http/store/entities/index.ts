import { IdempotencyKeyEntity } from './idempotency-key.entity.js';
import { RequestLogEntity } from './request-log.entity.js';

export const httpEntities = [IdempotencyKeyEntity, RequestLogEntity];
