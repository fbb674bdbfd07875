import { Inject, Injectable } from '@nestjs/common';
import {
  CustomerRecordsService,
  type PersonBehindCompany,
  type CustomerRiskProfile,
} from '../../customers/index.js';
import { BRAZIL_TIME_ZONE, localDayIn } from '../../../platform/kernel/values/local-day.js';
import { FactSheet, profileGapOf, type ComponentFinding, type ComponentFindings } from '../../rules/index.js';
import { setPersonFacts } from '../domain/facts/person-facts.js';
import type { DecryptedTransaction } from '../domain/claimed.js';
import { NO_PARTIES, type FactProvider, type IdentifiedParties } from '../domain/facts/evidence.js';

const FEATURES = [
  ['profile.monthlyIncome', 'monthlyIncome', 'NOT_DECLARED'],
  ['profile.monthlyRevenue', 'monthlyRevenue', 'NOT_DECLARED'],
  ['profile.nightLimit', 'nightLimit', 'NOT_CHOSEN'],
  ['profile.nightStartHour', 'nightStartHour', 'NOT_CHOSEN'],
  ['profile.pep', 'pep', 'NOT_DECLARED'],
] as const;

const COMPLETE = { state: 'NO_HIT' } as const;

const NO_PROFILE: CustomerRiskProfile = {
  declared: null,
  birthDate: null,
  nationalities: [],
  riskLevel: null,
  riskSingleControl: false,
  confirmed: null,
};

/**
 * Sets the facts that a customer declared, and the limits that they chose. A missing fact has effects: a rule with
 * `has(profile.nightLimit)` uses its own limit, and a score that requires the profile is not COMPLETE.
 */
@Injectable()
export class ProfileFactProvider implements FactProvider {
  readonly components = ['PROFILE'] as const;
  readonly sources = ['PROFILE'] as const;
  private readonly today = localDayIn(BRAZIL_TIME_ZONE);

  constructor(
    @Inject(CustomerRecordsService)
    private readonly customers: Pick<CustomerRecordsService, 'readRiskProfiles' | 'decryptRiskProfiles'>,
  ) {}

  async find(
    batch: readonly DecryptedTransaction[],
    sheets: readonly FactSheet[],
    parties: readonly IdentifiedParties[],
  ): Promise<readonly ComponentFindings[]> {
    const storedProfiles = new Map(
      parties.flatMap(({ standing }) => (standing ? [[standing.id, standing]] : [])),
    );
    const riskProfiles = await this.customers.decryptRiskProfiles([...storedProfiles.values()]);
    const exposedPeople = await this.exposedAmong(parties.flatMap(({ people }) => people));
    return batch.map(({ receivedAt, occurredAt }, i) => {
      const sheet = sheets[i];
      if (!sheet) throw new Error('sheets and batch differ in length');
      const { customerId, people } = parties[i] ?? NO_PARTIES;
      const riskProfile = riskProfiles.get(customerId ?? '') ?? NO_PROFILE;
      const today = this.today(occurredAt.getTime());
      const isAmong = (ids: ReadonlySet<string>): boolean => people.some(({ personId }) => ids.has(personId));
      const [isExposed, wasExposed] = [isAmong(exposedPeople[0]), isAmong(exposedPeople[1])];
      const finding = setProfileFacts(sheet, riskProfile, { today, receivedAt, isExposed });
      if (riskProfile.confirmed || isExposed !== wasExposed) {
        const confirmed = new FactSheet(sheet.schema);
        const context = { today, receivedAt, isExposed: wasExposed };
        setProfileFacts(confirmed, { ...riskProfile, ...riskProfile.confirmed }, context);
        sheet.setUnconfirmedFrom(confirmed);
      }
      return { PROFILE: finding };
    });
  }

  /**
   * Returns the ids of people declared to be politically exposed: first the ids by all declarations, then the ids
   * without the declarations that one operator alone wrote down.
   */
  private async exposedAmong(
    people: readonly PersonBehindCompany[],
  ): Promise<readonly [ReadonlySet<string>, ReadonlySet<string>]> {
    const riskProfiles = await this.customers.readRiskProfiles(
      people.map(({ organisationId, personId: id }) => ({ organisationId, id })),
    );
    const peopleWith = (
      look: (one: CustomerRiskProfile) => CustomerRiskProfile['declared'],
    ): ReadonlySet<string> =>
      new Set([...riskProfiles].flatMap(([id, one]) => (look(one)?.pep === true ? [id] : [])));
    return [
      peopleWith(({ declared }) => declared),
      peopleWith(({ declared, confirmed }) => (confirmed ? confirmed.declared : declared)),
    ];
  }
}

/**
 * Sets every feature of a profile. The law requires three of them: financial capacity (income or revenue), political
 * exposure and the class of risk.
 */
function setProfileFacts(
  sheet: FactSheet,
  standing: CustomerRiskProfile,
  {
    today,
    receivedAt,
    isExposed,
  }: { readonly today: string; readonly receivedAt: Date; readonly isExposed: boolean },
): ComponentFinding {
  const { declared: profile, riskLevel, riskSingleControl } = standing;
  setPersonFacts(sheet, standing, today);
  for (const [feature, member, absent] of FEATURES) {
    const value = profile?.[member] ?? null;
    if (value === null) sheet.setUnknown(feature, 'MISSING', absent);
    else sheet.set(feature, value);
  }
  if (riskLevel === null) sheet.setUnknown('profile.riskLevel', 'MISSING', 'NOT_CLASSIFIED');
  else sheet.set('profile.riskLevel', riskLevel);
  const gap = profileGapOf(sheet);
  // A company counts as politically exposed if an owner or representative is, even if the company denies it.
  if (isExposed) sheet.set('profile.pep', true);
  const singleControl =
    riskSingleControl || Object.values(profile?.from ?? {}).some((said) => said.singleControl);
  const asOf = profile?.asOf ?? receivedAt.toISOString();
  const found = { source: 'customers', asOf, ...(gap ?? COMPLETE) } as const;
  return singleControl ? { marks: ['SINGLE_CONTROL'], ...found } : found;
}
