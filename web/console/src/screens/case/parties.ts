import type { CaseFile, CaseTransaction } from '../../data/cases.js';
import type { Ties } from '../../parts/evidence/relations.js';
import type { Language } from '../../texts/language.js';
import { totalsOf } from './findings.js';

interface Other {
  readonly isPayer: boolean;
  readonly party: NonNullable<CaseTransaction['origin']>;
  readonly payments: readonly CaseTransaction[];
}

/** Returns what ties the customer to others, and the payers and payees of the case, who need not be customers. */
export function tiesOf(file: CaseFile, language: Language): Ties {
  const { nodes, edges, cut } = file.related ?? { nodes: [], edges: [], cut: false };
  const own = nodes.find(({ distance }) => distance === 0) ?? {
    ...{ id: 'customer', kind: 'CUSTOMER' as const, distance: 0, customerId: file.customerId },
    ...{ name: file.customerName ?? file.partyName, documentMasked: null, riskLevel: null },
    ...{ openCases: null, customers: null, cut: false },
  };
  const known = new Set(nodes.map(({ name, documentMasked }) => `${name ?? ''} ${documentMasked ?? ''}`));
  const others = othersIn(file.transactions).filter(
    ({ party }) => !known.has(`${party.name ?? ''} ${party.documentMasked ?? ''}`),
  );
  return {
    cut,
    nodes: [
      ...(nodes.length === 0 && others.length > 0 ? [own] : nodes),
      ...others.map(({ party }, at) => ({
        ...{ id: `party ${at}`, kind: 'COUNTERPARTY' as const, distance: 1, customerId: null },
        ...{ name: party.name ?? party.account, documentMasked: party.documentMasked, riskLevel: null },
        ...{ openCases: null, customers: null, cut: false },
      })),
    ],
    edges: [
      ...edges,
      ...others.map(({ isPayer, payments }, at) => ({
        from: isPayer ? `party ${at}` : own.id,
        to: isPayer ? own.id : `party ${at}`,
        kind: 'PAYS' as const,
        count: payments.length,
        lastAt:
          payments
            .map(({ occurredAt }) => occurredAt)
            .sort()
            .at(-1) ?? '',
        lastTransactionId: null,
        amount: totalsOf(payments, language),
      })),
    ],
  };
}

function othersIn(payments: readonly CaseTransaction[]): readonly Other[] {
  const others = new Map<string, Other>();
  for (const payment of payments) {
    const isPayer = payment.direction === 'IN';
    const party = isPayer ? payment.origin : payment.destination;
    const key = [isPayer, party?.name, party?.documentMasked, party?.account].join('|');
    if (!party || (party.name ?? party.documentMasked ?? party.account) === null) continue;
    others.set(key, { isPayer, party, payments: [...(others.get(key)?.payments ?? []), payment] });
  }
  return [...others.values()];
}
