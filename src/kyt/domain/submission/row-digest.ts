import { canonicalJson } from '../../../kernel/values/canonical-json.js';
import { sha256 } from '../../../kernel/values/digest.js';

/** The columns of a stored transaction that its entry holds only as a digest. */
export interface TransactionRow {
  readonly organisationId: string;
  readonly clientAppId: string;
  readonly channel: string;
  readonly cash: boolean;
  readonly direction: string | null;
  readonly directionSource: string;
  readonly receivedAt: Date;
  readonly documentKey: Buffer | null;
  readonly customerKey: Buffer | null;
  readonly externalKey: Buffer | null;
  readonly accountKey: Buffer | null;
  readonly deviceKey: Buffer | null;
  readonly ipKey: Buffer | null;
  readonly counterpartyKey: Buffer | null;
  /** SHA-256. */
  readonly sealedBody: Buffer;
  readonly warnings: readonly string[];
  readonly requestId: string;
  readonly correlationId: string;
  readonly traceparent: string | null;
}

/** The columns of a stored evaluation that its entry holds only as a digest. */
export interface EvaluationRow {
  readonly organisationId: string;
  readonly recommendedAction: string;
  readonly riskLevel: string | null;
  readonly rulesetId: string | null;
  readonly evaluatedAt: Date;
  /** SHA-256. */
  readonly facts: Buffer | null;
  readonly brief: string | null;
}

/** Returns what the entry says of these columns, in hexadecimal. */
export const rowDigest = (row: TransactionRow | EvaluationRow): string =>
  sha256(
    canonicalJson(
      Object.fromEntries(
        Object.entries(row).map(([name, value]: [string, unknown]) => [
          name,
          Buffer.isBuffer(value) ? value.toString('hex') : value,
        ]),
      ),
    ),
  ).toString('hex');
