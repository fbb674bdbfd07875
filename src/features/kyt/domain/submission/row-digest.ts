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

const TRANSACTION_COLUMNS = sortedColumns<TransactionRow>({
  ...{
    organisationId: 1,
    clientAppId: 1,
    channel: 1,
    cash: 1,
    direction: 1,
    directionSource: 1,
    receivedAt: 1,
  },
  ...{
    documentKey: 1,
    customerKey: 1,
    externalKey: 1,
    accountKey: 1,
    deviceKey: 1,
    ipKey: 1,
    counterpartyKey: 1,
  },
  ...{ cardKey: 1, originCountry: 1, destinationCountry: 1, sealedBody: 1, warnings: 1 },
  ...{ requestId: 1, correlationId: 1, traceparent: 1 },
});
const EVALUATION_COLUMNS = sortedColumns<EvaluationRow>({
  ...{
    organisationId: 1,
    recommendedAction: 1,
    riskLevel: 1,
    rulesetId: 1,
    evaluatedAt: 1,
    facts: 1,
    brief: 1,
  },
});

/** Returns the names of the columns as canonical JSON orders them. The compiler demands that none is missing. */
export function sortedColumns<Row>(columns: {
  readonly [Name in keyof Required<Row>]: 1;
}): readonly (keyof Row & string)[] {
  return (Object.keys(columns) as (keyof Row & string)[]).sort();
}

/**
 * Returns the digest of the columns, in hexadecimal, as the audit entry holds it: SHA-256 of their canonical JSON, with
 * bytes in hexadecimal. Absent columns do not enter the digest.
 */
export const digestOfTransactionRow = (row: TransactionRow): string => digestOf(row, TRANSACTION_COLUMNS);
export const digestOfEvaluationRow = (row: EvaluationRow): string => digestOf(row, EVALUATION_COLUMNS);

/** Writes the object with its names in the given order, which canonical JSON would have to sort. */
export function digestOf<Row>(row: Row, names: readonly (keyof Row & string)[]): string {
  let text = '';
  for (const name of names) {
    const value = row[name];
    if (value === undefined) continue;
    text += `${text === '' ? '{' : ','}"${name}":`;
    text += Buffer.isBuffer(value) ? `"${value.toString('hex')}"` : canonicalJson(value);
  }
  return sha256(`${text}}`).toString('hex');
}
