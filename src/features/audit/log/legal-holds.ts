import { Injectable } from '@nestjs/common';
import { registration, Registry } from '../../../platform/registry/index.js';
import type { Subject } from '../trail/trail-survey.js';

/** Decorates a method that yields, in pages, the subjects under a legal hold; the key is the kind of record on hold. */
export const LegalHold = registration<(organisationId: string) => AsyncIterable<readonly Subject[]>, string>(
  'legal hold',
);

/** Asks the modules that depend on Audit which trails are under a legal hold. */
@Injectable()
export class LegalHolds {
  constructor(private readonly registry: Registry) {}

  /** Returns subjects on hold as `type:id`. Throws if no module is registered: holds are then unknown, not absent. */
  async findHeldSubjects(organisationId: string): Promise<ReadonlySet<string>> {
    const holds = this.registry.methodsOf(LegalHold);
    if (holds.size === 0) throw new Error('nobody knows of legal holds');
    const heldSubjects = new Set<string>();
    for (const { call } of holds.values()) {
      for await (const page of call(organisationId)) {
        for (const { type, id } of page) heldSubjects.add(`${type}:${id}`);
      }
    }
    return heldSubjects;
  }
}
