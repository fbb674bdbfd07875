import { Injectable } from '@nestjs/common';
import type { AuditSubject, SubjectType } from './domain/entry.js';
import type { TrailExpectation } from './domain/trail.js';

/** Says what the trail of a subject must hold now, given the subject's stored state; null when it does not exist. */
export type TrailContract = (subject: AuditSubject) => Promise<TrailExpectation | null>;

/** As `TrailContract`, for many subjects of one organisation with few statements; by id, without those that do not exist. */
export type TrailContractForMany = (
  organisationId: string,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, TrailExpectation>>;

// Of these anybody may ask with any text; of all others the rows are found by their UUID.
const NAMED: ReadonlySet<SubjectType> = new Set(['rule', 'ruleset']);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const canBe = (type: SubjectType, id: string): boolean => NAMED.has(type) || UUID.test(id);

/**
 * Where modules above Audit say what the trails of their subjects must look like. Audit knows no feature;
 * a feature knows its own life cycle.
 */
@Injectable()
export class TrailContracts {
  private readonly contracts = new Map<SubjectType, TrailContract>();
  private readonly contractsForMany = new Map<SubjectType, TrailContractForMany>();

  /** `forMany`: for kinds of subject of which somebody asks about thousands. */
  register(type: SubjectType, contract: TrailContract, forMany?: TrailContractForMany): void {
    if (this.contracts.has(type)) throw new Error(`two trail contracts for ${type}`);
    this.contracts.set(type, contract);
    if (forMany) this.contractsForMany.set(type, forMany);
  }

  /** The expectation for a subject, or null for kinds of subject whose order is free. */
  async expectationFor(subject: AuditSubject): Promise<TrailExpectation | null> {
    if (!canBe(subject.type, subject.id)) return null;
    return (await this.contracts.get(subject.type)?.(subject)) ?? null;
  }

  /** The expectations for subjects of one kind, by id. */
  async expectationsFor(
    organisationId: string,
    type: SubjectType,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, TrailExpectation>> {
    const forMany = this.contractsForMany.get(type);
    const possible = ids.filter((id) => canBe(type, id));
    if (forMany) return forMany(organisationId, possible);
    const found = new Map<string, TrailExpectation>();
    for (const id of possible) {
      const expected = await this.expectationFor({ organisationId, type, id });
      if (expected) found.set(id, expected);
    }
    return found;
  }
}
