import { performance } from 'node:perf_hooks';

/** The shortest interval to measure: over a shorter time, a single long turn would dominate. */
const SPAN_MS = 250;

/** Measures how busy this process is: the recent share of time in which its event loop had work. */
export class EventLoopUtilisation {
  private from = performance.eventLoopUtilization();
  private at = performance.now();
  private share = 0;

  /** The share, 0 to 1. */
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
