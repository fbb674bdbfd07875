import { Injectable } from '@nestjs/common';
import { StepUps } from '../../sessions/index.js';
import type { FactSheet, Findings } from '../../rules/index.js';
import type { OpenTransaction } from '../domain/claimed.js';
import type { FactProvider, FoundParties } from '../domain/facts/evidence.js';

const FEATURE = 'kyc.lastApprovedAt';

/** When the customer was last verified in a session. */
@Injectable()
export class SessionFactProvider implements FactProvider {
  readonly components = [] as const;
  readonly sources = ['KYC'] as const;

  constructor(private readonly stepUps: StepUps) {}

  async find(
    batch: readonly OpenTransaction[],
    sheets: readonly FactSheet[],
    parties: readonly FoundParties[],
  ): Promise<readonly Findings[]> {
    const customers = batch.map(({ organisationId }, i) => {
      const customerId = parties[i]?.customerId ?? null;
      return customerId === null ? null : { organisationId, customerId };
    });
    const asked = customers.filter((customer) => customer !== null);
    const approved = new Map(
      (await this.stepUps.lastApproved(asked)).map((at, i) => [asked[i]?.customerId ?? '', at] as const),
    );
    batch.forEach((_, i) => {
      const at = approved.get(customers[i]?.customerId ?? '') ?? null;
      if (at === null) sheets[i]?.setUnknown(FEATURE, 'MISSING', 'NEVER_VERIFIED');
      else sheets[i]?.set(FEATURE, new Date(at));
    });
    return batch.map(() => ({}));
  }
}
