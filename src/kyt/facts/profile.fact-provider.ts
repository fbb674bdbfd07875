import { Inject, Injectable } from '@nestjs/common';
import { CustomerRecordsService, type CustomerStanding } from '../../customers/index.js';
import type { FactSheet, Finding, Findings } from '../../rules/index.js';
import type { OpenTransaction } from '../domain/claimed.js';
import type { FactProvider, FoundParties } from '../domain/facts/evidence.js';

const FEATURES = [
  ['profile.monthlyIncome', 'monthlyIncome', 'NOT_DECLARED'],
  ['profile.monthlyRevenue', 'monthlyRevenue', 'NOT_DECLARED'],
  ['profile.nightLimit', 'nightLimit', 'NOT_CHOSEN'],
  ['profile.nightStartHour', 'nightStartHour', 'NOT_CHOSEN'],
  ['profile.pep', 'pep', 'NOT_DECLARED'],
] as const;

const NOTHING: CustomerStanding = { declared: null, riskLevel: null };

/**
 * Sets the declared and chosen facts of a customer. Their absence is a fact too: a rule that asks
 * `has(profile.nightLimit)` goes on with its own limit, and a composition that needs the profile is not whole.
 */
@Injectable()
export class ProfileFactProvider implements FactProvider {
  readonly components = ['PROFILE'] as const;
  readonly sources = ['PROFILE'] as const;

  constructor(
    @Inject(CustomerRecordsService) private readonly customers: Pick<CustomerRecordsService, 'knownOf'>,
  ) {}

  async find(
    batch: readonly OpenTransaction[],
    sheets: readonly FactSheet[],
    parties: readonly FoundParties[],
  ): Promise<readonly Findings[]> {
    const ids = batch.map((_, i) => parties[i]?.customerId ?? null);
    const known = await this.customers.knownOf(
      batch.flatMap(({ organisationId }, i) => {
        const id = ids[i] ?? null;
        return id === null ? [] : [{ organisationId, id }];
      }),
    );
    return batch.map(({ receivedAt }, i) => {
      const sheet = sheets[i];
      if (!sheet) throw new Error('sheets and batch differ in length');
      return { PROFILE: put(sheet, known.get(ids[i] ?? '') ?? NOTHING, receivedAt) };
    });
  }
}

/** Sets every feature of a profile. Income or revenue is what makes it one: capacity is what the law asks for. */
function put(
  sheet: FactSheet,
  { declared: profile, riskLevel }: CustomerStanding,
  receivedAt: Date,
): Finding {
  for (const [feature, member, absent] of FEATURES) {
    const value = profile?.[member] ?? null;
    if (value === null) sheet.setUnknown(feature, 'MISSING', absent);
    else sheet.set(feature, value);
  }
  if (riskLevel === null) sheet.setUnknown('profile.riskLevel', 'MISSING', 'NOT_CLASSIFIED');
  else sheet.set('profile.riskLevel', riskLevel);
  const found = { source: 'customers', asOf: profile?.asOf ?? receivedAt.toISOString() };
  const capacity = profile?.monthlyIncome ?? profile?.monthlyRevenue ?? null;
  return capacity === null
    ? { state: 'MISSING_INPUT', reason: 'NOT_DECLARED', ...found }
    : { state: 'NO_HIT', ...found };
}
