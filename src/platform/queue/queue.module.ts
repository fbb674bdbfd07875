import { BullModule } from '@nestjs/bull';
import { Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { readOf, readRedisUrl, Settings } from '../config/index.js';
import { BullTransport, LEFT_TO_OTHERS } from './transports/bull.transport.js';
import { InProcessTransport } from './transports/in-process.transport.js';
import { Outbox } from './outbox.js';
import { OutboxRelay } from './outbox-relay.js';
import { ProcessorCheck } from './processor-check.js';
import { Processors } from './processors.js';
import { QueueMetrics } from './queue-metrics.js';
import { queueNames, processesQueue } from './queues.js';
import { Reconciler } from './reconciler.js';
import { RelaySignal } from './relay-signal.js';
import { QueueTransport } from './transports/transport.js';
import { queueEntities } from './store/entities.js';

// Bull redelivers the job of a dead process after at most lockDuration plus stalledInterval (7.5 s). Until then nothing
// else announces rows of the job that no worker had claimed.
const WORKER_SETTINGS = {
  lockDuration: 5_000,
  stalledInterval: 2_500,
  maxStalledCount: 5,
  drainDelay: 5,
  // No job has a delay, so that the timer for delayed jobs has nothing to do.
  guardInterval: 60_000,
  // The pause before a worker retries after a Redis outage.
  retryProcessDelay: 500,
};

const bullModules = (role: string): DynamicModule[] => [
  BullModule.forRootAsync({
    inject: [Settings],
    useFactory: (settings: Settings) => ({
      prefix: settings.queuePrefix,
      // Fails fast if Redis is unavailable: the rows wait in the outbox, and no caller waits for Redis.
      redis: {
        ...readOf('REDIS_URL', readRedisUrl(settings.redisUrl ?? '')),
        maxRetriesPerRequest: 1,
        retryStrategy: (attempt: number) => Math.min(50 * 2 ** attempt, 1_000),
        connectTimeout: 5_000,
      },
      // Attempts and dead letters are in PostgreSQL. A job is only a hint, so Bull neither retries nor keeps it.
      defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
    }),
  }),
  BullModule.registerQueue(
    ...queueNames.map((name) => ({
      name,
      settings: { ...WORKER_SETTINGS, [LEFT_TO_OTHERS]: !processesQueue(role, name) },
    })),
  ),
];

@Module({})
export class QueueModule {
  static with(settings: Settings): DynamicModule {
    const transport = settings.redisUrl ? BullTransport : InProcessTransport;
    return {
      module: QueueModule,
      global: true,
      imports: [
        TypeOrmModule.forFeature(queueEntities),
        DiscoveryModule,
        ...(settings.redisUrl ? bullModules(settings.role) : []),
      ],
      providers: [
        Outbox,
        OutboxRelay,
        Processors,
        ProcessorCheck,
        QueueMetrics,
        Reconciler,
        RelaySignal,
        { provide: QueueTransport, useClass: transport },
      ],
      exports: [Outbox, QueueTransport, Reconciler],
    };
  }
}
