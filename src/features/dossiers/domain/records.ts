import type { CommunicationKind } from '../data/siscoaf-layout.js';
import type { FilingStatus } from './coaf/filing.js';

/** A communication as it is stored. */
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
  /** Grows with every edit. */
  readonly revision: number;
  readonly filingNumber: string | null;
  readonly acknowledgement: string | null;
  readonly receivedAt: Date | null;
  /** The request for its confirmation, while it is open and once it is approved. */
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
