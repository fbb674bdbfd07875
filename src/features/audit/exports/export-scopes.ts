import { Injectable } from '@nestjs/common';
import { registration, Registry } from '../../../platform/registry/index.js';
import type { ExportFilter } from '../domain/export.js';
import type { Subject } from '../trail/trail-survey.js';

export type ScopeKind = 'customer' | 'review';

/** Decorates a method that yields, in pages, the subjects of a customer or case; it throws if the id is unknown. */
export const ExportScope = registration<
  (organisationId: string, id: string) => AsyncIterable<readonly Subject[]>,
  ScopeKind
>('export scope');

/** Asks the modules that depend on Audit which trails belong to a customer or a case. */
@Injectable()
export class ExportScopes {
  constructor(private readonly registry: Registry) {}

  /** Yields the subjects of the customer or case that a filter names; null if the filter names neither. */
  subjectsOfScope(
    organisationId: string,
    { customerId, reviewId }: ExportFilter,
  ): AsyncIterable<readonly Subject[]> | null {
    if (customerId !== undefined) return this.subjects('customer', organisationId, customerId);
    return reviewId === undefined ? null : this.subjects('review', organisationId, reviewId);
  }

  private subjects(kind: ScopeKind, organisationId: string, id: string): AsyncIterable<readonly Subject[]> {
    const scope = this.registry.methodsOf(ExportScope).get(kind);
    if (!scope) throw new Error(`nobody knows the trails of a ${kind}`);
    return scope.call(organisationId, id);
  }
}
