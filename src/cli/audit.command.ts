import { AuditTrail } from '../audit/index.js';
import { ClientDirectory } from '../auth/index.js';
import { TransactionQueries } from '../kyt/index.js';
import { withServices } from './context.js';

/** Judges a transaction's trail; exit status 0 when it is complete and unchanged. */
export async function showTrail(transactionId: string, clientId: string): Promise<number> {
  return withServices(async (services) => {
    const client = await services.get(ClientDirectory).find(clientId);
    const record =
      client && (await services.get(TransactionQueries).findOwn(client.principal, transactionId));
    if (!client || !record) throw new Error('There is no such transaction of this application.');
    const { organisationId } = client.principal;
    const verdict = await services
      .get(AuditTrail)
      .trailStatus({ organisationId, type: 'transaction', id: record.id });
    process.stdout.write(`${verdict.status}, ${verdict.length} entries\n`);
    for (const gap of verdict.gaps) {
      process.stdout.write(`  ${gap.kind} at ${gap.seq ?? '-'}: ${gap.detail}\n`);
    }
    return verdict.status === 'COMPLETE' ? 0 : 1;
  });
}
