import { Injectable } from '@nestjs/common';
import { registration, Registry } from '../../registry/index.js';
import type { Subject } from '../trail/trail-survey.service.js';

export type ScopeKind = 'customer' | 'review';

/** The method gives all subjects whose trails tell of one customer or case, page by page; throws when there is no such thing. */
export const ExportScope = registration<
  (organisationId: string, id: string) => AsyncIterable<readonly Subject[]>,
  ScopeKind
>('export scope');

/** Which trails belong to a customer or a case, as modules above Audit say. */
@Injectable()
export class ExportScopes {
  constructor(private readonly registry: Registry) {}

  subjects(kind: ScopeKind, organisationId: string, id: string): AsyncIterable<readonly Subject[]> {
    const scope = this.registry.of(ExportScope).get(kind);
    if (!scope) throw new Error(`nobody knows the trails of a ${kind}`);
    return scope.call(organisationId, id);
  }
}
