import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { DiscoveryModule } from '@nestjs/core';
import { AccessCheck } from './access-check.js';
import { BodyGuard } from './body.guard.js';
import { ErrorFilter } from './error.filter.js';
import { HealthController } from './health.controller.js';
import { HttpMetrics } from './http-metrics.js';
import { KeptConnections } from './kept-connections.js';
import { RateLimiter } from './rate-limiter.js';
import { Readiness } from './readiness.js';
import { RouteTable } from './route-table.js';

@Module({
  imports: [DiscoveryModule],
  controllers: [HealthController],
  providers: [
    AccessCheck,
    BodyGuard,
    ErrorFilter,
    HttpMetrics,
    KeptConnections,
    RateLimiter,
    Readiness,
    RouteTable,
    { provide: APP_FILTER, useExisting: ErrorFilter },
  ],
  exports: [BodyGuard, ErrorFilter, HttpMetrics, RateLimiter, Readiness, RouteTable],
})
export class HttpModule {}
