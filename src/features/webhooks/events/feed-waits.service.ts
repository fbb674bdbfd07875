import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Periodic } from '../../../platform/schedule/index.js';
import { EventFeedQueries } from '../store/event-feed.queries.js';

interface WaitingReader {
  readonly organisationId: string;
  readonly clientAppId: string;
  readonly position: number;
  readonly end: (arrived: boolean) => void;
}

const CHECK_INTERVAL_MS = 200;
/** Maximum number of waiting readers per process; further readers get an empty page immediately. */
const MAX_WAITING_READERS = 1_000;

/** Long polling at the end of the feed. One query serves all waiting readers of a process. */
@Injectable()
export class FeedWaitsService implements BeforeApplicationShutdown {
  private readonly waitingReaders = new Set<WaitingReader>();
  private isClosed = false;

  constructor(private readonly feed: EventFeedQueries) {}

  /** Resolves to true when the application has an event after `position`, to false when `over` aborts first. */
  waitForEvents(
    { organisationId, clientAppId }: { readonly organisationId: string; readonly clientAppId: string },
    position: number,
    over: AbortSignal,
  ): Promise<boolean> {
    if (this.isClosed || over.aborted || this.waitingReaders.size >= MAX_WAITING_READERS) {
      return Promise.resolve(false);
    }
    return new Promise((resolve) => {
      const isOver = (): void => {
        one.end(false);
      };
      const one: WaitingReader = {
        ...{ organisationId, clientAppId, position },
        end: (arrived) => {
          over.removeEventListener('abort', isOver);
          this.waitingReaders.delete(one);
          resolve(arrived);
        },
      };
      over.addEventListener('abort', isOver);
      this.waitingReaders.add(one);
    });
  }

  beforeApplicationShutdown(): void {
    this.isClosed = true;
    for (const one of [...this.waitingReaders]) one.end(false);
  }

  @Periodic({ everyMs: CHECK_INTERVAL_MS, otherwise: 'readers of the feed wait on', runsIn: 'every process' })
  async checkArrivals(): Promise<void> {
    const readers = [...this.waitingReaders];
    if (readers.length === 0) return;
    for (const i of await this.feed.findReadersWithEvents(readers)) readers[i]?.end(true);
  }
}
