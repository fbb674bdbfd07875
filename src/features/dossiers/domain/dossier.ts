import type { TrailStatus } from '../../audit/index.js';

export interface LocalisedText {
  readonly 'pt-BR': string;
  readonly en: string;
}

export interface DossierCheckpoint {
  readonly size: number;
  readonly root: string;
  readonly signedAt: string;
}

export interface IncompleteTrail {
  readonly subject: string;
  readonly status: TrailStatus;
}

export interface DossierTrail {
  readonly status: TrailStatus;
  readonly subjects: number;
  readonly incomplete: readonly IncompleteTrail[];
  readonly checkpoint: DossierCheckpoint | null;
}

/** An operator who appears in a dossier, with their current roles. */
export interface DossierPerson {
  readonly id: string;
  readonly name: string;
  readonly roles: readonly string[];
}

export interface DossierInstitution {
  readonly name: string;
  readonly taxId: string | null;
}

export interface DossierHead {
  readonly id: string;
  readonly about: 'CUSTOMER' | 'REVIEW';
  readonly subjectId: string;
  readonly generatedAt: string;
  readonly generatedBy: string;
  readonly auditReady: boolean;
  readonly trail: DossierTrail;
  readonly institution: DossierInstitution | null;
  readonly people: readonly DossierPerson[];
}

export interface DossierCustomer {
  readonly id: string;
  readonly name: string | null;
  readonly documentMasked: string | null;
  readonly externalCustomerId: string | null;
  readonly birthDate: string | null;
  readonly nationalities: readonly string[];
  readonly personType: string | null;
  readonly assurance: string;
  readonly identifiedBy: string;
  readonly identifiedAt: string;
  readonly riskLevel: string | null;
  readonly legalHold: boolean;
  readonly erased: boolean;
}

export interface DossierStep {
  readonly at: string;
  readonly action: string;
  readonly actor: string;
}

export interface DossierNote {
  readonly writtenAt: string;
  readonly author: string;
  readonly text: string | null;
}

export interface DossierCase {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly priority: number;
  readonly riskScore: number | null;
  readonly transactions: number;
  readonly openedAt: string;
  readonly openedBy: string;
  readonly selectionDeadline: string;
  readonly analysisDeadline: string;
  readonly reportDeadline: string | null;
  readonly resolution: string | null;
  readonly report: string | null;
  readonly justification: string | null;
  readonly proposedBy: string | null;
  readonly proposedAt: string | null;
  readonly closedBy: string | null;
  readonly closedAt: string | null;
  readonly reopenedFrom: string | null;
  readonly retainUntil: string | null;
  readonly notes: readonly DossierNote[];
  readonly steps: readonly DossierStep[];
}

export interface DossierHit {
  readonly id: string;
  readonly list: string;
  readonly listKind: string;
  readonly entry: string;
  readonly foundName: string | null;
  readonly strength: string;
  readonly score: number;
  readonly mandatory: boolean;
  readonly status: string;
  readonly foundAt: string;
  readonly decidedBy: string | null;
  readonly decidedAt: string | null;
  readonly justification: string | null;
}

export interface DossierCommunication {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly dueAt: string;
  readonly filingNumber: string | null;
  readonly receivedAt: string | null;
}

export interface DossierSession {
  readonly id: string;
  readonly flow: string;
  readonly trigger: string;
  readonly status: string;
  readonly statusReason: string | null;
  readonly outcome: string | null;
  readonly score: number | null;
  readonly composition: string | null;
  readonly defensible: boolean | null;
  readonly nonDefensibleReasons: readonly string[];
  readonly createdAt: string;
  readonly submittedAt: string | null;
  readonly endedAt: string | null;
}

export interface DossierArtifact {
  readonly id: string;
  readonly kind: string;
  readonly documentType: string | null;
  readonly side: string | null;
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly sha256: string | null;
  readonly state: string;
  readonly receivedAt: string;
  readonly receivedBy: string;
}

export interface DossierParty {
  readonly name: string | null;
  readonly documentMasked: string | null;
  readonly account: string | null;
  readonly country: string | null;
}

export interface DossierReason {
  readonly ruleId: string;
  readonly version: number;
  readonly points: number;
  readonly observed: string | null;
  readonly threshold: string;
  readonly message: LocalisedText;
  readonly legalBasis: readonly string[];
}

export interface DossierTerms {
  readonly silenced: readonly string[];
  readonly dismissedHits: readonly string[];
  readonly listsOff: readonly string[];
  readonly listsStale: readonly string[];
  readonly thresholds: readonly string[];
}

export interface DossierDecision {
  readonly outcome: string;
  readonly reviewId: string;
  readonly decidedAt: string;
  readonly singleControl: boolean;
  readonly proposedBy: DossierPerson | null;
  readonly closedBy: DossierPerson | null;
  readonly justification: string | null;
}

export interface DossierEvaluation {
  readonly version: number;
  readonly evaluatedAt: string;
  readonly outcome: string;
  readonly score: number | null;
  readonly level: string | null;
  readonly recommendedAction: string;
  readonly composition: string;
  readonly defensible: boolean;
  readonly nonDefensibleReasons: readonly string[];
  readonly ruleset: string | null;
  readonly terms: DossierTerms;
  readonly receiptHash: string;
  readonly reasons: readonly DossierReason[];
  readonly decision: DossierDecision | null;
}

export interface DossierTransaction {
  readonly id: string;
  readonly transactionId: string;
  readonly type: string;
  readonly channel: string;
  readonly direction: string | null;
  readonly amount: string;
  readonly currency: string;
  readonly occurredAt: string;
  readonly receivedAt: string;
  readonly status: string;
  readonly submissionState: string;
  readonly origin: DossierParty | null;
  readonly destination: DossierParty | null;
  readonly evaluations: readonly DossierEvaluation[];
}

/** The content of a dossier. All documents are masked. */
export interface Dossier {
  readonly head: DossierHead;
  readonly customer: DossierCustomer | null;
  readonly cases: readonly DossierCase[];
  readonly hits: readonly DossierHit[];
  readonly communications: readonly DossierCommunication[];
  readonly sessions: readonly DossierSession[];
  readonly artifacts: readonly DossierArtifact[];
  readonly transactionCount: number;
  iterateTransactions(): AsyncGenerator<readonly DossierTransaction[]>;
}
