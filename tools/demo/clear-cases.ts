import type { OperatorApiClient } from '../../src/cli/operator-api-client.js';
import { isOfDemo } from './demo-traffic.js';

interface OpenCase {
  readonly id: string;
}
interface CaseDetail {
  readonly transactions: readonly { readonly transactionId: string }[];
}
interface Request {
  readonly id: string;
  readonly digest: string;
}
interface CasesPage {
  readonly data: readonly OpenCase[];
  readonly page: { readonly nextCursor: string | null };
}

export interface ClearResult {
  readonly closed: number;
  /** The number of cases that are about something that the demo has not made; they stay open. */
  readonly others: number;
  /** The number of cases that stay open, by reason. */
  readonly left: ReadonlyMap<string, number>;
}

const DECISION = {
  resolution: 'FALSE_POSITIVE',
  report: 'ARCHIVE',
  justification: 'Made-up traffic of the demo, closed by the command that clears it.',
};

/** Closes the open cases that hold only transactions of the demo: `analyst` proposes each decision, `officer` approves it. */
export async function clearCases(
  analyst: OperatorApiClient,
  officer: OperatorApiClient,
): Promise<ClearResult> {
  let closed = 0;
  let others = 0;
  const left = new Map<string, number>();
  for (const { id } of await openCases(analyst)) {
    const { transactions } = await analyst.get<CaseDetail>(`/operator/reviews/${id}`);
    if (transactions.length === 0 || !transactions.every((one) => isOfDemo(one.transactionId))) {
      others += 1;
      continue;
    }
    try {
      const request = await analyst.post<Request>(`/operator/reviews/${id}/decision`, DECISION);
      await officer.post(`/operator/approvals/${request.id}/approve`, { digest: request.digest });
      closed += 1;
    } catch (error) {
      // For example, a case with an undecided hit stays open.
      const reason = error instanceof Error ? error.message : String(error);
      left.set(reason, (left.get(reason) ?? 0) + 1);
    }
  }
  return { closed, others, left };
}

/** Reads all pages before the first case is closed, because a closed case leaves the list. */
async function openCases(analyst: OperatorApiClient): Promise<readonly OpenCase[]> {
  const all: OpenCase[] = [];
  let cursor: string | null = null;
  do {
    const at: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { data, page } = await analyst.page<CasesPage>(`/operator/reviews?limit=200${at}`);
    all.push(...data);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return all;
}
