import { Injectable } from '@nestjs/common';
import type { Reason } from '../../rules/index.js';
import type { ReceiptComponents } from '../domain/receipt.js';
import { receiptText } from '../domain/stored/stored-packing.js';
import { mapStoredBody } from '../domain/stored/stored-body.js';
import type { Submission } from '../domain/submission/submission.js';
import { BodyEncryption, type DecryptedBody } from '../ingest/body-encryption.js';
import {
  ArchiveQueries,
  type ArchiveCursor,
  type StoredDecision,
  type ArchivedRow,
} from '../store/archive.queries.js';
import { pick } from '../../../platform/kernel/index.js';

/** An evaluation, as its receipt states it. */
export interface ArchivedEvaluation {
  readonly version: number;
  readonly outcome: string;
  readonly score: number | null;
  readonly level: string | null;
  readonly recommendedAction: string;
  readonly composition: string;
  readonly defensible: boolean;
  readonly nonDefensibleReasons: readonly string[];
  readonly reasons: readonly Reason[];
  /** By component: its state, source and points. */
  readonly components: unknown;
  /** Groups of rules with their points, whose sum is the score. */
  readonly groups: readonly unknown[];
  readonly dampening: number;
  /** Live rules without a result, because facts were missing. */
  readonly notEvaluated: readonly { readonly ruleId: string; readonly missing: readonly string[] }[];
  /** Suppressed rules, with the reason. */
  readonly silenced: Readonly<Record<string, string>>;
  readonly lists: ScreeningTermsUsed;
  /** `key@version`; null when there was none. */
  readonly ruleset: string | null;
  /** Lower-case hexadecimal. */
  readonly receiptHash: string;
  readonly evaluatedAt: Date;
  /** The last decision of a person about the evaluation. */
  readonly decision: StoredDecision | null;
}

/** The settings of the screening, and the dismissed hits that it used. */
export interface ScreeningTermsUsed {
  readonly thresholds: Readonly<Record<string, readonly [evidence: number, mandatory: number]>>;
  readonly off: readonly string[];
  readonly stale: readonly string[];
  readonly dismissed: readonly string[];
}

export interface ArchivedTransaction extends Omit<ArchivedRow, 'sealedBody' | 'seq'> {
  /** Null if the person was erased, or if the body cannot be decrypted. */
  readonly submission: Submission | null;
  readonly submissionState: 'OPEN' | 'ERASED' | 'BROKEN';
  /** Ordered by version; empty if not requested. */
  readonly evaluations: readonly ArchivedEvaluation[];
}

export interface ArchivePage {
  readonly transactions: readonly ArchivedTransaction[];
  /** The cursor of the next page; null on the last page. */
  readonly next: ArchiveCursor | null;
}

interface ReceiptText extends Omit<
  ArchivedEvaluation,
  'version' | 'ruleset' | 'receiptHash' | 'evaluatedAt' | 'silenced' | 'lists' | 'components' | 'decision'
> {
  readonly components: ReceiptComponents;
  /** Absent if there is none. */
  readonly silenced?: ArchivedEvaluation['silenced'];
  readonly ruleset: { readonly key: string; readonly version: number } | null;
}

/** Reads transactions with their bodies and evaluations, for dossiers and exports about a person or a case. */
@Injectable()
export class TransactionArchiveService {
  constructor(
    private readonly queries: ArchiveQueries,
    private readonly bodyEncryption: BodyEncryption,
  ) {}

  /**
   * Returns a page of the transactions under any of these keys (blind indexes of a customer id or a document), in the
   * order in which they occurred.
   */
  async pageByCustomer(
    organisationId: string,
    keys: readonly Buffer[],
    after: ArchiveCursor | null,
    limit: number,
    { evaluations }: { readonly evaluations: boolean } = { evaluations: true },
  ): Promise<ArchivePage> {
    const rows =
      keys.length === 0 ? [] : await this.queries.listByCustomer(organisationId, keys, after, limit);
    const last = rows.at(-1);
    return {
      transactions: await this.toArchived(organisationId, rows, evaluations),
      next: last && rows.length === limit ? { occurredAt: last.place, seq: last.seq } : null,
    };
  }

  /** Returns a page like `pageByCustomer`, but only the stored ids. */
  async pageIdsByCustomer(
    organisationId: string,
    keys: readonly Buffer[],
    after: ArchiveCursor | null,
    limit: number,
  ): Promise<{ readonly ids: readonly string[]; readonly next: ArchiveCursor | null }> {
    if (keys.length === 0) return { ids: [], next: null };
    const rows = await this.queries.listIdsByCustomer(organisationId, keys, after, limit);
    const last = rows.at(-1);
    return {
      ids: rows.map(({ id }) => id),
      next: last && rows.length === limit ? { occurredAt: last.place, seq: last.seq } : null,
    };
  }

  /** Returns the organisation's transactions with these stored ids, in the order in which they occurred. */
  async findByIds(organisationId: string, ids: readonly string[]): Promise<readonly ArchivedTransaction[]> {
    if (ids.length === 0) return [];
    return this.toArchived(organisationId, await this.queries.byId(organisationId, ids), true);
  }

  private async toArchived(
    organisationId: string,
    rows: readonly (ArchivedRow & { readonly place: string })[],
    evaluations: boolean,
  ): Promise<ArchivedTransaction[]> {
    const decryptedBodies = await this.bodyEncryption.openMany(
      rows.map(({ id, sealedBody }) => ({ transactionRef: id, organisationId, bytes: sealedBody })),
    );
    const byTransaction = evaluations
      ? await this.evaluationsOf(
          organisationId,
          rows.map(({ id }) => id),
        )
      : null;
    return rows.map((row, i): ArchivedTransaction => {
      const { id, transactionId, source, type, channel, amount, currency, direction } = row;
      const { occurredAt, receivedAt, status } = row;
      return {
        ...{ id, transactionId, source, type, channel, amount, currency, direction },
        ...{ occurredAt, receivedAt, status },
        ...submissionOf(row, decryptedBodies[i] ?? { kind: 'broken' }),
        evaluations: byTransaction?.get(id) ?? [],
      };
    });
  }

  private async evaluationsOf(
    organisationId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, ArchivedEvaluation[]>> {
    const evaluationsByRef = new Map<string, ArchivedEvaluation[]>();
    const [rows, decisions] = await Promise.all([
      this.queries.listEvaluations(organisationId, ids),
      this.queries.listDecisions(organisationId, ids),
    ]);
    const decided = new Map(decisions.map((one) => [keyOf(one), one]));
    for (const row of rows) {
      const receipt = JSON.parse(receiptText(row.receipt)) as ReceiptText;
      const { ruleset } = receipt;
      const evaluation: ArchivedEvaluation = {
        version: row.evaluationVersion,
        ...pick(receipt, 'outcome', 'score', 'level', 'recommendedAction', 'composition', 'defensible'),
        ...pick(receipt, 'nonDefensibleReasons', 'reasons', 'components', 'groups', 'dampening'),
        notEvaluated: receipt.notEvaluated,
        silenced: receipt.silenced ?? {},
        lists: termsUsedIn(receipt.components),
        ruleset: ruleset && `${ruleset.key}@${ruleset.version}`,
        receiptHash: row.receiptHash.toString('hex'),
        evaluatedAt: row.evaluatedAt,
        decision: decided.get(keyOf(row)) ?? null,
      };
      const evaluationsOfTransaction = evaluationsByRef.get(row.transactionRef);
      if (evaluationsOfTransaction) evaluationsOfTransaction.push(evaluation);
      else evaluationsByRef.set(row.transactionRef, [evaluation]);
    }
    return evaluationsByRef;
  }
}

function termsUsedIn({ LISTS }: ReceiptComponents): ScreeningTermsUsed {
  const { thresholds = {}, off = [], stale = [] } = LISTS?.terms ?? {};
  return { thresholds, off, stale, dismissed: LISTS?.hits ?? [] };
}

const keyOf = (of: { readonly transactionRef: string; readonly evaluationVersion: number }): string =>
  `${of.transactionRef} ${of.evaluationVersion}`;

function submissionOf(
  row: Pick<ArchivedRow, 'source' | 'receivedAt' | 'transactionId'>,
  opened: DecryptedBody,
): Pick<ArchivedTransaction, 'submission' | 'submissionState'> {
  if (opened.kind === 'erased') return { submission: null, submissionState: 'ERASED' };
  if (opened.kind !== 'open') return { submission: null, submissionState: 'BROKEN' };
  try {
    return { submission: mapStoredBody(opened, row), submissionState: 'OPEN' };
  } catch {
    return { submission: null, submissionState: 'BROKEN' }; // the message may quote the body
  }
}
