import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Gauge } from 'prom-client';
import { Settings } from '../platform/config/index.js';
import { ConnectionWatch, noOrganisation, UnitOfWork } from '../platform/database/index.js';
import { outboxState, queueNames, QueueTransport } from '../platform/queue/index.js';
import { MetricsRegistry } from '../platform/telemetry/index.js';
import { FeedIncarnationsService } from '../features/webhooks/index.js';

/** Sets a gauge. Leaves it unset if the value is unknown, because an absent metric differs from zero. */
type Read = (gauge: Gauge) => Promise<void> | void;

/** Collects metrics of the process, the database and the queue at each scrape. */
@Injectable()
export class ServiceMetrics {
  constructor(
    private readonly metrics: MetricsRegistry,
    settings: Settings,
    connections: ConnectionWatch,
    uow: UnitOfWork,
    transport: QueueTransport,
    feed: FeedIncarnationsService,
  ) {
    // Event loop, garbage collection, memory, CPU time, handles.
    collectDefaultMetrics({ register: metrics.registry });
    this.addGauge(
      'vigia_build_info',
      'Always 1; the role of this process and its Node.js.',
      (gauge) => {
        gauge.set({ role: settings.role, node: process.version }, 1);
      },
      ['role', 'node'],
    );
    this.addGauge(
      'vigia_database_up',
      'Whether the last look found the database there and writable.',
      (gauge) => {
        gauge.set(connections.trouble === null ? 1 : 0);
      },
    );
    this.addGauge(
      'vigia_database_pool',
      'Connections of this process: in use, idle; and who waits for one.',
      (gauge) => {
        for (const [state, count] of Object.entries<number>({ ...connections.pool })) {
          gauge.set({ state }, count);
        }
      },
      ['state'],
    );
    this.addGauge(
      'vigia_outbox_oldest_seconds',
      'Age of the oldest message that waits for the queue; 0 when none waits.',
      async (gauge) => {
        const state = await uow.read(noOrganisation, outboxState);
        gauge.set(state.oldestSeconds);
      },
    );
    this.addGauge(
      'vigia_outbox_messages',
      'Messages that wait for the queue, counted up to 100,000.',
      async (gauge) => {
        const state = await uow.read(noOrganisation, outboxState);
        gauge.set(state.messages);
      },
    );
    this.addGauge(
      'vigia_queue_waiting_jobs',
      'Jobs that wait for a worker, by queue.',
      async (gauge) => {
        for (const queue of queueNames) {
          const waiting: number = await transport.countWaiting(queue);
          gauge.set({ queue }, waiting);
        }
      },
      ['queue'],
    );
    this.addGauge(
      'vigia_event_feed_life',
      'Which life of the feed this is; one more with each restore or promotion.',
      async (gauge) => {
        const life = (await feed.listIncarnations()).at(-1);
        if (life) gauge.set(life.number);
      },
    );
  }

  private addGauge(name: string, help: string, read: Read, labelNames: string[] = []): void {
    const gauge: Gauge = new Gauge({
      ...{ name, help, labelNames },
      registers: [this.metrics.registry],
      collect: async () => {
        if (labelNames.length === 0) gauge.remove();
        else gauge.reset();
        try {
          await read(gauge);
        } catch {
          if (labelNames.length > 0) gauge.reset(); // a partial set of labels would look complete
        }
      },
    });
  }
}
