import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '../database/index.js';
import { Outbox, Reconciler, type QueueName, type WorkSource } from '../queue/index.js';
import { DeliveriesRepository } from './store/deliveries.repository.js';
import { FanOutMarkRepository, type Span } from './store/fan-out-mark.repository.js';

const PER_ENDPOINT = 1_000;
const PER_ROUND = 5_000;
const REBUILD_PER_ENDPOINT = 5_000;
const REBUILD_LIMIT = 20_000;
const REFS_PER_MESSAGE = 500;

const FAN_OUT_CHECK_MS = 60_000;
// After something was found or left over, the next look comes sooner.
const FAN_OUT_RECHECK_MS = 10_000;
// At thousands of events a second still one statement of about a second.
const FIRST_SPAN_SECONDS = 30;
// What the looks of requeueLost leave out as not settled yet.
const REBUILD_SPAN_SECONDS = 60;
const FAN_OUT_LIMIT = 5_000;

/** Brings back webhook work that the queue lost: deliveries that nobody was told of, events that were not fanned out. */
@Injectable()
export class DeliveryWorkSource implements WorkSource, OnModuleInit {
  readonly name = 'webhooks';
  private nextFanOutCheck = 0;
  private spanSeconds = FIRST_SPAN_SECONDS;

  constructor(
    private readonly reconciler: Reconciler,
    private readonly deliveries: DeliveriesRepository,
    private readonly mark: FanOutMarkRepository,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    this.reconciler.register(this);
  }

  /** Also the way of every retry: its time has come, and nobody else announces it. */
  async requeueLost(tx: Tx): Promise<number> {
    const due = await this.deliveries.wake(tx, false, PER_ENDPOINT, PER_ROUND);
    await this.append(tx, 'webhooks.delivery', due);
    return due.length + (await this.checkFanOut(tx));
  }

  async requeueAll(tx: Tx): Promise<number> {
    const due = await this.deliveries.wake(tx, true, REBUILD_PER_ENDPOINT, REBUILD_LIMIT);
    await this.append(tx, 'webhooks.delivery', due);
    // What lies further back, or beyond the limits, comes with the next rounds of requeueLost.
    this.nextFanOutCheck = 0;
    return (
      due.length +
      (await this.fanOutAgain(tx, await this.mark.recentSpan(tx, REBUILD_SPAN_SECONDS), REBUILD_LIMIT))
    );
  }

  /** Looks at the events since the mark and moves it when each of them has its deliveries. */
  private async checkFanOut(tx: Tx): Promise<number> {
    const now = performance.now();
    if (now < this.nextFanOutCheck) return 0;
    this.nextFanOutCheck = now + FAN_OUT_RECHECK_MS;
    const span = await this.mark.nextSpan(tx, this.spanSeconds);
    // Stays short if the look fails for its length.
    const spanSeconds = this.spanSeconds;
    this.spanSeconds = FIRST_SPAN_SECONDS;
    const found = await this.fanOutAgain(tx, span, FAN_OUT_LIMIT);
    if (found > 0) return found;
    await this.mark.advance(tx, span.until);
    if (span.behind) {
      // After a long stop: wider looks over the time in which little happened.
      this.spanSeconds = spanSeconds * 2;
      this.nextFanOutCheck = 0;
    } else {
      this.nextFanOutCheck = now + FAN_OUT_CHECK_MS;
    }
    return 0;
  }

  private async fanOutAgain(tx: Tx, span: Span, limit: number): Promise<number> {
    const eventIds = await this.deliveries.withoutDeliveries(tx, span.since, span.until, limit);
    await this.append(tx, 'webhooks.fan-out', eventIds);
    return eventIds.length;
  }

  private async append(tx: Tx, queue: QueueName, ids: readonly string[]): Promise<void> {
    for (let from = 0; from < ids.length; from += REFS_PER_MESSAGE) {
      this.outbox.append(tx, queue, ids.slice(from, from + REFS_PER_MESSAGE));
    }
  }
}
