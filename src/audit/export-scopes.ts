import { Injectable } from '@nestjs/common';
import type { Subject } from './trail-survey.js';

export type ScopeKind = 'customer' | 'review';

/** All subjects whose trails tell of one customer or case, page by page. Throws when there is no such thing. */
export type ScopeSource = (organisationId: string, id: string) => AsyncIterable<readonly Subject[]>;

/** Where modules above Audit say which trails belong to a customer or a case. */
@Injectable()
export class ExportScopes {
  private readonly sources = new Map<ScopeKind, ScopeSource>();

  register(kind: ScopeKind, source: ScopeSource): void {
    if (this.sources.has(kind)) throw new Error(`two scopes for ${kind}`);
    this.sources.set(kind, source);
  }

  subjects(kind: ScopeKind, organisationId: string, id: string): AsyncIterable<readonly Subject[]> {
    const source = this.sources.get(kind);
    if (!source) throw new Error(`nobody knows the trails of a ${kind}`);
    return source(organisationId, id);
  }
}
