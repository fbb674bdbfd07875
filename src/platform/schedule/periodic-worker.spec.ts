import { once, EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { Settings } from '../config/index.js';
import { MetricsRegistry } from '../telemetry/index.js';
import { Periodic } from './periodic.js';
import { ScheduleModule } from './schedule.module.js';

const FAILURES = 3;

@Injectable()
class Tasks extends EventEmitter {
  running = 0;
  mostAtOnce = 0;
  begun = 0;
  ended = 0;
  failed = 0;
  onlyInWorkers = 0;
  open: Promise<void> = Promise.resolve();

  @Periodic({ everyMs: 1, otherwise: 'nothing is counted', runsIn: 'every process' })
  async count(): Promise<void> {
    this.begun += 1;
    this.running += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.running);
    this.emit('begun');
    await this.open;
    this.running -= 1;
    this.ended += 1;
  }

  @Periodic({
    everyMs: (settings) => settings.sessionSweepMs,
    otherwise: 'it fails',
    runsIn: 'every process',
  })
  async fail(): Promise<void> {
    this.failed += 1;
    this.emit('failed');
    if (this.failed <= FAILURES) throw new TypeError('as it was told');
  }

  @Periodic({ everyMs: 1, otherwise: 'nothing', runsIn: 'workers' })
  async work(): Promise<void> {
    this.onlyInWorkers += 1;
  }
}

async function started(role: 'api' | 'all'): Promise<{ module: TestingModule; tasks: Tasks }> {
  @Module({
    providers: [{ provide: Settings, useValue: { role, sessionSweepMs: 1 } }, MetricsRegistry],
    exports: [Settings, MetricsRegistry],
  })
  class Around {}
  const module = await Test.createTestingModule({
    imports: [{ module: Around, global: true }, ScheduleModule],
    providers: [Tasks, { provide: 'alias', useExisting: Tasks }],
  }).compile();
  module.useLogger(false);
  const tasks = module.get(Tasks);
  await module.init();
  return { module, tasks };
}

describe('PeriodicWorker', () => {
  it('runs a task again and again, one run at a time, and waits for the last one when the application stops', async () => {
    const { module, tasks } = await started('all');
    while (tasks.begun < 3) await once(tasks, 'begun');
    let finish: () => void = () => undefined;
    tasks.open = new Promise((resolve) => {
      finish = resolve;
    });
    await once(tasks, 'begun');
    const closing = module.close();
    finish();
    await closing;
    expect([tasks.ended, tasks.mostAtOnce]).toEqual([tasks.begun, 1]);
  });

  it('counts the runs that failed and goes on', async () => {
    const { module, tasks } = await started('all');
    while (tasks.failed <= FAILURES) await once(tasks, 'failed');
    await module.close();
    const metric = await module
      .get(MetricsRegistry)
      .registry.getSingleMetricAsString('vigia_periodic_failures_total');
    expect(metric).toContain(`{task="Tasks.fail"} ${FAILURES}`);
  });

  it('leaves what is for workers to them', async () => {
    const { module, tasks } = await started('api');
    while (tasks.begun < 5) await once(tasks, 'begun');
    await module.close();
    expect(tasks.onlyInWorkers).toBe(0);
  });
});
