import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Counter } from 'prom-client';
import { Settings } from '../config/index.js';
import { describeFailure, WorkLoop } from '../kernel/index.js';
import { Registry } from '../registry/index.js';
import { MetricsRegistry } from '../telemetry/index.js';
import { Periodic, type PeriodicOptions } from './periodic.js';

// The roles that do background work.
const BACKGROUND: ReadonlySet<string> = new Set(['all', 'worker', 'background']);

/** Runs the `@Periodic` methods from the start of the application until it stops. */
@Injectable()
export class PeriodicWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(PeriodicWorker.name);
  private readonly loops: WorkLoop[] = [];
  private readonly failureCounter: Counter<'task'>;

  constructor(
    private readonly registry: Registry,
    private readonly settings: Settings,
    metrics: MetricsRegistry,
  ) {
    this.failureCounter = new Counter({
      name: 'vigia_periodic_failures_total',
      help: 'Runs of periodic tasks that failed, by task; the next run tries again.',
      labelNames: ['task'],
      registers: [metrics.registry],
    });
  }

  onApplicationBootstrap(): void {
    for (const [options, { owner, call }] of this.registry.methodsOf(Periodic)) {
      if (options.runsIn === 'every process' || BACKGROUND.has(this.settings.role)) {
        this.start(owner, options, call);
      }
    }
  }

  /** Waits for running tasks while the database is still connected, and starts no more. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }

  private start(task: string, { everyMs, otherwise }: PeriodicOptions, run: () => Promise<unknown>): void {
    const pauseMs = typeof everyMs === 'number' ? everyMs : everyMs(this.settings);
    let failing = false;
    const loop = new WorkLoop(async () => {
      try {
        await run();
        failing = false;
      } catch (error) {
        this.failureCounter.inc({ task });
        // An unreachable database is logged once, not at every run.
        if (!failing) {
          this.logger.warn(`${task}: ${otherwise} (${describeFailure(error)})`);
        }
        failing = true;
      }
      return pauseMs;
    });
    this.loops.push(loop);
    loop.start(pauseMs);
  }
}
