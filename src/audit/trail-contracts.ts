import { Injectable } from '@nestjs/common';
import type { AuditSubject, SubjectType } from './domain/entry.js';
import type { TrailExpectation } from './domain/trail.js';

/** Says what the trail of a subject must hold now, given the subject's stored state; null when it does not exist. */
export type TrailContract = (subject: AuditSubject) => Promise<TrailExpectation | null>;

/**
 * Where modules above Audit say what the trails of their subjects must look like. Audit knows no feature;
 * a feature knows its own life cycle.
 */
@Injectable()
export class TrailContracts {
  private readonly contracts = new Map<SubjectType, TrailContract>();

  register(type: SubjectType, contract: TrailContract): void {
    if (this.contracts.has(type)) throw new Error(`two trail contracts for ${type}`);
    this.contracts.set(type, contract);
  }

  /** The expectation for a subject, or null for kinds of subject whose order is free. */
  async expectationFor(subject: AuditSubject): Promise<TrailExpectation | null> {
    return (await this.contracts.get(subject.type)?.(subject)) ?? null;
  }
}
