import { VigiaApiError, type TransactionToIngest, type VigiaClient } from '../../node/src/index.js';
import { note, readText, say, type Output } from './terminal.js';

const AT_ONCE = 500;

/** Sends what a file holds (- for the standard input): one transaction, an array of them, or one in each line. */
export async function sendTransactions(
  client: VigiaClient,
  file: string,
  { wait = false, ...output }: Output & { readonly wait?: boolean },
): Promise<number> {
  const all = transactionsIn(await readText(file));
  const [only] = all;
  if (all.length === 1 && only) {
    if (wait) showTransaction(output, await client.ingestAndWait(only));
    else {
      const receipt = await client.ingest(only);
      say(
        output,
        `${receipt.transactionId}  ${receipt.duplicate ? 'was there already' : 'accepted'}`,
        receipt,
      );
    }
    return 0;
  }
  let failed = 0;
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const { results } = await client.ingestBatch(all.slice(from, from + AT_ONCE));
    for (const { index, status, error } of results) {
      if (error !== null) failed += 1;
      const { transactionId } = all[from + index] ?? {};
      say(output, `${String(transactionId)}  ${status}${error === null ? '' : `  ${error.code}`}`, {
        ...{ transactionId, status },
        error,
      });
    }
    note(`${Math.min(from + AT_ONCE, all.length)} of ${all.length} sent, ${failed} refused`);
  }
  return failed === 0 ? 0 : 1;
}

/** Shows a transaction with its newest result. */
export async function getTransaction(client: VigiaClient, id: string, output: Output): Promise<number> {
  try {
    showTransaction(output, await client.transaction(id));
    return 0;
  } catch (error) {
    if (error instanceof VigiaApiError && error.code === 'TRANSACTION_NOT_FOUND') {
      note(`There is no transaction ${id}.`);
      return 1;
    }
    throw error;
  }
}

function showTransaction(output: Output, transaction: Awaited<ReturnType<VigiaClient['transaction']>>): void {
  const { transactionId, status, verdict, riskScore, defensible, reasons, nonDefensibleReasons } =
    transaction;
  const line = [
    transactionId,
    status,
    ...(verdict === null ? [] : [verdict]),
    ...(riskScore === null ? [] : [`score ${riskScore}`]),
    ...(defensible === false ? ['not defensible'] : []),
    ...reasons.map(({ reasonCode }) => reasonCode),
    ...nonDefensibleReasons,
  ];
  say(output, line.join('  '), transaction);
}

function transactionsIn(given: string): TransactionToIngest[] {
  try {
    const read = JSON.parse(given) as TransactionToIngest | TransactionToIngest[];
    return Array.isArray(read) ? read : [read];
  } catch {
    const lines = given.split('\n').filter((line) => line.trim() !== '');
    return lines.map((line, i) => {
      try {
        return JSON.parse(line) as TransactionToIngest;
      } catch (cause) {
        throw new Error(`Line ${i + 1} is no JSON.`, { cause });
      }
    });
  }
}
