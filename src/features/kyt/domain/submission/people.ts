import type { TaxId } from '../../../../platform/kernel/values/tax-id.js';

/** The roles of people behind a participant. */
export const peopleRoles = ['OWNER', 'REPRESENTATIVE'] as const;
export type PersonRole = (typeof peopleRoles)[number];

/** Maximum number of people per participant. */
export const MAX_PEOPLE = 10;

/** A person behind a participant, as submitted. */
export interface RelatedPerson {
  readonly role: PersonRole;
  readonly name: string;
  readonly taxId: TaxId | null;
  /** ISO 8601 date. */
  readonly birthDate: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly nationality: string | null;
}
