import { machine } from '../../../../platform/kernel/machine.js';

export const filingStatuses = ['DRAFT', 'RECORDED', 'FILED', 'DISMISSED'] as const;
/** DRAFT: not filed. RECORDED: a person filed it. FILED: a second one confirmed. DISMISSED: two people found it wrong. */
export type FilingStatus = (typeof filingStatuses)[number];

export const filingFlow = machine<FilingStatus>({
  DRAFT: ['RECORDED', 'DISMISSED'],
  // A wrong record is corrected by recording again.
  RECORDED: ['FILED', 'DRAFT'],
  FILED: [],
  DISMISSED: [],
});

// A UUIDv7 has 48 bits of milliseconds, which are 13 digits until the year 2286, and 12 bits of chance.
const TIME = /^(.{8})-(.{4})-.(.{3})/;

/** Derives our number of a communication, 17 digits, from its id. */
export function numberOf(id: string): string {
  const [, high = '', low = '', chance = ''] = TIME.exec(id) ?? [];
  return `${parseInt(high + low, 16)}${String(parseInt(chance, 16)).padStart(4, '0')}`;
}
