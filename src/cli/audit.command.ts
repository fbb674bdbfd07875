import { createWriteStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { spawnSync } from 'node:child_process';
import { AuditTrail, DirectExports, Findings, LogAuditor } from '../audit/index.js';
import { ClientDirectory } from '../auth/index.js';
import { TransactionQueries } from '../kyt/index.js';
import { withServices } from './context.js';
import { OperatorCalls } from './operator-calls.js';

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

const MOST_SHOWN = 50;

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

async function organisationOf(directory: ClientDirectory, clientId: string): Promise<string> {
  const client = await directory.find(clientId);
  if (!client) throw new Error(`There is no application ${clientId} in this environment.`);
  return client.principal.organisationId;
}

/** Where the log of an application's organisation stands, and the keys to pin. */
export async function showLog(clientId: string): Promise<void> {
  await withServices(async (services) => {
    const organisationId = await organisationOf(services.get(ClientDirectory), clientId);
    const { checkpoint, verifierKeys, pending } = await services.get(LogAuditor).status(organisationId);
    const gaps = await services.get(Findings).page(organisationId, null, MOST_SHOWN);
    say(`${checkpoint?.size ?? 0} entries are sealed, ${pending} wait for their seal`);
    say(gaps.length === 0 ? 'the background check knows no gap' : 'the background check has found gaps:');
    for (const { subjectType, subjectId, status } of gaps) say(`  ${subjectType}:${subjectId} ${status}`);
    if (checkpoint) say(`\n${checkpoint.note.trimEnd()}\n`);
    for (const key of verifierKeys) say(`key ${key}`);
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

/** Writes a package of an application's organisation to a file that must not exist yet; that it was made is in the log. */
export async function writePackage(options: PackageOptions): Promise<void> {
  await withServices(async (services) => {
    const organisationId = await organisationOf(services.get(ClientDirectory), options.client);
    const { subjectType, subjectId, action, from, to } = options;
    const progress = process.stderr.isTTY
      ? (done: number, most: number): void => {
          process.stderr.write(`\r${Math.floor((100 * done) / Math.max(1, most))} %`);
        }
      : undefined;
    const { manifest } = await services.get(DirectExports).write(
      {
        organisationId,
        filter: { subjectType, subjectId, action, from, to },
        requestedBy: 'system:cli',
        reason: options.reason,
        ...(progress ? { progress } : {}),
      },
      createWriteStream(options.output, { flags: 'wx', mode: 0o600 }),
    );
    if (progress) process.stderr.write('\n');
    say(`${options.output}: ${manifest.count} entries${manifest.whole ? ', the whole log' : ''}`);
    const { incomplete } = manifest.trails ?? { incomplete: 0 };
    if (incomplete > 0) say(`${incomplete} trails have a gap: see trail-status.jsonl`);
  });
}

export interface ReincarnateOptions {
  readonly url: string;
  readonly tokenFile: string;
  readonly reason?: string;
  readonly approve?: string;
}

/** The two steps by which a log goes on after its database was put back; each is another person's. */
export async function reincarnate({ reason, approve, ...access }: ReincarnateOptions): Promise<void> {
  if ((reason === undefined) === (approve === undefined)) {
    throw new Error('Give either --reason, to ask, or --approve, to agree to what another person asked.');
  }
  const calls = await OperatorCalls.from(access);
  const path = '/operator/audit/reincarnations';
  const done = await (approve === undefined
    ? calls.post<ReincarnationAnswer>(path, { reason })
    : calls.post<ReincarnationAnswer>(`${path}/${encodeURIComponent(approve)}/approve`, {}));
  say(`${done.id} ${done.status}: incarnation ${done.incarnation}`);
  say(`the restored log has ${done.restoredSize} entries, ${done.anchorSize} had been signed`);
  if (approve === undefined) say(`another person agrees with: audit reincarnate --approve ${done.id}`);
}

interface ReincarnationAnswer {
  readonly id: string;
  readonly status: string;
  readonly incarnation: number;
  readonly restoredSize: number;
  readonly anchorSize: number;
}

/** Runs the verifier that stands in every package; needs no service and no database. */
export function verifyPackage(args: readonly string[]): number {
  const verifier = fileURLToPath(new URL('../audit/verify/verify.mjs', import.meta.url));
  return spawnSync(process.execPath, [verifier, ...args], { stdio: 'inherit' }).status ?? 3;
}
