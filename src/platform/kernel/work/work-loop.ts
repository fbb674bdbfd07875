/** Does the same work round after round, never two at a time, until it is stopped. */
export class WorkLoop {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private stopped = false;

  /** `round` must not fail; it returns the milliseconds until the next round. */
  constructor(private readonly round: () => Promise<number>) {}

  start(delayMs = 0): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.running = this.round().then((nextMs) => {
        this.start(nextMs);
      });
    }, delayMs);
    // Waiting for the next round keeps no process alive.
    this.timer.unref();
  }

  /** Waits for the running round; no other begins afterwards. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }
}
