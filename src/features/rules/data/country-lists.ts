import type { ListLookup } from '../language/index.js';

/** A list of countries as published at a date. */
export interface CountryList {
  readonly id: string;
  readonly name: string;
  readonly source: string;
  /** The date of the publication that the list is taken from. */
  readonly asOf: string;
  /** ISO 3166-1 alpha-2. */
  readonly codes: readonly string[];
}

const codes = (text: string): readonly string[] => text.trim().split(/\s+/);

/**
 * The country lists that rule BR-GEO-21 reads. The FATF changes its lists three times a year and the Receita Federal
 * amends its own. An installation starts with these; a compliance officer checks them and imports newer publications.
 */
export const countryLists: readonly CountryList[] = [
  {
    id: 'fatf-call-for-action',
    name: 'FATF: high-risk jurisdictions subject to a call for action',
    source: 'FATF, High-Risk Jurisdictions subject to a Call for Action',
    asOf: '2025-10-24',
    codes: codes('IR KP MM'),
  },
  {
    id: 'fatf-increased-monitoring',
    name: 'FATF: jurisdictions under increased monitoring',
    source: 'FATF, Jurisdictions under Increased Monitoring',
    asOf: '2025-10-24',
    codes: codes('AO BG BO CD CI CM DZ HT KE LA LB MC NA NP SS SY VE VG VN YE'),
  },
  {
    id: 'rfb-favoured-tax',
    name: 'Receita Federal: favoured taxation',
    // Parts of states that the norm names (Labuan, Campione d'Italia, Qeshm) have no code of their own and are left out.
    source: 'IN RFB 1.037/2010, art. 1º',
    asOf: '2024-01-01',
    codes: codes(`
      AD AG AI AS AW BB BH BM BN BS BZ CK CW DJ DM GD GG GI HK IM JE KI KN KY LB LC LI LR MC MH MO MS MU MV
      NF NR NU OM PA PF PM PN SB SC SH SM SX SZ TC TO VC VG VI VU WS`),
  },
];

/** Lists that the ruleset reads and that an organisation fills itself; empty until then. */
export const ownLists = [
  {
    id: 'shared-networks',
    name: 'IP addresses that many customers share: branches, carrier NAT',
  },
] as const;

/** The lists that every organisation has before it imports any. */
export const shippedListIds: readonly string[] = [...countryLists, ...ownLists].map(({ id }) => id);

/** Looks up values in the lists as they ship, before an organisation changes them; any other list is unknown. */
export function shippedLists(): ListLookup {
  const members = new Map<string, ReadonlySet<string>>([
    ...countryLists.map(({ id, codes: of }) => [id, new Set(of)] as const),
    ...ownLists.map(({ id }) => [id, new Set<string>()] as const),
  ]);
  return { has: (list, value) => members.get(list)?.has(value) };
}
