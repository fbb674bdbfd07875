import { open, rm } from 'node:fs/promises';
import {
  systemActor,
  AuditTrail,
  DirectExportsService,
  FindingsService,
  LogAuditorService,
  PruningService,
} from '../../../features/audit/index.js';
import { countOf } from '../../../platform/kernel/index.js';
import { withServices } from '../../context.js';
import { findClientApp, findTransaction } from '../../named.js';
import { OperatorApiClient } from '../../operator-api-client.js';

/** Verifies the trail of a transaction. Exit status 0 if it is complete and unchanged. */
export async function showTrail(transactionId: string, clientId: string): Promise<number> {
  return withServices(async (services) => {
    const transaction = await findTransaction(services, transactionId, clientId);
    const verdict = await services.get(AuditTrail).trailStatus({ ...transaction, type: 'transaction' });
    process.stdout.write(`${verdict.status}, ${entriesOf(verdict.length)}\n`);
    for (const gap of verdict.gaps) {
      process.stdout.write(`  ${gap.kind} at ${gap.seq ?? '-'}: ${gap.detail}\n`);
    }
    return verdict.status === 'COMPLETE' ? 0 : 1;
  });
}

const MAX_SHOWN = 50;

const entriesOf = (count: number): string => countOf(count, 'entry', 'entries');
const trailsOf = (count: number): string => countOf(count, 'trail', 'trails');

const printLine = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Prints the state of the audit log of an application's organisation, and the keys that a verifier should pin. */
export async function showLog(clientId: string): Promise<void> {
  await withServices(async (services) => {
    const { organisationId } = await findClientApp(services, clientId);
    const { checkpoint, verifierKeys, pending, pruned } = await services
      .get(LogAuditorService)
      .readStatus(organisationId);
    const gaps = await services.get(FindingsService).page(organisationId, null, MAX_SHOWN);
    printLine(`sealed: ${entriesOf(checkpoint?.size ?? 0)}; waiting for a seal: ${pending}`);
    if (pruned > 0) printLine(`of ${pruned} only the hash is left, because their time of keeping was over`);
    printLine(
      gaps.length === 0 ? 'the background check knows no gap' : 'the background check has found gaps:',
    );
    for (const { subjectType, subjectId, status } of gaps) {
      printLine(`  ${subjectType}:${subjectId} ${status}`);
    }
    if (checkpoint) printLine(`\n${checkpoint.note.trimEnd()}\n`);
    for (const key of verifierKeys) printLine(`key ${key}`);
  });
}

export interface PackageOptions {
  readonly client: string;
  readonly output: string;
  readonly reason: string;
  readonly subjectType?: string;
  readonly subjectId?: string;
  readonly action?: string;
  readonly from?: string;
  readonly to?: string;
}

/** Writes an audit package of an application's organisation to a new file; the export is audited. */
export async function writePackage(options: PackageOptions): Promise<void> {
  await withServices(async (services) => {
    const { organisationId } = await findClientApp(services, options.client);
    const file = await open(options.output, 'wx', 0o600);
    const { subjectType, subjectId, action, from, to } = options;
    const progress = process.stderr.isTTY
      ? (done: number, most: number): void => {
          process.stderr.write(`\r${Math.floor((100 * done) / Math.max(1, most))} %`);
        }
      : undefined;
    const request = {
      organisationId,
      filter: { subjectType, subjectId, action, from, to },
      requestedBy: 'system:cli',
      reason: options.reason,
      ...(progress ? { progress } : {}),
    };
    const writtenPackage = services.get(DirectExportsService).writePackage(request, file.createWriteStream());
    const { manifest } = await writtenPackage.catch(async (error: unknown) => {
      await rm(options.output, { force: true }); // an incomplete package is useless
      throw error;
    });
    if (progress) process.stderr.write('\n');
    printLine(`${options.output}: ${entriesOf(manifest.count)}${manifest.whole ? ', the whole log' : ''}`);
    const { incomplete } = manifest.trails;
    if (manifest.pruned !== undefined) printLine(`of ${manifest.pruned} only the hash is left`);
    if (incomplete > 0) printLine(`with a gap: ${trailsOf(incomplete)}, see trail-status.jsonl`);
  });
}

export interface PruneOptions {
  readonly client: string;
  readonly apply: boolean;
}

/** Prunes audit entries past their retention; without `apply` it only counts them. */
export async function pruneLog({ client, apply }: PruneOptions): Promise<void> {
  await withServices(async (services) => {
    const { organisationId } = await findClientApp(services, client);
    const ctx = systemActor(organisationId, 'cli');
    const pruned = await services.get(PruningService).prune(ctx, { dryRun: !apply });
    const { before, trails, entries, held, flawed } = pruned;
    printLine(`recorded before ${before.toISOString()}: ${trailsOf(trails)} with ${entriesOf(entries)}`);
    if (held > 0) printLine(`kept because of a legal hold: ${trailsOf(held)}`);
    if (flawed > 0) printLine(`kept because of a gap or a repair: ${trailsOf(flawed)}`);
    printLine(apply ? 'pruned; their leaf hashes stay' : 'nothing was deleted: do it with --apply');
  });
}

export interface LogRestartOptions {
  readonly url: string;
  readonly tokenFile: string;
  readonly reason?: string;
  readonly approve?: string;
}

/** Requests (`reason`) or approves (`approve`) the restart of a restored log; two different people are needed. */
export async function restartLog({ reason, approve, ...access }: LogRestartOptions): Promise<void> {
  if ((reason === undefined) === (approve === undefined)) {
    throw new Error('Give either --reason, to ask, or --approve, to agree to what another person asked.');
  }
  const calls = await OperatorApiClient.from(access);
  if (approve === undefined) {
    const request = await calls.post<LogRestartRequest>('/operator/audit/log-restarts', { reason });
    const { incarnation, restoredSize, anchorSize } = request.after;
    printLine(`${request.id} ${request.status}: incarnation ${incarnation}`);
    printLine(`the restored log has ${entriesOf(restoredSize)}; signed before: ${anchorSize}`);
    printLine(`another person agrees with: audit restart-log --approve ${request.id}`);
    return;
  }
  const path = `/operator/approvals/${encodeURIComponent(approve)}`;
  const { digest } = await calls.get<LogRestartRequest>(path);
  const { id, status } = await calls.post<LogRestartRequest>(`${path}/approve`, { digest });
  printLine(`${id} ${status}`);
}

interface LogRestartRequest {
  readonly id: string;
  readonly status: string;
  readonly digest: string;
  readonly after: {
    readonly incarnation: number;
    readonly restoredSize: number;
    readonly anchorSize: number;
  };
}
