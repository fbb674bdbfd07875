import { Injectable } from '@nestjs/common';
import { registration, Registry } from '../../../platform/registry/index.js';
import type { Subject } from '../trail/trail-survey.js';

/** The method gives all subjects whose trails have to stay whatever their age, page by page; the key says on what the hold is. */
export const LegalHold = registration<(organisationId: string) => AsyncIterable<readonly Subject[]>, string>(
  'legal hold',
);

/** Which trails a legal hold keeps, as modules above Audit say. */
@Injectable()
export class LegalHolds {
  constructor(private readonly registry: Registry) {}

  /** The held subjects as `type:id`. Whoever prunes without knowing of any hold is a process that was put together wrong. */
  async of(organisationId: string): Promise<ReadonlySet<string>> {
    const holds = this.registry.of(LegalHold);
    if (holds.size === 0) throw new Error('nobody knows of legal holds');
    const held = new Set<string>();
    for (const { call } of holds.values()) {
      for await (const page of call(organisationId)) {
        for (const { type, id } of page) held.add(`${type}:${id}`);
      }
    }
    return held;
  }
}
