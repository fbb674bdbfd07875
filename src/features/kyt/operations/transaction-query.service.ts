import { Injectable } from '@nestjs/common';
import { AuditTrail, type TrailEntry, type TrailVerdict } from '../../audit/index.js';
import { CustomerFilesService } from '../../customers/index.js';
import { Clock, conflict, DomainError, uuidOf } from '../../../platform/kernel/index.js';
import { BlindIndex } from '../../../platform/privacy/index.js';
import { mapStoredBody } from '../domain/stored/stored-body.js';
import { maskBody } from '../domain/submission/masked-body.js';
import { BodyEncryption } from '../ingest/body-encryption.js';
import {
  OperatorTransactionQueries,
  type PipelineActivity,
  type TransactionDetail,
  type TransactionFilter,
  type ListedTransaction,
  type StoredEvaluation,
} from '../store/reading/operator-transaction.queries.js';

/** A transaction with everything that operators may see of it. */
export interface TransactionFile {
  readonly transaction: TransactionDetail;
  readonly evaluations: readonly StoredEvaluation[];
  /** The submission with documents masked; null if the person was erased or the body cannot be decrypted. */
  readonly submission: unknown;
  readonly submissionState: 'OPEN' | 'ERASED' | 'BROKEN';
}

/** A transaction of a list, with the names of its parties. */
export type TransactionWithParties = ListedTransaction & PartyNames;

/** The names of the parties; null where the person was erased, or has no name. */
export interface PartyNames {
  readonly originName: string | null;
  readonly destinationName: string | null;
}

/** Shows operators the transactions of their organisation. */
@Injectable()
export class TransactionQueryService {
  constructor(
    private readonly queries: OperatorTransactionQueries,
    private readonly bodyEncryption: BodyEncryption,
    private readonly index: BlindIndex,
    private readonly audit: AuditTrail,
    private readonly customers: CustomerFilesService,
    private readonly clock: Clock,
  ) {}

  /** Lists transactions, the newest received first. A customer is found under all keys, including merged records. */
  async list(
    organisationId: string,
    filter: Omit<TransactionFilter, 'externalKey' | 'customerKeys'> & {
      readonly externalCustomerId?: string | undefined;
      readonly customerId?: string | undefined;
    },
    before: string | null,
    limit: number,
  ): Promise<TransactionWithParties[]> {
    const { externalCustomerId, customerId, ...rest } = filter;
    const customerKeys =
      customerId === undefined
        ? undefined
        : ((await this.customers.readFile(organisationId, customerId))?.transactionKeys ?? []);
    const externalKey =
      externalCustomerId === undefined
        ? undefined
        : this.index.computeIndex(organisationId, 'customer', externalCustomerId);
    const filters = { ...rest, externalKey, customerKeys };
    const rows = await this.queries.list(organisationId, filters, before, limit);
    const parties = await this.partiesOf(
      organisationId,
      rows.map(({ id }) => id),
    );
    return rows.map((row) => ({ ...row, ...parties(row.id) }));
  }

  /** Returns who the parties of these transactions are. */
  async partiesOf(organisationId: string, ids: readonly string[]): Promise<(id: string) => PartyNames> {
    const storedBodies = await this.queries.findBodies(organisationId, ids);
    const decryptedBodies = await this.bodyEncryption.openMany(
      storedBodies.map(({ id, sealedBody }) => ({ transactionRef: id, organisationId, bytes: sealedBody })),
    );
    const submissions = new Map(
      storedBodies.flatMap((row, i) => {
        const body = decryptedBodies[i];
        return body?.kind === 'open' ? [[row.id, mapStoredBody(body, row)] as const] : [];
      }),
    );
    return (id) => ({
      originName: submissions.get(id)?.origin.name ?? null,
      destinationName: submissions.get(id)?.destination.name ?? null,
    });
  }

  /** Counts the transactions of the last 24 hours by hour, and the transactions that wait for evaluation. */
  countActivity(organisationId: string): Promise<PipelineActivity> {
    return this.queries.countActivity(organisationId, new Date(this.clock.now()));
  }

  /** Returns the stored id of an evaluated transaction. Throws STATE_CONFLICT if it is pending or dead. */
  async findEvaluatedId(organisationId: string, id: string): Promise<string> {
    const { id: ref, status } = await this.find(organisationId, id);
    if (status === 'COMPLETED') return ref;
    throw conflict('', 'NOT_EVALUATED', 'The transaction was never evaluated.');
  }

  async readFile(organisationId: string, id: string): Promise<TransactionFile> {
    const transaction = await this.find(organisationId, id);
    const evaluations = await this.queries.listEvaluations(organisationId, transaction.id);
    const [opened] = await this.bodyEncryption.openMany([
      { transactionRef: transaction.id, organisationId, bytes: transaction.sealedBody },
    ]);
    switch (opened?.kind) {
      case 'open':
        return { transaction, evaluations, submission: maskBody(opened.body), submissionState: 'OPEN' };
      case 'erased':
        return { transaction, evaluations, submission: null, submissionState: 'ERASED' };
      case 'broken':
      case 'unknown':
      case undefined:
        return { transaction, evaluations, submission: null, submissionState: 'BROKEN' };
    }
  }

  /** Returns the audit entries of a transaction, in order, and whether its trail is complete. */
  async readTimeline(
    organisationId: string,
    id: string,
  ): Promise<{ entries: readonly TrailEntry[]; verdict: TrailVerdict }> {
    const { id: ref } = await this.find(organisationId, id);
    const subject = { organisationId, type: 'transaction', id: ref } as const;
    return { entries: await this.audit.readEntries(subject), verdict: await this.audit.trailStatus(subject) };
  }

  /** Returns the decision receipt of an evaluation, by default of the newest. */
  async findDecisionReceipt(
    organisationId: string,
    id: string,
    version: number | null,
  ): Promise<StoredEvaluation> {
    const { id: ref } = await this.find(organisationId, id);
    const evaluations = await this.queries.listEvaluations(organisationId, ref);
    const evaluation =
      version === null ? evaluations[0] : evaluations.find((one) => one.evaluationVersion === version);
    if (!evaluation) throw new DomainError('EVALUATION_NOT_FOUND');
    return evaluation;
  }

  private async find(organisationId: string, id: string): Promise<TransactionDetail> {
    const ref = uuidOf('txn', id);
    const transactionRow = ref === null ? null : await this.queries.find(organisationId, ref);
    if (!transactionRow) throw new DomainError('TRANSACTION_NOT_FOUND');
    return transactionRow;
  }
}
