import { Inject, Injectable } from '@nestjs/common';
import { CustomerDesk, type DeclaredProfile } from '../customers/index.js';
import type { FactSheet, Finding, Findings } from '../rules/index.js';
import type { OpenTransaction } from './domain/claimed.js';
import type { FactProvider } from './domain/evidence.js';
import { ScreeningFacts } from './screening.facts.js';

const FEATURES = [
  ['profile.monthlyIncome', 'monthlyIncome', 'NOT_DECLARED'],
  ['profile.monthlyRevenue', 'monthlyRevenue', 'NOT_DECLARED'],
  ['profile.nightLimit', 'nightLimit', 'NOT_CHOSEN'],
  ['profile.nightStartHour', 'nightStartHour', 'NOT_CHOSEN'],
] as const;

/**
 * What a customer has declared and chosen. That nothing was is a fact too: a rule that asks `has(profile.nightLimit)`
 * goes on with its own limit, and a composition that needs the profile is not whole.
 */
@Injectable()
export class ProfileFacts implements FactProvider {
  readonly components = ['PROFILE'] as const;
  readonly sources = ['PROFILE'] as const;

  constructor(
    @Inject(CustomerDesk) private readonly customers: Pick<CustomerDesk, 'declaredBy'>,
    @Inject(ScreeningFacts) private readonly screening: Pick<ScreeningFacts, 'foundIn'>,
  ) {}

  async find(batch: readonly OpenTransaction[], sheets: readonly FactSheet[]): Promise<readonly Findings[]> {
    const ids = batch.map((transaction) => this.screening.foundIn(transaction).customerId);
    const declared = await this.customers.declaredBy(
      batch.flatMap(({ organisationId }, i) => {
        const id = ids[i] ?? null;
        return id === null ? [] : [{ organisationId, id }];
      }),
    );
    return batch.map(({ receivedAt }, i) => {
      const sheet = sheets[i];
      if (!sheet) throw new Error('sheets and batch differ in length');
      return { PROFILE: put(sheet, declared.get(ids[i] ?? '') ?? null, receivedAt) };
    });
  }
}

/** Sets every feature of a profile. Income or revenue is what makes it one: capacity is what the law asks for. */
function put(sheet: FactSheet, profile: DeclaredProfile | null, receivedAt: Date): Finding {
  for (const [feature, member, absent] of FEATURES) {
    const value = profile?.[member] ?? null;
    if (value === null) sheet.setUnknown(feature, 'MISSING', absent);
    else sheet.set(feature, value);
  }
  const found = { source: 'customers', asOf: profile?.asOf ?? receivedAt.toISOString() };
  const capacity = profile?.monthlyIncome ?? profile?.monthlyRevenue ?? null;
  return capacity === null
    ? { state: 'MISSING_INPUT', reason: 'NOT_DECLARED', ...found }
    : { state: 'NO_HIT', ...found };
}
