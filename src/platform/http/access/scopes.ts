/** The scopes of client applications. */
export const scopes = [
  'kyt:ingest',
  'transactions:write',
  'kyt:read',
  'customers:read',
  'customers:write',
  'events:read',
  'requests:read',
  'sessions:read',
  'webhooks:manage',
  'sessions:create',
] as const;
export type ApiScope = (typeof scopes)[number];
