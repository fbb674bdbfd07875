import { Global, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { DiscoveryModule } from '@nestjs/core';
import { AccessCheck } from './access-check.js';
import { BodyGuard } from './body.guard.js';
import { CrossOrigin } from './cross-origin.js';
import { ErrorFilter } from './error.filter.js';
import { HealthController } from './health.controller.js';
import { HttpMetrics } from './http-metrics.js';
import { IdempotencyKeys } from './idempotency-keys.js';
import { IdempotencySweep } from './idempotency-sweep.js';
import { KeptConnections } from './kept-connections.js';
import { QueryGuard } from './query.guard.js';
import { RateLimiter } from './rate-limiter.js';
import { Readiness } from './readiness.js';
import { RouteTable } from './route-table.js';
import { SharedBuckets } from './shared-buckets.js';

// Its interceptors and services are for the controllers of every feature.
@Global()
@Module({
  imports: [DiscoveryModule],
  controllers: [HealthController],
  providers: [
    AccessCheck,
    BodyGuard,
    CrossOrigin,
    ErrorFilter,
    HttpMetrics,
    IdempotencyKeys,
    IdempotencySweep,
    KeptConnections,
    QueryGuard,
    RateLimiter,
    Readiness,
    RouteTable,
    SharedBuckets,
    { provide: APP_FILTER, useExisting: ErrorFilter },
  ],
  exports: [
    BodyGuard,
    CrossOrigin,
    ErrorFilter,
    HttpMetrics,
    IdempotencyKeys,
    QueryGuard,
    RateLimiter,
    Readiness,
    RouteTable,
  ],
})
export class HttpModule {}
