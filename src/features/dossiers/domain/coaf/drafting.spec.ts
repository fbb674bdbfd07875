import { describe, expect, it } from '@jest/globals';
import { cashCode } from './cash-report.js';
import { draftOf, type DraftSources } from './drafting.js';

const sources = (type: string, direction: 'IN' | 'OUT'): DraftSources => ({
  ...{ kind: 'CASH', number: '1', institution: null, customer: null, people: [], pep: null },
  ...{ transactions: [], inReais: () => null, justification: null, decidedAt: new Date(0) },
  codes: [cashCode({ type, direction, amountBrl: 60_000 }) ?? 0],
});

describe('The draft of a report of cash', () => {
  it.each([
    ['CASH_DEPOSIT', 'IN', 'DEPÓSITO EM ESPÉCIE'],
    ['CASH_WITHDRAWAL', 'OUT', 'SAQUE EM ESPÉCIE'],
    ['CASH_CONTRIBUTION', 'IN', 'APORTE EM ESPÉCIE'],
    ['CASH_PAYMENT', 'OUT', 'PAGAMENTO EM ESPÉCIE'],
    ['CASH_PROVISION', 'OUT', 'PROVISIONAMENTO DE SAQUE EM ESPÉCIE'],
    ['SOMETHING_IN_CASH', 'IN', 'DEPÓSITO EM ESPÉCIE'],
  ] as const)('calls %s what its number in Siscoaf calls it', (type, direction, details) => {
    expect(draftOf(sources(type, direction)).details).toBe(details);
  });
});
