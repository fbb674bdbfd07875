import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Settings } from '../config/index.js';
import { isDatabaseAway, UnitOfWork } from '../database/index.js';
import { newUuid } from '../kernel/index.js';
import { Outbox } from '../queue/index.js';
import { DeliveriesRepository } from './store/deliveries.repository.js';

const RETRY_PAUSE_MS = 1_000;
const RETRIES = 10;

/** Makes one delivery for each event and each endpoint that subscribed to it. */
@Injectable()
export class FanOutService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly deliveries: DeliveriesRepository,
    private readonly outbox: Outbox,
    private readonly settings: Settings,
  ) {}

  /** Fans events out, at most once each; through a short absence of the database, since the job comes only once. */
  async fanOut(eventIds: readonly string[]): Promise<void> {
    for (let retry = 0; ; retry += 1) {
      try {
        await this.once(eventIds);
        return;
      } catch (error) {
        if (retry === RETRIES || !isDatabaseAway(error)) throw error;
        await sleep(RETRY_PAUSE_MS);
      }
    }
  }

  private async once(eventIds: readonly string[]): Promise<void> {
    const pairings = await this.deliveries.pairingsFor(eventIds);
    if (pairings.length === 0) return;
    const rows = pairings.map((pairing) => ({ ...pairing, id: newUuid() }));
    const firstWait = this.settings.webhookScheduleSeconds[0] ?? 0;
    await this.uow.run(async (tx) => {
      const ids = await this.deliveries.insertOnce(tx, rows, firstWait);
      if (firstWait === 0) this.outbox.append(tx, 'webhooks.delivery', ids);
    });
  }
}
