/** Repeats the same work without overlap until it is stopped. */
export class WorkLoop {
  private timer: NodeJS.Timeout | undefined;
  private runningRound: Promise<void> | undefined;
  private isStopped = false;

  /** `round` must not reject. It returns the milliseconds until its next call. */
  constructor(private readonly round: () => Promise<number>) {}

  start(delayMs = 0): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.runningRound = this.round().then((nextMs) => {
        this.start(nextMs);
      });
    }, delayMs);
    // The timer must not keep the process alive.
    this.timer.unref();
  }

  /** Waits for the running call of `round`, and makes no other. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.runningRound;
  }
}
