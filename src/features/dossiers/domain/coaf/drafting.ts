import type { ArchivedTransaction, CustomerFile, Participant } from '../sources.js';
import type { CommunicationKind, SiscoafRole } from '../../data/siscoaf-layout.js';
import { sumOfAmounts, type Communication, type Institution, type InvolvedParty } from './communication.js';
import { CASH_PROVISIONED, cashOperation } from '../../data/siscoaf-codes.js';
import { localDay } from './deadlines.js';
import { composeNarrative } from './narrative.js';

export interface DraftSources {
  readonly kind: CommunicationKind;
  readonly number: string;
  readonly institution: Institution | null;
  readonly customer: CustomerFile | null;
  /** People whom an operator added to the case. */
  readonly people: readonly CustomerFile[];
  /** True for a confirmed hit on a list of politically exposed persons; null if not known. */
  readonly pep: boolean | null;
  readonly transactions: readonly ArchivedTransaction[];
  /** Returns the amount of a transaction in reais, as an exact decimal; null if no exchange rate is usable. */
  readonly inReais: (transaction: ArchivedTransaction) => string | null;
  /** Siscoaf codes in addition to the codes of the reasons. */
  readonly codes: readonly number[];
  /** The justification of the decision; null for a cash report, which nobody decides. */
  readonly justification: string | null;
  readonly decidedAt: Date;
}

const NO_INSTITUTION: Institution = {
  taxId: null,
  name: null,
  branchNumber: null,
  branchName: null,
  city: null,
  state: null,
};

/** Drafts a communication from stored data only; unknown values stay unknown. */
export function draftOf(sources: DraftSources): Communication {
  const { kind, number, transactions, decidedAt } = sources;
  const provision = kind === 'CASH' && sources.codes.includes(CASH_PROVISIONED);
  const sum = (direction: 'IN' | 'OUT' | null): string =>
    sumOfAmounts(
      transactions
        .filter((transaction) => direction === null || transaction.direction === direction)
        .flatMap((transaction) => sources.inReais(transaction) ?? []),
    );
  const parties = partiesOf(sources);
  const { from, to } = spanOf(transactions, decidedAt);
  return {
    kind,
    number,
    institution: sources.institution ?? NO_INSTITUTION,
    from,
    to,
    credit: provision ? '0' : sum('IN'),
    debit: provision ? '0' : sum('OUT'),
    provision: provision ? sum(null) : '0',
    proposal: '0',
    details: detailsOf(sources, parties),
    codes: codesOf(sources),
    parties,
    filing: null,
  };
}

/** Returns the days, in Brazil, of the first and the last transaction. */
function spanOf(
  transactions: readonly ArchivedTransaction[],
  decidedAt: Date,
): Pick<Communication, 'from' | 'to'> {
  const days = transactions.map(({ occurredAt }) => occurredAt.getTime());
  if (days.length === 0) return { from: localDay(decidedAt), to: localDay(decidedAt) };
  return { from: localDay(new Date(Math.min(...days))), to: localDay(new Date(Math.max(...days))) };
}

function codesOf({ codes, transactions, kind }: DraftSources): number[] {
  if (kind === 'CASH') return [...codes];
  const reasonCodes = transactions.flatMap(({ evaluations }) =>
    (evaluations.at(-1)?.reasons ?? []).flatMap(({ legalBasis }) =>
      legalBasis.flatMap(({ siscoafCode }) => siscoafCode ?? []),
    ),
  );
  return [...new Set([...codes, ...reasonCodes])].sort((a, b) => a - b);
}

function detailsOf(sources: DraftSources, parties: readonly InvolvedParty[]): string {
  const { kind, codes, justification, transactions, decidedAt } = sources;
  if (kind === 'CASH') return cashOperation(codes[0]) ?? 'OPERAÇÃO EM ESPÉCIE';
  const reasons = transactions.flatMap(({ evaluations }) =>
    (evaluations.at(-1)?.reasons ?? []).map(({ message }) => message['pt-BR']),
  );
  const { from, to } = spanOf(transactions, decidedAt);
  const count = (role: SiscoafRole): number => parties.filter((party) => party.role === role).length;
  return composeNarrative({
    holder: parties[0]?.name ?? null,
    ...{ from, to, justification },
    movements: transactions.map((one) => ({ direction: one.direction, amount: sources.inReais(one) })),
    senders: count('SENDER'),
    beneficiaries: count('BENEFICIARY'),
    reasons: [...new Set(reasons)],
  });
}

function partiesOf(sources: DraftSources): InvolvedParty[] {
  const { customer, transactions, kind, pep } = sources;
  const ownProfile = customer?.profile ?? null;
  const holder: InvolvedParty = {
    ...UNKNOWN_PARTY,
    taxId: ownProfile?.document ?? documentOf(transactions[0]?.submission?.taxId ?? null),
    name: ownProfile?.name ?? nameOfHolder(transactions),
    role: 'HOLDER',
    account: transactions.flatMap((transaction) => ownSide(transaction)?.accountReference ?? [])[0] ?? null,
    pep,
  };
  const partyByKey = new Map<string, InvolvedParty>();
  for (const transaction of transactions) {
    const other = otherSide(transaction);
    if (!other) continue;
    const taxId = documentOf(other.taxId);
    if ((taxId === null && other.name === null) || (taxId !== null && taxId === holder.taxId)) continue;
    const role = roleOf(kind, transaction.direction);
    const key = `${role}|${taxId ?? other.name ?? ''}`;
    if (!partyByKey.has(key)) {
      partyByKey.set(key, {
        ...UNKNOWN_PARTY,
        taxId,
        name: other.name,
        role,
        account: other.accountReference,
      });
    }
  }
  const taxIds = new Set([holder, ...partyByKey.values()].flatMap(({ taxId }) => taxId ?? []));
  const added = sources.people.flatMap(({ profile }): InvolvedParty[] =>
    profile === null || (profile.document !== null && taxIds.has(profile.document))
      ? []
      : [{ ...UNKNOWN_PARTY, taxId: profile.document, name: profile.name }],
  );
  return [holder, ...partyByKey.values(), ...added];
}

/** A party of which nothing is known. */
export const UNKNOWN_PARTY: InvolvedParty = {
  taxId: null,
  name: null,
  role: 'OTHER',
  branchNumber: null,
  branchName: null,
  account: null,
  accountOpenedOn: null,
  profileUpdatedOn: null,
  pep: null,
  obliged: null,
  publicServant: null,
};

function roleOf(kind: CommunicationKind, direction: 'IN' | 'OUT' | null): SiscoafRole {
  if (direction === 'IN') return kind === 'CASH' ? 'DEPOSITOR' : 'SENDER';
  if (direction === 'OUT') return kind === 'CASH' ? 'DRAWER' : 'BENEFICIARY';
  return 'OTHER';
}

const ownSide = ({ submission, direction }: ArchivedTransaction): Participant | null =>
  submission && (direction === 'IN' ? submission.destination : submission.origin);

const otherSide = ({ submission, direction }: ArchivedTransaction): Participant | null =>
  submission && (direction === 'IN' ? submission.origin : submission.destination);

const nameOfHolder = (transactions: readonly ArchivedTransaction[]): string | null =>
  transactions.flatMap((transaction) => ownSide(transaction)?.name ?? [])[0] ?? null;

const documentOf = (taxId: Participant['taxId']): string | null =>
  taxId && !taxId.isMasked ? taxId.canonical() : null;
