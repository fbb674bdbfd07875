import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { LongJobRunner } from './long-job-runner.js';
import type { LeasedJob } from './store/leased-job.repository.js';

const TIMES = { renewal: 20, pause: 40, longestPause: 80 };

/** Has one job, which is claimed again until it is done. `pauses` are the milliseconds from an attempt to its release. */
class Runner extends LongJobRunner<LeasedJob> {
  readonly pauses: number[] = [];
  renewals = 0;
  attempts = 0;
  private isDone = false;
  private began = 0;

  constructor(private readonly step: (attempt: number) => Promise<unknown>) {
    super(
      {
        claimNext: () => Promise.resolve(this.isDone ? null : this.claim(++this.attempts)),
        renew: () => Promise.resolve(++this.renewals > 0),
        release: () => Promise.resolve(void this.pauses.push(performance.now() - this.began)),
      },
      { title: 'job', maxAttempts: 3 },
      TIMES,
    );
    jest.spyOn(this.logger, 'error').mockReturnValue(undefined);
  }

  protected async work({ attempts }: LeasedJob): Promise<void> {
    this.began = performance.now();
    await this.step(attempts);
    this.isDone = true;
  }

  protected end(): void {
    this.isDone = true;
  }

  private claim(attempts: number): LeasedJob {
    return { id: 'j', organisationId: 'o', attempts, fence: attempts };
  }
}

class GivingUp extends Runner {
  code = '';

  protected override fail(_claimed: LeasedJob, code: string): Promise<void> {
    this.code = code;
    this.end();
    return Promise.resolve();
  }
}

const refused = (): Promise<never> =>
  Promise.reject(new Error('canceling statement due to statement timeout'));

describe('a runner of long jobs', () => {
  it('renews the lease while a step takes its time, and not after it', async () => {
    const runner: Runner = new Runner(async () => {
      while (runner.renewals < 3) await sleep(5);
    });
    await runner.runAll();
    const { renewals } = runner;
    await sleep(60);
    expect(runner.renewals).toBe(renewals);
  });

  it('waits longer after each interrupted attempt, keeps the lease meanwhile, and gives up after the last', async () => {
    const runner = new GivingUp(refused);
    await runner.runAll();
    expect(runner.code).toBe('ATTEMPTS_EXHAUSTED');
    expect(runner.pauses.map((ms) => [40, 80].findLast((least) => ms > least - 5))).toEqual([40, 80, 80]);
    expect(runner.renewals).toBeGreaterThan(0);
  });

  it('repeats a job until it succeeds where its kind is never given up', async () => {
    const runner = new Runner((attempt) => (attempt < 6 ? refused() : Promise.resolve()));
    await runner.runAll();
    expect(runner.attempts).toBe(6);
  });

  it('ends its pause when the process stops', async () => {
    const runner = new Runner(refused);
    const all = runner.runAll();
    runner.onModuleDestroy();
    await all;
    expect(runner.pauses.every((ms) => ms < 30)).toBe(true);
    expect(runner.attempts).toBeLessThanOrEqual(1);
  });
});
