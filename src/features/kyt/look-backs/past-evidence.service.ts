import { Injectable } from '@nestjs/common';
import { CustomerIdentificationService } from '../../customers/index.js';
import { addDeclaredFeatures, featureSchema, isAggregate, type FeatureSchema } from '../../rules/index.js';
import type { DecryptedTransaction } from '../domain/claimed.js';
import { assembleEvidence, NO_PARTIES, type CollectedEvidence } from '../domain/facts/evidence.js';
import { restoreEvaluationInputs, type StoredReceipt } from '../domain/replay.js';
import { receiptText } from '../domain/stored/stored-packing.js';
import { FactCollector } from '../facts/fact-collector.js';
import { observationOf } from '../facts/party-collector.js';
import { BacktestAggregatesService } from '../replay/backtest-aggregates.service.js';
import { TransactionDecrypter } from '../pipeline/transaction-decrypter.js';
import { LookBackRepository } from '../store/work/look-back.repository.js';
import { TransactionWorkRepository } from '../store/work/transaction-work.repository.js';

/** Earlier transactions with decrypted bodies. Transactions of erased people are only counted. */
export interface DecryptedPastTransaction {
  readonly open: readonly DecryptedTransaction[];
  readonly unreadable: number;
}

/** The newest evaluation of a transaction, with its evidence. */
export interface PastEvaluation {
  readonly version: number;
  readonly receipt: StoredReceipt;
  readonly evidence: CollectedEvidence;
}

/** Reads earlier transactions with the facts of their evaluation, not with today's profiles and windows. */
@Injectable()
export class PastEvidenceService {
  constructor(
    private readonly work: TransactionWorkRepository,
    private readonly transactionDecrypter: TransactionDecrypter,
    private readonly factCollector: FactCollector,
    private readonly customers: CustomerIdentificationService,
    private readonly lookBacks: LookBackRepository,
    private readonly aggregates: BacktestAggregatesService,
  ) {}

  async decryptTransactions(
    organisationId: string,
    refs: readonly string[],
  ): Promise<DecryptedPastTransaction> {
    const storedTransactions = await this.work.readManyCompleted(organisationId, refs);
    const decryptedTransactions = await this.transactionDecrypter.decryptAndRead(storedTransactions);
    const open = decryptedTransactions.flatMap(({ result }) => ('open' in result ? [result.open] : []));
    return { open, unreadable: decryptedTransactions.length - open.length };
  }

  /**
   * Returns the evaluations that have facts, keyed by transaction. `schema` belongs to the look-back's rules:
   * aggregates that it declares and an evaluation lacks are computed now, as of the time of the transaction.
   */
  async collect(
    organisationId: string,
    open: readonly DecryptedTransaction[],
    schema: FeatureSchema = featureSchema,
  ): Promise<ReadonlyMap<string, PastEvaluation>> {
    const newest = await this.lookBacks.readNewestEvaluations(
      organisationId,
      open.map(({ id }) => id),
    );
    const identified = await this.customers.lookup(open.map(observationOf));
    const lists = this.factCollector.createListLookup(organisationId);
    const past = new Map(
      open.flatMap((transaction, i) => {
        const pastRow = newest.get(transaction.id);
        if (!pastRow?.facts) return [];
        const receipt = JSON.parse(receiptText(pastRow.receipt)) as StoredReceipt;
        const { sheet, findings } = restoreEvaluationInputs(transaction, receipt, pastRow.facts, {
          schema,
          lists,
        });
        const customer = identified[i] ?? null;
        const parties = {
          ...NO_PARTIES,
          customerId: customer?.customerId ?? null,
          subjectIndex: customer?.subjectIndex ?? null,
        };
        const evidence = assembleEvidence(transaction, sheet, [findings], parties);
        return [[transaction.id, { version: pastRow.version, receipt, evidence }] as const];
      }),
    );
    await this.addAggregates(organisationId, schema, past);
    return past;
  }

  private async addAggregates(
    organisationId: string,
    schema: FeatureSchema,
    past: ReadonlyMap<string, PastEvaluation>,
  ): Promise<void> {
    if (!schema.declared.some(isAggregate)) return;
    const amount = schema.get('amountBrl');
    const all = [...past].map(([ref, { evidence }]) => ({ ref, sheet: evidence.sheet }));
    const sheets = await this.aggregates.compute(
      organisationId,
      schema,
      all.map(({ ref, sheet }) => ({ ref, amountBrl: sheet.valueAt(amount) as number | null })),
    );
    all.forEach(({ sheet }, i) => {
      const ownSheet = sheets[i];
      if (!ownSheet) throw new Error('aggregates and transactions differ in length');
      addDeclaredFeatures(sheet, ownSheet);
    });
  }
}
