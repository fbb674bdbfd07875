import { Module, type DynamicModule } from '@nestjs/common';
import { StructuredLogger } from './logger.js';
import { MetricsRegistry } from './metrics-registry.js';

@Module({})
export class TelemetryModule {
  static with(logger: StructuredLogger): DynamicModule {
    return {
      module: TelemetryModule,
      global: true,
      providers: [MetricsRegistry, { provide: StructuredLogger, useValue: logger }],
      exports: [MetricsRegistry, StructuredLogger],
    };
  }
}
