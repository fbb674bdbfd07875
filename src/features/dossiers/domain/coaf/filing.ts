import { machine } from '../../../../platform/kernel/machine.js';

export const filingStatuses = ['DRAFT', 'RECORDED', 'FILED', 'DISMISSED'] as const;
/** DRAFT: to be filed by a person. RECORDED: somebody says that it was. FILED: somebody else has checked that. DISMISSED: two
 * people have found the draft wrong. */
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

/** Our number of a communication, made of its id: 17 digits. */
export function numberOf(id: string): string {
  const [, high = '', low = '', chance = ''] = TIME.exec(id) ?? [];
  return `${parseInt(high + low, 16)}${String(parseInt(chance, 16)).padStart(4, '0')}`;
}
