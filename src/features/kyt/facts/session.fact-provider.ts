import { Injectable } from '@nestjs/common';
import { StepUpsService } from '../../sessions/index.js';
import type { FactSheet, ComponentFindings } from '../../rules/index.js';
import type { DecryptedTransaction } from '../domain/claimed.js';
import type { FactProvider, IdentifiedParties } from '../domain/facts/evidence.js';

/** Sets when the customer was last verified in a session, and the result of the last session. */
@Injectable()
export class SessionFactProvider implements FactProvider {
  readonly components = [] as const;
  readonly sources = ['KYC'] as const;

  constructor(private readonly stepUps: StepUpsService) {}

  async find(
    batch: readonly DecryptedTransaction[],
    sheets: readonly FactSheet[],
    parties: readonly IdentifiedParties[],
  ): Promise<readonly ComponentFindings[]> {
    const customers = batch.map(({ organisationId }, i) => {
      const customerId = parties[i]?.customerId ?? null;
      return customerId === null ? null : { organisationId, customerId };
    });
    const asked = customers.filter((customer) => customer !== null);
    const last = await this.stepUps.findLastSessions(asked);
    batch.forEach((_, i) => {
      const sheet = sheets[i];
      if (!sheet) throw new Error('sheets and batch differ in length');
      const found = last.get(customers[i]?.customerId ?? '');
      if (found?.approvedAt) sheet.set('kyc.lastApprovedAt', found.approvedAt);
      else sheet.setUnknown('kyc.lastApprovedAt', 'MISSING', 'NEVER_VERIFIED');
      if (found) sheet.set('kyc.lastResult', found.outcome).set('kyc.lastEndedAt', found.endedAt);
      else {
        sheet
          .setUnknown('kyc.lastResult', 'MISSING', 'NEVER_VERIFIED')
          .setUnknown('kyc.lastEndedAt', 'MISSING', 'NEVER_VERIFIED');
      }
    });
    return batch.map(() => ({}));
  }
}
