import type { SystemReason } from './system-work.js';

/** The scope of work that sees the rows of every organisation. Made by `system` only. */
export interface SystemScope {
  readonly system: SystemReason;
}

/**
 * The organisations whose rows a unit of work may read and write: one, several (a batch), or, with a listed reason, all.
 * Row-level security in PostgreSQL enforces the scope for every statement.
 */
export type DatabaseScope = string | readonly string[] | SystemScope;

/** The scope of work on tables without an organisation only, such as the outbox. */
export const noOrganisation: readonly string[] = [];

/** The scope of work that needs rows of all organisations. `system-work.ts` and docs/security.md list the reasons. */
export const system = (reason: SystemReason): SystemScope => ({ system: reason });

/** The settings `vigia.organisations` and `vigia.system`, which the row-level security policies read. */
export interface ScopeSettings {
  readonly organisations: string;
  readonly system: string;
}

export const NO_SCOPE: ScopeSettings = { organisations: '', system: '' };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the settings of a scope; equal scopes give equal texts. Throws if an id is not a UUID. */
export function scopeSettingsOf(scope: DatabaseScope): ScopeSettings {
  if (typeof scope === 'string') return { organisations: `{${requireUuid(scope)}}`, system: '' };
  if ('system' in scope) return { organisations: '', system: scope.system };
  const distinct = [...new Set(scope)];
  if (distinct.length === 0) return NO_SCOPE;
  return { organisations: `{${distinct.map(requireUuid).sort().join(',')}}`, system: '' };
}

/** Checks an id, because it becomes part of the text of an array. */
function requireUuid(organisationId: string): string {
  if (!UUID.test(organisationId)) throw new Error('the scope of a unit of work is not an organisation id');
  return organisationId;
}
