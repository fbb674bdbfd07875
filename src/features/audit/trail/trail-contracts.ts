import { Injectable } from '@nestjs/common';
import { registration, Registry } from '../../../platform/registry/index.js';
import type { AuditSubject, Subject, SubjectType } from '../domain/entry.js';
import type { TrailExpectation } from '../domain/trail.js';

/** Decorates a method that returns the entries that a subject's rows imply; null if the subject has no rows. */
export const TrailContract = registration<
  (subject: AuditSubject) => Promise<TrailExpectation | null>,
  SubjectType
>('trail contract');

/**
 * Like `TrailContract`, but for many subjects with few statements: for types with thousands of trails. The result is
 * keyed by id and omits subjects without rows.
 */
export const TrailContractForMany = registration<
  (organisationId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, TrailExpectation>>,
  SubjectType
>('trail contract for many');

// Every row has a UUID; a subject with another id has no row.
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Asks the feature that owns a subject what its trail must contain: Audit itself knows no life cycle. */
@Injectable()
export class TrailContracts {
  constructor(private readonly registry: Registry) {}

  /** Returns the expectation for a subject; null if the subject has no rows, or its type has no contract. */
  async expectationFor(subject: AuditSubject): Promise<TrailExpectation | null> {
    if (!UUID.test(subject.id)) return null;
    return (await this.registry.methodsOf(TrailContract).get(subject.type)?.call(subject)) ?? null;
  }

  /** True if the subject must have a row while it has entries, because its type has a contract. */
  hasContract({ type, id }: Subject): boolean {
    const contracts = [this.registry.methodsOf(TrailContract), this.registry.methodsOf(TrailContractForMany)];
    return UUID.test(id) && contracts.some((known) => known.get(type) !== undefined);
  }

  async expectationsFor(
    organisationId: string,
    type: SubjectType,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, TrailExpectation>> {
    const forMany = this.registry.methodsOf(TrailContractForMany).get(type);
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
