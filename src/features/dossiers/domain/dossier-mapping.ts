import { TaxId } from '../../../platform/kernel/values/tax-id.js';
import { publicId } from '../../../platform/kernel/ids.js';
import type {
  ArchivedEvaluation,
  ArchivedTransaction,
  CustomerFile,
  KnownArtifact,
  Participant,
  SessionSource,
} from './sources.js';
import type {
  DossierArtifact,
  DossierCustomer,
  DossierDecision,
  DossierEvaluation,
  DossierTerms,
  DossierParty,
  DossierSession,
  DossierTransaction,
} from './dossier.js';
import { pick } from '../../../platform/kernel/pick.js';

/** The operators who decided a case, and their justification. */
export type Deciders = Pick<DossierDecision, 'proposedBy' | 'closedBy' | 'justification'>;

const NO_DECIDERS: Deciders = { proposedBy: null, closedBy: null, justification: null };

export function dossierCustomerOf(file: CustomerFile): DossierCustomer {
  const { profile } = file;
  return {
    id: publicId('cus', file.id),
    name: profile?.name ?? null,
    documentMasked: maskTaxId(profile?.document ?? profile?.documentMasked ?? null),
    externalCustomerId: profile?.externalCustomerId ?? null,
    birthDate: profile?.birthDate ?? null,
    nationalities: profile?.nationalities ?? [],
    ...pick(file, 'personType', 'assurance', 'identifiedBy'),
    identifiedAt: file.identifiedAt.toISOString(),
    riskLevel: file.riskLevel,
    legalHold: file.legalHold,
    erased: profile === null,
  };
}

/** Masks a document for display; returns null if it is not a valid CPF or CNPJ. */
export function maskTaxId(document: string | null): string | null {
  if (document === null) return null;
  const parsed = TaxId.parse(document);
  return parsed.ok ? parsed.id.maskedText : null;
}

export function dossierTransactionOf(
  transaction: ArchivedTransaction,
  deciders: ReadonlyMap<string, Deciders>,
): DossierTransaction {
  const { submission } = transaction;
  return {
    id: publicId('txn', transaction.id),
    ...pick(transaction, 'transactionId', 'type', 'channel', 'direction', 'amount', 'currency'),
    occurredAt: transaction.occurredAt.toISOString(),
    receivedAt: transaction.receivedAt.toISOString(),
    status: transaction.status,
    submissionState: transaction.submissionState,
    origin: submission && partyOf(submission.origin),
    destination: submission && partyOf(submission.destination),
    evaluations: transaction.evaluations.map((one) => evaluationOf(one, deciders)),
  };
}

const partyOf = ({ name, taxId, accountReference, walletReference, country }: Participant): DossierParty => ({
  name,
  documentMasked: taxId?.maskedText ?? null,
  account: accountReference ?? walletReference,
  country,
});

const termsOf = ({ silenced, lists }: ArchivedEvaluation): DossierTerms => ({
  silenced: Object.entries(silenced).map(([rule, why]) => `${rule}: ${why}`),
  dismissedHits: lists.dismissed,
  listsOff: lists.off,
  listsStale: lists.stale,
  thresholds: Object.entries(lists.thresholds).map(([list, terms]) => `${list}: ${terms.join(', ')}`),
});

const evaluationOf = (
  evaluation: ArchivedEvaluation,
  deciders: ReadonlyMap<string, Deciders>,
): DossierEvaluation => ({
  ...pick(evaluation, 'version', 'outcome', 'score', 'level', 'recommendedAction', 'composition'),
  ...pick(evaluation, 'defensible', 'nonDefensibleReasons', 'ruleset'),
  terms: termsOf(evaluation),
  receiptHash: evaluation.receiptHash,
  evaluatedAt: evaluation.evaluatedAt.toISOString(),
  reasons: evaluation.reasons.map(
    ({ ruleId, version, points, observed, threshold, message, legalBasis }) => ({
      ...{ ruleId, version, points, observed, threshold, message },
      legalBasis: legalBasis.map(({ norm, item }) => (item === '' ? norm : `${norm}, ${item}`)),
    }),
  ),
  decision: evaluation.decision && {
    outcome: evaluation.decision.outcome,
    reviewId: publicId('rev', evaluation.decision.reviewId),
    decidedAt: evaluation.decision.decidedAt.toISOString(),
    singleControl: evaluation.decision.singleControl,
    ...(deciders.get(evaluation.decision.reviewId) ?? NO_DECIDERS),
  },
});

export const dossierArtifactOf = (artifact: KnownArtifact): DossierArtifact => ({
  id: publicId('art', artifact.id),
  ...pick(artifact, 'kind', 'documentType', 'side', 'mimeType', 'sizeBytes'),
  sha256: artifact.facts?.sha256 ?? null,
  state: artifact.state,
  receivedAt: artifact.createdAt.toISOString(),
  receivedBy: artifact.receivedBy.startsWith('session:') ? 'session' : artifact.receivedBy,
});

export const dossierSessionOf = (session: SessionSource): DossierSession => ({
  id: publicId('kys', session.id),
  flow: `${session.flowKey}@${session.flowVersion}`,
  ...pick(session, 'trigger', 'status', 'statusReason', 'outcome'),
  score: session.riskScore,
  ...pick(session, 'composition', 'defensible', 'nonDefensibleReasons'),
  createdAt: session.createdAt.toISOString(),
  submittedAt: session.submittedAt?.toISOString() ?? null,
  endedAt: session.endedAt?.toISOString() ?? null,
});
