import { Injectable } from '@nestjs/common';
import type { FactSheet, ComponentFinding, ComponentFindings } from '../../rules/index.js';
import type { DecryptedTransaction } from '../domain/claimed.js';
import { counterpartyFindingOf, identityFindingOf, type FactProvider } from '../domain/facts/evidence.js';
import {
  setCustomFieldFacts,
  setMetadataFacts,
  setTransactionFacts,
} from '../domain/facts/transaction-facts.js';

/** Sets the facts of the submission itself: the transaction, its participants, and its metadata. */
@Injectable()
export class SubmissionFactProvider implements FactProvider {
  readonly components = ['IDENTITY', 'COUNTERPARTY', 'DICT'] as const;
  readonly sources = ['TRANSACTION', 'METADATA', 'DICT', 'CUSTOM'] as const;

  find(
    batch: readonly DecryptedTransaction[],
    sheets: readonly FactSheet[],
  ): Promise<readonly ComponentFindings[]> {
    return Promise.resolve(
      batch.map((transaction, i) => {
        const sheet = sheets[i];
        if (!sheet) throw new Error('sheets and batch differ in length');
        setTransactionFacts(sheet, transaction);
        setMetadataFacts(sheet, transaction.submission);
        setCustomFieldFacts(sheet, transaction.submission);
        return {
          IDENTITY: identityFindingOf(transaction),
          COUNTERPARTY: counterpartyFindingOf(transaction),
          DICT: dictFindingOf(transaction, sheet),
        };
      }),
    );
  }
}

/** Returns the finding of DICT. Its statistics are sent with the transaction, and only with PIX. */
function dictFindingOf({ submission, receivedAt }: DecryptedTransaction, sheet: FactSheet): ComponentFinding {
  const found = { source: 'metadata.dict', asOf: receivedAt.toISOString() };
  if (!submission.type.startsWith('PIX_')) return { state: 'SKIPPED', reason: 'NOT_PIX', ...found };
  const { state } = sheet.fact('dict.confirmedFrauds30d');
  if (state === 'KNOWN') return { state: 'NO_HIT', ...found };
  return state === 'ERROR'
    ? { state: 'ERROR', reason: 'DICT_MALFORMED', ...found }
    : { state: 'MISSING_INPUT', reason: 'DICT_NOT_SENT', ...found };
}
