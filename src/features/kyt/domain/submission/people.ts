import type { TaxId } from '../../../../platform/kernel/values/tax-id.js';

/** Names what somebody is to the participant that they stand behind. */
export const peopleRoles = ['OWNER', 'REPRESENTATIVE'] as const;
export type PersonRole = (typeof peopleRoles)[number];

/** So many people one participant may name. */
export const MOST_PEOPLE = 10;

/** Somebody behind a participant, as submitted. */
export interface PersonBehind {
  readonly role: PersonRole;
  readonly name: string;
  readonly taxId: TaxId | null;
  /** ISO 8601 date. */
  readonly birthDate: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly nationality: string | null;
}
