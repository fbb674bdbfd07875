import { Injectable } from '@nestjs/common';
import { registration, Registry } from '../../../platform/registry/index.js';
import type { AuditSubject, Subject, SubjectType } from '../domain/entry.js';
import type { TrailExpectation } from '../domain/trail.js';

/** The method says what the trail of a subject must hold now, given its stored state; null when it does not exist. */
export const TrailContract = registration<
  (subject: AuditSubject) => Promise<TrailExpectation | null>,
  SubjectType
>('trail contract');

/**
 * As `TrailContract`, for many subjects of one organisation with few statements; by id, without those that do not exist.
 * For kinds of subject that are judged by the thousand.
 */
export const TrailContractForMany = registration<
  (organisationId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, TrailExpectation>>,
  SubjectType
>('trail contract for many');

// Rows of every type are found by their UUID; another text names nothing.
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Knows how the trails of subjects must look. Audit knows no feature; a feature knows its own life cycle. */
@Injectable()
export class TrailContracts {
  constructor(private readonly registry: Registry) {}

  /** The expectation for a subject, or null for kinds of subject whose order is free. */
  async expectationFor(subject: AuditSubject): Promise<TrailExpectation | null> {
    if (!UUID.test(subject.id)) return null;
    return (await this.registry.of(TrailContract).get(subject.type)?.call(subject)) ?? null;
  }

  /** True if rows of this kind stay as long as their entries. */
  hasContract({ type, id }: Subject): boolean {
    const contracts = [this.registry.of(TrailContract), this.registry.of(TrailContractForMany)];
    return UUID.test(id) && contracts.some((known) => known.get(type) !== undefined);
  }

  /** The expectations for subjects of one kind, by id. */
  async expectationsFor(
    organisationId: string,
    type: SubjectType,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, TrailExpectation>> {
    const forMany = this.registry.of(TrailContractForMany).get(type);
    const possible = ids.filter((id) => UUID.test(id));
    if (forMany) return forMany.call(organisationId, possible);
    const found = new Map<string, TrailExpectation>();
    for (const id of possible) {
      const expected = await this.expectationFor({ organisationId, type, id });
      if (expected) found.set(id, expected);
    }
    return found;
  }
}
