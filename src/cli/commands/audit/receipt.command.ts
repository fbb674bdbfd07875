import { readFileSync } from 'node:fs';
import { ReceiptExportService, verifyBundle } from '../../../features/kyt/index.js';
import { withServices } from '../../context.js';
import { findTransaction } from '../../named.js';

/** Prints the decision receipt of a transaction, with everything needed to evaluate it again. */
export async function exportReceipt(
  transactionId: string,
  clientId: string,
  version: number | null,
): Promise<void> {
  await withServices(async (services) => {
    const { id, organisationId } = await findTransaction(services, transactionId, clientId);
    const bundle = await services.get(ReceiptExportService).createBundle(organisationId, id, version);
    process.stdout.write(`${JSON.stringify(bundle)}\n`);
  });
}

/** Evaluates an exported transaction again, without the service. Exit status 0 if the result is the same. */
export function verifyReceiptFile(file: string): number {
  const { problems, score, receiptHash } = verifyBundle(readFileSync(file, 'utf8'));
  if (problems.length > 0) {
    process.stdout.write(`NOT VERIFIED\n${problems.map((problem) => `  ${problem}\n`).join('')}`);
    return 1;
  }
  process.stdout.write(
    `verified: the same facts and rules give the same decision\nscore ${score ?? 'none'}\nreceipt ${receiptHash}\n`,
  );
  return 0;
}
