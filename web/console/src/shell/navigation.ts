import type { Counts } from '../data/counts.js';
import type { Permission } from '../data/me.js';

export interface Place {
  readonly name: string;
  readonly to: string;
  /** The second key after G. */
  readonly key: string;
  readonly group: 'work' | 'records' | 'proofs' | 'configure' | 'develop';
  /** Shown to those who may; the service refuses all the same. */
  readonly permission: Permission | null;
  /** Things that wait there, counted beside the name. */
  readonly count?: Exclude<keyof Counts, 'most'>;
}

/** The screens in the rail and in the palette; their names stand in shell/texts.ts under `screens`. */
export const places: readonly Place[] = [
  { name: 'home', to: '/', key: 'H', group: 'work', permission: null },
  { name: 'cases', to: '/cases', key: 'C', group: 'work', permission: 'reviews:read', count: 'open' },
  { name: 'approvals', to: '/approvals', key: 'A', group: 'work', permission: null, count: 'toApprove' },
  { name: 'customers', to: '/customers', key: 'U', group: 'records', permission: 'customers:read' },
  { name: 'transactions', to: '/transactions', key: 'T', group: 'records', permission: 'kyt:read' },
  { name: 'sessions', to: '/sessions', key: 'S', group: 'records', permission: 'sessions:read' },
  { name: 'freezes', to: '/freezes', key: 'Z', group: 'records', permission: 'screening:read' },
  { name: 'coaf', to: '/coaf', key: 'F', group: 'proofs', permission: 'reviews:read' },
  { name: 'lookBacks', to: '/look-backs', key: 'B', group: 'proofs', permission: 'reviews:read' },
  { name: 'figures', to: '/figures', key: 'M', group: 'proofs', permission: 'reviews:read' },
  { name: 'audit', to: '/audit', key: 'Y', group: 'proofs', permission: 'audit:read' },
  { name: 'rules', to: '/rules', key: 'R', group: 'configure', permission: 'rules:read' },
  { name: 'flows', to: '/flows', key: 'V', group: 'configure', permission: 'sessions:read' },
  { name: 'lists', to: '/lists', key: 'L', group: 'configure', permission: 'screening:read' },
  { name: 'customFields', to: '/custom-fields', key: 'X', group: 'configure', permission: 'rules:read' },
  { name: 'providers', to: '/providers', key: 'I', group: 'configure', permission: 'sessions:read' },
  { name: 'people', to: '/people', key: 'O', group: 'configure', permission: 'operators:read' },
  { name: 'settings', to: '/settings', key: 'E', group: 'configure', permission: 'sessions:read' },
  { name: 'apps', to: '/apps', key: 'P', group: 'develop', permission: 'apps:read' },
  { name: 'webhooks', to: '/webhooks', key: 'W', group: 'develop', permission: 'webhooks:read' },
  { name: 'requests', to: '/requests', key: 'Q', group: 'develop', permission: 'apps:read' },
  { name: 'deadLetters', to: '/dead-letters', key: 'D', group: 'develop', permission: 'kyt:read' },
];
