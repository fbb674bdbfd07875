import { Injectable } from '@nestjs/common';
import type { OpenTransaction } from './domain/claimed.js';
import { counterpartyOf, identityOf, type Contribution, type EvidenceProvider } from './domain/evidence.js';

/** What the submission itself says about customer and counterparty. */
@Injectable()
export class SubmissionEvidence implements EvidenceProvider {
  readonly components = ['IDENTITY', 'COUNTERPARTY'] as const;

  contribute(batch: readonly OpenTransaction[]): Promise<readonly Contribution[]> {
    return Promise.resolve(
      batch.map((transaction) => ({
        components: { IDENTITY: identityOf(transaction), COUNTERPARTY: counterpartyOf(transaction) },
      })),
    );
  }
}
