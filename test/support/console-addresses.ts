/** Every screen of the console that shows no single thing. */
export const CONSOLE_ADDRESSES = [
  '/',
  '/cases',
  '/approvals',
  '/customers',
  '/transactions',
  '/dead-letters',
  '/sessions',
  '/freezes',
  '/coaf',
  '/look-backs',
  '/figures',
  '/flows',
  '/flows/new',
  '/rules',
  '/rules/new',
  '/custom-fields',
  '/lists',
  '/providers',
  '/people',
  '/settings',
  '/apps',
  '/webhooks',
  '/requests',
  '/audit',
  '/account',
] as const;

/** Calls of the frame around every screen: who somebody is, what waits, the stream, the seal. */
export const OF_THE_FRAME = /\/operator\/(me|auth\/.*|counts|people|stream|audit\/.*)(\?|$)/;
