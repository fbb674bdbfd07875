import { IdempotencyKeyEntity } from './idempotency-key.entity.js';
import { RequestLogEntity } from './request-log.entity.js';

/** One for each table of this module. */
export const httpEntities = [IdempotencyKeyEntity, RequestLogEntity];
