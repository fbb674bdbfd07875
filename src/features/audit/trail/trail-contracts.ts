import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/database/index.js';
import { rowEntityOf } from '../../../platform/database/regulated/regulated.js';
import { registration, Registry } from '../../../platform/registry/index.js';
import type { AuditSubject, Subject, SubjectType } from '../domain/entry.js';
import { expectationOf } from '../domain/expectation.js';
import type { TrailExpectation } from '../domain/trail.js';
import { sheetOf } from '../../../sheets.js';

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

/** Finds what a trail must contain: by the sheet of its subject, or by the contract of the feature that owns it. */
@Injectable()
export class TrailContracts {
  constructor(
    private readonly registry: Registry,
    private readonly uow: UnitOfWork,
  ) {}

  /** Returns the expectation for a subject; null if the subject has no rows, or its type has no contract. */
  async expectationFor(subject: AuditSubject): Promise<TrailExpectation | null> {
    if (!UUID.test(subject.id)) return null;
    const contract = this.registry.methodsOf(TrailContract).get(subject.type);
    return contract ? contract.call(subject) : this.expectationBySheet(subject);
  }

  /** True if the subject must have a row while it has entries, because its type has a contract. */
  hasContract({ type, id }: Subject): boolean {
    const contracts = [this.registry.methodsOf(TrailContract), this.registry.methodsOf(TrailContractForMany)];
    return (
      UUID.test(id) && (rowOf(type) !== null || contracts.some((known) => known.get(type) !== undefined))
    );
  }

  async expectationsFor(
    organisationId: string,
    type: SubjectType,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, TrailExpectation>> {
    const forMany = this.registry.methodsOf(TrailContractForMany).get(type);
    const possible = ids.filter((id) => UUID.test(id));
    if (forMany) return forMany.call(organisationId, possible);
    const expectations = new Map<string, TrailExpectation>();
    for (const id of possible) {
      const expected = await this.expectationFor({ organisationId, type, id });
      if (expected) expectations.set(id, expected);
    }
    return expectations;
  }

  private async expectationBySheet({
    organisationId,
    type,
    id,
  }: AuditSubject): Promise<TrailExpectation | null> {
    const entity = rowOf(type);
    if (!entity) return null;
    const row = await this.uow.read(organisationId, (db) => db.findOneBy(entity, { organisationId, id }));
    return row && expectationOf(type, row);
  }
}

/** Returns the entity of the row of a subject whose sheet has an order of actions; null for other subjects. */
const rowOf = (type: SubjectType): ReturnType<typeof rowEntityOf> =>
  sheetOf(type).order ? rowEntityOf(type) : null;
