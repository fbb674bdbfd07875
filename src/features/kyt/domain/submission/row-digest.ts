import { canonicalJson } from '../../../../platform/kernel/values/canonical-json.js';
import { sha256 } from '../../../../platform/kernel/values/digest.js';

/** The columns of a stored transaction that its audit entry holds only as a digest. */
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
  /** This column and the next two are absent in rows that were stored before the columns were added. */
  readonly cardKey?: Buffer | null;
  readonly originCountry?: string;
  readonly destinationCountry?: string;
  /** SHA-256. */
  readonly sealedBody: Buffer;
  readonly warnings: readonly string[];
  readonly requestId: string;
  readonly correlationId: string;
  readonly traceparent: string | null;
}

/** The columns of a stored evaluation that its audit entry holds only as a digest. */
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

/** Returns the digest of the columns, in hexadecimal, as the audit entry holds it. */
export function digestOfRow(row: TransactionRow | EvaluationRow): string {
  const shown: Record<string, unknown> = { ...row };
  for (const name in shown) {
    const value = shown[name];
    if (Buffer.isBuffer(value)) shown[name] = value.toString('hex');
  }
  // Absent columns do not enter the digest.
  return sha256(canonicalJson(shown)).toString('hex');
}
