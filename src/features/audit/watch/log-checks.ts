import { Injectable } from '@nestjs/common';
import { registration, Registry } from '../../../platform/registry/index.js';
import type { LogCheckTarget, TrailGap } from '../domain/trail.js';

/** A fault in a part of the log or database that no single subject owns. */
export interface LogCheckFault {
  /** The name of the place; passing it to the same check repeats the check for this place. */
  readonly place: string;
  readonly kind: TrailGap['kind'];
  readonly detail: string;
}

/**
 * Decorates a method that checks data of no single subject (leaves of the log, keys of persons) and returns the
 * faults: on the next page if `places` is null, else at these places.
 */
export const LogCheck = registration<
  (organisationId: string, places: readonly string[] | null) => Promise<readonly LogCheckFault[]>,
  string
>('checks of a log');

/** Runs the registered log checks. Each fault is a gap of the log itself. */
@Injectable()
export class LogChecks {
  constructor(private readonly registry: Registry) {}

  /** Returns the faults on the next page of each check. */
  async checkNextPage(organisationId: string): Promise<TrailGap[]> {
    const gaps: TrailGap[] = [];
    for (const [of, { call }] of this.registry.methodsOf(LogCheck)) {
      gaps.push(...(await call(organisationId, null)).map((fault) => gapOf(of, fault)));
    }
    return gaps;
  }

  async recheck(organisationId: string, places: readonly LogCheckTarget[]): Promise<TrailGap[]> {
    const gaps: TrailGap[] = [];
    for (const [of, { call }] of this.registry.methodsOf(LogCheck)) {
      const placesOfLog = [...new Set(places.filter((one) => one.of === of).map(({ place }) => place))];
      if (placesOfLog.length === 0) continue;
      gaps.push(...(await call(organisationId, placesOfLog)).map((fault) => gapOf(of, fault)));
    }
    return gaps;
  }
}

const gapOf = (of: string, { place, kind, detail }: LogCheckFault): TrailGap => ({
  ...{ kind, seq: null, detail },
  check: { of, place },
});
