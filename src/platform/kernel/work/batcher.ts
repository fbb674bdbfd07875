/** Processes several items together. Returns the results in the order of the items. */
export type BatchWork<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

export interface BatcherOptions<Item, Result> {
  readonly maxInFlight?: number;
  readonly maxItems: number;
  /**
   * Under load, batches begin at least `everyMs` apart, so that more items share the cost of a batch. Below a rate of
   * `minItems` per `everyMs`, each item is processed without delay.
   */
  readonly pace?: { readonly everyMs: number; readonly minItems: number };
  /** Returns how to retry each item of a failed batch alone, once; null to reject all of them with the error. */
  readonly separately?: (error: unknown, items: readonly Item[]) => BatchWork<Item, Result> | null;
  /** Rejects an item that has no result after `ms` with this error; its work continues. The default is 60 s. */
  readonly deadline?: { readonly ms: () => number; readonly error: (isBegun: boolean) => Error };
  /** Called when no item waits and no batch is running. */
  readonly onIdle?: () => void;
}

interface WaitingItem<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
  readonly dueAt: number;
}

const DEFAULT_DEADLINE = {
  ms: (): number => 60_000,
  error: (): Error => Object.assign(new Error('the work of a batch takes too long'), { code: 'ETIMEDOUT' }),
};

/**
 * Combines the work of concurrent callers into batches. Items that arrive while a batch is running go into the next
 * batch. A lone item is processed without delay: waiting for other items would only add latency.
 */
export class Batcher<Item, Result> {
  private queue: WaitingItem<Item, Result>[] = [];
  private inFlight = 0;
  private isScheduled = false;
  /** Items of the running batches. */
  private readonly runningItems = new Set<WaitingItem<Item, Result>>();
  private deadlineTimer: NodeJS.Timeout | undefined;
  private lastBegunAt = 0;
  /** Items per millisecond between the last two batches. */
  private rate = 0;

  constructor(
    private readonly work: BatchWork<Item, Result>,
    private readonly options: BatcherOptions<Item, Result>,
  ) {}

  /** Items that no batch has taken yet. */
  get waiting(): number {
    return this.queue.length;
  }

  /** The age in milliseconds of the oldest item that no batch has taken; 0 when none waits. */
  get waitedMs(): number {
    const [first] = this.queue;
    return first ? performance.now() - first.dueAt + this.deadline.ms() : 0;
  }

  submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const dueAt = performance.now() + this.deadline.ms();
      this.queue.push({ item, resolve, reject, dueAt });
      this.deadlineTimer ??= this.startDeadlineTimer(dueAt);
      this.schedule();
    });
  }

  private get deadline(): NonNullable<BatcherOptions<Item, Result>['deadline']> {
    return this.options.deadline ?? DEFAULT_DEADLINE;
  }

  /** Sets the timeout for the oldest item. One timer is enough: items expire in order of arrival. */
  private startDeadlineTimer(dueAt: number): NodeJS.Timeout {
    const timer = setTimeout(
      () => {
        this.deadlineTimer = undefined;
        const now = performance.now();
        for (const late of this.runningItems) if (late.dueAt <= now) late.reject(this.deadline.error(true));
        const waiting = this.queue.findIndex((one) => one.dueAt > now);
        const late = this.queue.splice(0, waiting === -1 ? this.queue.length : waiting);
        for (const { reject } of late) reject(this.deadline.error(false));
        const next = [...this.runningItems].find((one) => one.dueAt > now) ?? this.queue[0];
        if (next) this.deadlineTimer = this.startDeadlineTimer(next.dueAt);
      },
      Math.max(1, dueAt - performance.now()),
    );
    timer.unref();
    return timer;
  }

  /** Begins a batch when the pace allows, at the earliest on the next turn of the event loop: items of a turn share it. */
  private schedule(): void {
    const { maxInFlight = 1 } = this.options;
    if (this.isScheduled || this.queue.length === 0 || this.inFlight >= maxInFlight) return;
    this.isScheduled = true;
    const begin = (): void => {
      this.isScheduled = false;
      if (this.queue.length > 0 && this.inFlight < maxInFlight) void this.runBatch();
    };
    const pauseMs = this.remainingPauseMs();
    if (pauseMs > 0) setTimeout(begin, pauseMs);
    else setImmediate(begin);
  }

  private remainingPauseMs(): number {
    const { pace } = this.options;
    if (!pace || this.rate * pace.everyMs < pace.minItems) return 0;
    return Math.ceil(this.lastBegunAt + pace.everyMs - performance.now());
  }

  private async runBatch(): Promise<void> {
    const batch = this.queue.slice(0, this.options.maxItems);
    this.queue = this.queue.slice(this.options.maxItems);
    const now = performance.now();
    this.rate = batch.length / Math.max(now - this.lastBegunAt, 1);
    this.lastBegunAt = now;
    this.inFlight += 1;
    for (const one of batch) this.runningItems.add(one);
    this.schedule();
    await this.settle(batch, this.work);
    for (const one of batch) this.runningItems.delete(one);
    this.inFlight -= 1;
    this.schedule();
    if (this.inFlight === 0 && this.queue.length === 0) this.options.onIdle?.();
  }

  /** Settles every item of the batch. Never rejects. */
  private async settle(
    batch: readonly WaitingItem<Item, Result>[],
    work: BatchWork<Item, Result>,
    isLast = false,
  ): Promise<void> {
    const items = batch.map(({ item }) => item);
    try {
      const results = (await work(items)).values();
      for (const { resolve, reject } of batch) {
        const next = results.next();
        if (next.done === true) reject(new Error('a batch has fewer results than items'));
        else resolve(next.value);
      }
    } catch (error) {
      const apart = isLast ? null : this.options.separately?.(error, items);
      if (apart) for (const one of batch) await this.settle([one], apart, true);
      else for (const { reject } of batch) reject(error);
    }
  }
}
