export const filingStatuses = ['DRAFT', 'RECORDED', 'FILED', 'DISMISSED'] as const;
/** RECORDED: a person reported the filing. FILED: a second person confirmed it. DISMISSED: discarded by two people. */
export type FilingStatus = (typeof filingStatuses)[number];

// A UUIDv7 has 48 bits of milliseconds (13 decimal digits until the year 2286) and 12 random bits.
const TIME = /^(.{8})-(.{4})-.(.{3})/;

/** Derives our 17-digit number of a communication from its id. */
export function communicationNumberOf(id: string): string {
  const [, high = '', low = '', chance = ''] = TIME.exec(id) ?? [];
  return `${parseInt(high + low, 16)}${String(parseInt(chance, 16)).padStart(4, '0')}`;
}
