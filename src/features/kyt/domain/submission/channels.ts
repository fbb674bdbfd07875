/** The known channels. Any other well-formed channel is accepted with a warning. */
export const channels = [
  'WEB',
  'MOBILE_APP',
  'BACKOFFICE',
  'API',
  'BRANCH',
  'ATM',
  'POS',
  'CALL_CENTER',
  'OPEN_FINANCE',
  'PARTNER',
  'BATCH',
  'OTHER',
] as const;

export type KnownChannel = (typeof channels)[number];

const knownChannels: ReadonlySet<string> = new Set(channels);

export const isKnownChannel = (channel: string): channel is KnownChannel => knownChannels.has(channel);
