import { performance } from 'node:perf_hooks';

/** So long is looked back at least: a single long turn says little. */
const SPAN_MS = 250;

/** How busy this process was in the last moments: the share of the time in which its event loop had something to do. */
export class EventLoopShare {
  private from = performance.eventLoopUtilization();
  private at = performance.now();
  private share = 0;

  /** 0 to 1. */
  get now(): number {
    const at = performance.now();
    if (at - this.at >= SPAN_MS) {
      const until = performance.eventLoopUtilization();
      this.share = performance.eventLoopUtilization(until, this.from).utilization;
      [this.from, this.at] = [until, at];
    }
    return this.share;
  }
}
