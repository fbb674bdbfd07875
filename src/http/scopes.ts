/** What a client application may be allowed to do. */
export const scopes = [
  'kyt:ingest',
  'transactions:write',
  'kyt:read',
  'customers:read',
  'events:read',
  'sessions:read',
  'webhooks:manage',
  'sessions:create',
] as const;
export type Scope = (typeof scopes)[number];
