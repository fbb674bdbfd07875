import { Injectable } from '@nestjs/common';
import type { FactSheet, FactValue, FeatureName, ComponentFindings } from '../../rules/index.js';
import type { DecryptedTransaction } from '../domain/claimed.js';
import { NO_PARTIES, type FactProvider, type IdentifiedParties } from '../domain/facts/evidence.js';
import type { CustomerCaseHistory } from '../domain/facts/case-history.js';
import { CaseHistoryQueries, type CounterpartyCaseHistory } from '../store/case-history.queries.js';

const CUSTOMER_FEATURES = [
  'customer.alertPoints7d',
  'customer.alertPoints30d',
  'customer.openCases',
  'customer.confirmedFraud',
] as const satisfies FeatureName[];

const COUNTERPARTY_FEATURES = [
  'counterparty.isCustomer',
  'counterparty.confirmedFraud',
  'counterparty.openCases',
] as const satisfies FeatureName[];

/** Sets facts about earlier cases of the customer, so that rules can add up small alerts. */
@Injectable()
export class CaseFactProvider implements FactProvider {
  readonly components = [] as const;
  readonly sources = ['CASES'] as const;

  constructor(private readonly caseHistory: CaseHistoryQueries) {}

  async find(
    batch: readonly DecryptedTransaction[],
    sheets: readonly FactSheet[],
    parties: IdentifiedParties[],
  ): Promise<readonly ComponentFindings[]> {
    const caseHistories = await this.caseHistory.readCustomerHistories(
      batch.flatMap(({ id, organisationId, occurredAt }, i) => {
        const customerId = parties[i]?.customerId ?? null;
        return customerId === null ? [] : [{ organisationId, customerId, occurredAt, transactionRef: id }];
      }),
    );
    const counterpartyHistories = await this.caseHistory.readCounterpartyHistories(
      batch.flatMap(({ id, organisationId, counterpartyKey, submission }) =>
        counterpartyKey && hasDocument(submission)
          ? [{ organisationId, documentKey: counterpartyKey, transactionRef: id }]
          : [],
      ),
    );
    batch.forEach(({ id }, i) => {
      setCounterpartyFacts(sheets[i], counterpartyHistories.get(id));
    });
    batch.forEach(({ id }, i) => {
      const [sheet, standing] = [sheets[i], caseHistories.get(id)];
      if (!sheet) throw new Error('sheets and batch differ in length');
      if (!standing) {
        for (const name of CUSTOMER_FEATURES) sheet.setUnknown(name, 'MISSING', 'NO_CUSTOMER');
        return;
      }
      setCustomerFacts(sheet, standing);
      const { settled } = standing;
      if (settled.size === 0) return;
      // oxlint-disable-next-line house/no-leading-spread -- replaces an item, adds none
      parties[i] = { ...(parties[i] ?? NO_PARTIES), settled };
    });
    return batch.map(() => ({}));
  }
}

/** True if the counterparty has a full document; its key is then the key of the document. */
function hasDocument({ direction, origin, destination }: DecryptedTransaction['submission']): boolean {
  const other = direction.value === 'IN' ? origin : destination;
  return other.taxId !== null && !other.taxId.isMasked;
}

function setCounterpartyFacts(
  sheet: FactSheet | undefined,
  standing: CounterpartyCaseHistory | undefined,
): void {
  if (!sheet) throw new Error('sheets and batch differ in length');
  if (!standing) {
    for (const name of COUNTERPARTY_FEATURES) sheet.setUnknown(name, 'MISSING', 'NO_COUNTERPARTY_DOCUMENT');
    return;
  }
  sheet
    .set('counterparty.isCustomer', standing.isCustomer)
    .set('counterparty.confirmedFraud', standing.confirmedFraud)
    .set('counterparty.openCases', standing.openCases);
  if (standing.isOfOne) setUnconfirmed(sheet, 'counterparty.isCustomer', false);
  if (standing.mergedCases > 0) {
    setUnconfirmed(sheet, 'counterparty.openCases', standing.openCases + standing.mergedCases);
  }
}

/**
 * Sets the value that a fact would have if one operator alone had not merged cases, or had not written a customer into
 * a file.
 */
function setUnconfirmed(sheet: FactSheet, name: FeatureName, value: FactValue): void {
  sheet.setUnconfirmedAt(sheet.schema.get(name), { state: 'KNOWN', value, saturated: false });
}

function setCustomerFacts(sheet: FactSheet, standing: CustomerCaseHistory): void {
  const { points7d, points30d, unknown7d, unknown30d, openCases, mergedCases, confirmedFraud } = standing;
  if (unknown7d) sheet.setCapped('customer.alertPoints7d', points7d);
  else sheet.set('customer.alertPoints7d', points7d);
  if (unknown30d) sheet.setCapped('customer.alertPoints30d', points30d);
  else sheet.set('customer.alertPoints30d', points30d);
  sheet.set('customer.openCases', openCases);
  if (mergedCases > 0) setUnconfirmed(sheet, 'customer.openCases', openCases + mergedCases);
  sheet.set('customer.confirmedFraud', confirmedFraud);
}
