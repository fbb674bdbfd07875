import { Injectable } from '@nestjs/common';
import { SessionHistoryService, type SessionHistory } from '../../sessions/index.js';
import { FactSheet, type ComponentFindings, type FactValue, type FeatureName } from '../../rules/index.js';
import type { DecryptedTransaction } from '../domain/claimed.js';
import type { FactProvider, IdentifiedParties } from '../domain/facts/evidence.js';

/** Sets when and by which flows the customer was last verified in a session, and the result of the last session. */
@Injectable()
export class SessionFactProvider implements FactProvider {
  readonly components = [] as const;
  readonly sources = ['KYC'] as const;

  constructor(private readonly sessions: SessionHistoryService) {}

  async find(
    batch: readonly DecryptedTransaction[],
    sheets: readonly FactSheet[],
    parties: readonly IdentifiedParties[],
  ): Promise<readonly ComponentFindings[]> {
    const customers = batch.map(({ organisationId }, i) => {
      const customerId = parties[i]?.customerId ?? null;
      return customerId === null ? null : { organisationId, customerId };
    });
    const sessionsByCustomer = await this.sessions.find(customers.filter((customer) => customer !== null));
    batch.forEach((_, i) => {
      const sheet = sheets[i];
      if (!sheet) throw new Error('sheets and batch differ in length');
      const { asIs = null, confirmed = null } = sessionsByCustomer.get(customers[i]?.customerId ?? '') ?? {};
      setSessionFacts(sheet, asIs);
      if (confirmed) sheet.setUnconfirmedFrom(setSessionFacts(new FactSheet(sheet.schema), confirmed));
    });
    return batch.map(() => ({}));
  }
}

function setSessionFacts(sheet: FactSheet, history: SessionHistory | null): FactSheet {
  const set = (name: FeatureName, value: FactValue | Date | null | undefined): void => {
    if (value === null || value === undefined) sheet.setUnknown(name, 'MISSING', 'NEVER_VERIFIED');
    else sheet.set(name, value);
  };
  const isApproved = (history?.approvedAt ?? null) !== null;
  set('kyc.lastApprovedAt', history?.approvedAt);
  set('kyc.approvedFlows', isApproved ? history?.approvedFlows : null);
  set('kyc.lastResult', history?.result);
  set('kyc.lastEndedAt', history?.endedAt);
  return sheet;
}
