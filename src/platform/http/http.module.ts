import { Global, Module } from '@nestjs/common';
import { APP_FILTER, DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessCheck } from './access/access-check.js';
import { BodyGuard } from './body/body.guard.js';
import { CrossOrigin } from './requests/cross-origin.js';
import { ErrorFilter } from './errors/error.filter.js';
import { HealthController } from './health.controller.js';
import { HttpMetrics } from './requests/http-metrics.js';
import { IdempotencyKeys } from './idempotency/idempotency-keys.js';
import { IdempotencySweep } from './idempotency/idempotency-sweep.service.js';
import { KeepAliveConnections } from './requests/keep-alive-connections.js';
import { QueryGuard } from './body/query.guard.js';
import { RateLimiter } from './limits/rate-limiter.js';
import { Readiness } from './readiness.js';
import { RequestLog } from './request-log/request-log.service.js';
import { RequestLogController } from './request-log/request-log.controller.js';
import { RequestRecorder } from './requests/request-recorder.js';
import { RouteTable } from './route-table.js';
import { SharedBuckets } from './limits/shared-buckets.js';
import { httpEntities } from './store/entities.js';

// Global, because the controllers of every feature use its interceptors and services.
@Global()
@Module({
  imports: [TypeOrmModule.forFeature(httpEntities), DiscoveryModule],
  controllers: [HealthController, RequestLogController],
  providers: [
    AccessCheck,
    BodyGuard,
    CrossOrigin,
    ErrorFilter,
    HttpMetrics,
    IdempotencyKeys,
    IdempotencySweep,
    KeepAliveConnections,
    QueryGuard,
    RateLimiter,
    Readiness,
    RequestLog,
    RequestRecorder,
    RouteTable,
    SharedBuckets,
    { provide: APP_FILTER, useExisting: ErrorFilter },
  ],
  exports: [
    BodyGuard,
    CrossOrigin,
    ErrorFilter,
    IdempotencyKeys,
    QueryGuard,
    RateLimiter,
    Readiness,
    RequestRecorder,
    RouteTable,
  ],
})
export class HttpModule {}
