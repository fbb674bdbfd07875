import { performance } from 'node:perf_hooks';

/** The shortest interval to measure: over a shorter time, a single long turn would dominate. */
const SPAN_MS = 250;

/** Measures how busy this process is: the recent share of time in which its event loop had work. */
export class EventLoopUtilisation {
  private lastMeasure = performance.eventLoopUtilization();
  private measuredAt = performance.now();
  private share = 0;

  /** The share, 0 to 1. */
  get now(): number {
    const at = performance.now();
    if (at - this.measuredAt >= SPAN_MS) {
      const until = performance.eventLoopUtilization();
      this.share = performance.eventLoopUtilization(until, this.lastMeasure).utilization;
      [this.lastMeasure, this.measuredAt] = [until, at];
    }
    return this.share;
  }
}
