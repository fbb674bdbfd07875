import type { CommunicationKind } from '../data/siscoaf-layout.js';
import type { FilingStatus } from './coaf/filing.js';

export interface CommunicationRow {
  readonly id: string;
  readonly organisationId: string;
  readonly kind: CommunicationKind;
  readonly reviewId: string | null;
  readonly transactionRef: string | null;
  readonly customerId: string | null;
  readonly code: number | null;
  readonly amountBrl: string | null;
  readonly decidedAt: Date;
  readonly dueAt: Date;
  readonly status: FilingStatus;
  /** Incremented by every edit. */
  readonly revision: number;
  readonly filingNumber: string | null;
  readonly acknowledgement: string | null;
  readonly receivedAt: Date | null;
  /** The request for approval of the filing, open or approved. */
  readonly approvalId: string | null;
  readonly singleControl: boolean;
  readonly recordedBy: string | null;
  readonly recordedAt: Date | null;
  readonly confirmedBy: string | null;
  readonly confirmedAt: Date | null;
  readonly sealedContent: Buffer | null;
  readonly contentHash: Buffer | null;
  readonly createdAt: Date;
  readonly trailHash: Buffer;
}
