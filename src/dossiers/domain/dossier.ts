import type { TrailStatus } from '../../audit/index.js';

export const languages = ['pt-BR', 'en'] as const;
export type Language = (typeof languages)[number];

/** Texts in the languages of the service. */
export type Localised = Readonly<Record<Language, string>>;

/** Everything is as it is shown: ids are public, times ISO 8601 in UTC, documents masked. */
export interface DossierHead {
  readonly id: string;
  readonly about: 'CUSTOMER' | 'REVIEW';
  /** The public id of the customer or case. */
  readonly subjectId: string;
  readonly generatedAt: string;
  readonly generatedBy: string;
  /** Every trail in it was found complete, or it would not have been made. */
  readonly auditReady: boolean;
  readonly trail: DossierTrail;
}

/** What the audit trails of everything in the dossier say together. */
export interface DossierTrail {
  /** The gravest of all. */
  readonly status: TrailStatus;
  /** How many subjects were judged. */
  readonly subjects: number;
  /** Those that are not complete; at most fifty are named. */
  readonly incomplete: readonly { readonly subject: string; readonly status: TrailStatus }[];
  /** The newest signed state of the log; null before the first. */
  readonly checkpoint: { readonly size: number; readonly root: string; readonly signedAt: string } | null;
}

export interface DossierCustomer {
  readonly id: string;
  /** Null when the person was erased. */
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
  readonly notes: readonly {
    readonly writtenAt: string;
    readonly author: string;
    readonly text: string | null;
  }[];
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
  /** Names the session without opening it. */
  readonly id: string;
  /** `key@version`. */
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
  /** Lower-case hexadecimal; null when the person was erased. */
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
  readonly message: Localised;
  /** `norm, item`. */
  readonly legalBasis: readonly string[];
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
  readonly receiptHash: string;
  readonly reasons: readonly DossierReason[];
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

/** A dossier whose transactions come in pages, so that its size does not matter. */
export interface Dossier {
  readonly head: DossierHead;
  readonly customer: DossierCustomer | null;
  readonly cases: readonly DossierCase[];
  readonly hits: readonly DossierHit[];
  readonly communications: readonly DossierCommunication[];
  readonly sessions: readonly DossierSession[];
  readonly artifacts: readonly DossierArtifact[];
  readonly transactionCount: number;
  transactions(): AsyncGenerator<readonly DossierTransaction[]>;
}
