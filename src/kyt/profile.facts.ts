import { Injectable } from '@nestjs/common';
import type { FactSheet, Findings } from '../rules/index.js';
import type { OpenTransaction } from './domain/claimed.js';
import type { FactProvider } from './domain/evidence.js';

const DECLARED = ['profile.monthlyIncome', 'profile.monthlyRevenue'] as const;
const CHOSEN = ['profile.nightLimit', 'profile.nightStartHour'] as const;

/**
 * What a customer has declared and chosen. That nothing was is a fact too: a rule that asks `has(profile.nightLimit)`
 * goes on with its own limit, and a composition that needs the profile is not whole.
 */
@Injectable()
export class ProfileFacts implements FactProvider {
  readonly components = ['PROFILE'] as const;
  readonly sources = ['PROFILE'] as const;

  find(batch: readonly OpenTransaction[], sheets: readonly FactSheet[]): Promise<readonly Findings[]> {
    for (const sheet of sheets) {
      for (const name of DECLARED) sheet.setUnknown(name, 'MISSING', 'NOT_DECLARED');
      for (const name of CHOSEN) sheet.setUnknown(name, 'MISSING', 'NOT_CHOSEN');
    }
    return Promise.resolve(
      batch.map(({ receivedAt }) => ({
        PROFILE: {
          state: 'MISSING_INPUT',
          source: 'customers',
          asOf: receivedAt.toISOString(),
          reason: 'NOT_DECLARED',
        },
      })),
    );
  }
}
