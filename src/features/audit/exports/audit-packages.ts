import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Readable, Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { ZipFile } from 'yazl';
import { Clock, csvRow, errorAt, orThrow, required } from '../../../platform/kernel/index.js';
import { AuditKeys } from '../log/audit-keys.js';
import { CheckpointSigner } from '../log/checkpoint-signer.js';
import type { ExportFilter, ExportLanguage } from '../domain/export.js';
import {
  manifestText,
  PACKAGE_FORMAT,
  packageReadme,
  type MissingEntry,
  type PackageManifest,
} from '../domain/package-format.js';
import { signNote } from '../domain/signed/signed-note.js';
import { LogIncompleteError, LogProofBuilder } from '../log/log-proof-builder.js';
import { MissingEntryFinder } from './missing-entry-finder.js';
import { writePackageSummary } from './package-summary.js';
import { LogQueries, type CurrentLog, type LogFilter, type LoggedLeaf } from '../store/log.queries.js';
import type { TrailSurveyResult } from '../trail/trail-survey.js';

export interface PackageRequest {
  readonly organisationId: string;
  readonly filter: LogFilter;
  /** The filter that the manifest shows, if it differs from `filter`. */
  readonly said?: ExportFilter;
  /** The requesting actor, as in audit entries: `operator:<id>`. */
  readonly requestedBy: string;
  readonly reason: string;
  /** The verdicts on the trails in the package. */
  readonly survey: TrailSurveyResult;
  readonly auditReady: boolean;
  readonly language: ExportLanguage;
  /** Reports, at intervals, that `done` of `most` steps are complete. An error that it throws aborts the package. */
  readonly progress?: (done: number, most: number) => Promise<void> | void;
}

export interface WrittenPackage {
  readonly manifest: PackageManifest;
  /** Hexadecimal. */
  readonly manifestSha256: string;
}

// Rows per query: enough that the round trip costs little, and few enough that V8 frees a page before it promotes the
// page to the old generation, where garbage stays until that generation has doubled.
const PAGE = 200;
// Characters per write: a separate write for each line would be slow.
const CHUNK = 65_536;
const MAX_CONSISTENCY_PROOFS = 500;
const CSV_HEADER = ['index', 'recordedAt', 'subject', 'seq', 'action', 'actor', 'requestId', 'hash'];

/** Writes packages of any size in bounded memory. Verifying a package requires no trust in the service. */
@Injectable()
export class AuditPackages {
  constructor(
    private readonly queries: LogQueries,
    private readonly proofs: LogProofBuilder,
    private readonly missingEntryFinder: MissingEntryFinder,
    private readonly signer: CheckpointSigner,
    private readonly keys: AuditKeys,
    private readonly clock: Clock,
  ) {}

  /** Writes the package as a ZIP file to `output`. Throws AUDIT_TRAIL_INCOMPLETE if the log was rolled back. */
  async write(request: PackageRequest, output: Writable): Promise<WrittenPackage> {
    const checkpoint = orThrow(
      await this.queries.findCurrentLog(request.organisationId),
      'AUDIT_ENTRY_NOT_FOUND',
    );
    if (checkpoint.rolledBack) {
      const detail = 'The log is behind what was handed out of it.';
      throw errorAt('AUDIT_TRAIL_INCOMPLETE', 'log', 'LOG_ROLLED_BACK', detail);
    }
    const archive = new PackageArchive(checkpoint.signedAt, output);
    return archive.runAndFinish(() => this.fill(archive, request, checkpoint));
  }

  private async fill(
    archive: PackageArchive,
    request: PackageRequest,
    checkpoint: CurrentLog,
  ): Promise<WrittenPackage> {
    const { organisationId, filter, survey } = request;
    const isWhole = Object.values(filter).every((value) => value === undefined);
    const steps = new Steps(request, checkpoint.size, isWhole ? 2 : 3);
    const packageCounts: PackageCounts = { actions: new Map(), pruned: 0, missing: [] };
    await archive.addText('checkpoint.txt', checkpoint.note);
    const { verifierKeys } = this.keys;
    await archive.addText('keys.json', `${JSON.stringify({ verifierKeys }, null, 2)}\n`);
    const count = await archive.addLines('events.jsonl', this.entryLines(request, steps, packageCounts));
    if (checkpoint.pruned > 0) {
      await archive.addLines('prunings.jsonl', this.pruningLines(organisationId, checkpoint.size));
    }
    if (isWhole) {
      packageCounts.missing.push(
        ...(await this.missingEntryFinder.findUnsealed(organisationId, checkpoint.signedAt)),
      );
    }
    if (packageCounts.missing.length > 0) {
      await archive.addLines(
        'missing.jsonl',
        packageCounts.missing.map((one) => `${JSON.stringify(one)}\n`),
      );
    }
    await archive.addLines('events.csv', this.spreadsheetLines(request, steps));
    if (!isWhole) await archive.addLines('proofs.jsonl', this.pathLines(request, steps));
    await archive.addLines('consistency.jsonl', this.consistencyLines(organisationId, checkpoint.size));
    const { subjects, complete, attested, incomplete, pruned, notes } = survey;
    const counts = { subjects, complete, attested, incomplete, pruned };
    await archive.addLines(
      'trail-status.jsonl',
      [counts, ...notes].map((line) => `${JSON.stringify(line)}\n`),
    );
    for (const name of ['verify.mjs', 'verify.py']) {
      await archive.addText(name, await readFile(new URL(`../verify/${name}`, import.meta.url), 'utf8'));
    }
    const wanted = request.said ?? filter;
    const draft = {
      format: PACKAGE_FORMAT,
      origin: this.signer.origin(organisationId, checkpoint.incarnation),
      treeSize: checkpoint.size,
      root: checkpoint.root.toString('base64'),
      whole: isWhole,
      count,
      ...(packageCounts.pruned > 0 ? { pruned: packageCounts.pruned } : {}),
      ...(packageCounts.missing.length > 0 ? { missing: packageCounts.missing.length } : {}),
      filter: Object.fromEntries(
        Object.entries(wanted).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
      ),
      madeAt: new Date(this.clock.now()).toISOString(),
      requestedBy: request.requestedBy,
      reason: request.reason,
      trails: counts,
      auditReady: request.auditReady,
    } as const;
    const manifestSoFar: PackageManifest = { ...draft, files: {} };
    await archive.addText(
      'README.txt',
      packageReadme(manifestSoFar, required(verifierKeys[0], 'the key to verify with')),
    );
    await archive.addFile('summary.pdf', (output) =>
      writePackageSummary(
        {
          manifest: manifestSoFar,
          signedAt: checkpoint.signedAt,
          keys: verifierKeys,
          actions: packageCounts.actions,
          survey,
        },
        request.language,
        output,
      ),
    );
    const manifest: PackageManifest = { ...draft, files: archive.files };
    const text = `${JSON.stringify(manifest, null, 2)}\n`;
    const manifestSha256 = createHash('sha256').update(text).digest('hex');
    await archive.addText('manifest.json', text);
    await archive.addText(
      'manifest.note',
      signNote(manifestText(draft.origin, manifestSha256), [this.keys.current]),
    );
    return { manifest, manifestSha256 };
  }

  private async *entryLines(
    request: PackageRequest,
    steps: Steps,
    found: PackageCounts,
  ): AsyncGenerator<string> {
    for await (const page of this.pages(request, steps)) {
      const erased = await this.missingEntryFinder.findErased(request.organisationId, page);
      found.missing.push(...erased);
      found.pruned += page.filter(({ entry }) => entry === null).length - erased.length;
      for (const leaf of page) {
        if (!leaf.entry) {
          yield prunedLine(leaf);
          continue;
        }
        const { action, canonical } = leaf.entry;
        found.actions.set(action, (found.actions.get(action) ?? 0) + 1);
        yield `{"index":${leaf.index},"canonical":"${canonical.toString('base64')}"}\n`;
      }
    }
  }

  /** Yields the entries that name pruned leaves, each with its inclusion path. */
  private async *pruningLines(organisationId: string, size: number): AsyncGenerator<string> {
    const filter = { subjectType: 'audit_log', subjectId: organisationId, action: 'audit_log.pruned' };
    for (let after = -1; ;) {
      const page = await this.queries.listLeaves(organisationId, filter, { after, size, limit: PAGE });
      for (const { index, entry } of page) {
        const path = await this.proofs.proveInclusion(organisationId, index, size).catch(noProof);
        const canonical = entry?.canonical.toString('base64') ?? '';
        yield proofLine({ index, canonical, path: path ?? [] });
      }
      const last = page.at(-1);
      if (!last || page.length < PAGE) return;
      after = last.index;
    }
  }

  private async *spreadsheetLines(request: PackageRequest, steps: Steps): AsyncGenerator<string> {
    yield csvRow(CSV_HEADER);
    for await (const page of this.pages(request, steps)) {
      for (const { index, subjectType, subjectId, subjectSeq, hash, entry } of page) {
        const { actor = '', requestId = '' } = entry ? parseEntry(entry) : {};
        yield csvRow([
          String(index),
          entry?.recordedAt.toISOString() ?? '',
          `${subjectType}:${subjectId}`,
          String(subjectSeq),
          entry?.action ?? 'PRUNED',
          actor,
          requestId ?? '',
          hash.toString('hex'),
        ]);
      }
    }
  }

  private async *pathLines(request: PackageRequest, steps: Steps): AsyncGenerator<string> {
    for await (const page of this.pages(request, steps)) {
      const paths = await this.proofs
        .proveInclusions(
          request.organisationId,
          page.map(({ index }) => index),
          steps.size,
        )
        .catch(noProof);
      for (const [i, { index }] of page.entries()) yield proofLine({ index, path: paths?.[i] ?? [] });
    }
  }

  /** Yields the consistency proofs from the newest stored checkpoints to the signed size. */
  private async *consistencyLines(organisationId: string, size: number): AsyncGenerator<string> {
    const checkpoints = await this.queries.listCheckpoints(organisationId, null, MAX_CONSISTENCY_PROOFS);
    const sizes = [...new Set(checkpoints.map((one) => one.size))].filter((from) => from < size);
    for (const from of sizes.sort((a, b) => a - b)) {
      const path = await this.proofs.proveConsistency(organisationId, from, size).catch(noProof);
      if (path) yield proofLine({ from, path });
    }
  }

  /** Yields the selected entries in log order, a page at a time, and reports the progress of this pass. */
  private async *pages(
    { organisationId, filter }: PackageRequest,
    steps: Steps,
  ): AsyncGenerator<readonly LoggedLeaf[]> {
    const { size } = steps;
    for (let after = -1; ;) {
      const page = await this.queries.listLeaves(organisationId, filter, { after, size, limit: PAGE });
      if (page.length > 0) yield page;
      const last = page.at(-1);
      if (!last || page.length < PAGE) break;
      after = last.index;
      await steps.reportAt(after);
    }
    await steps.endPass();
  }
}

/** Counts that grow while the entries are read. */
interface PackageCounts {
  readonly actions: Map<string, number>;
  pruned: number;
  readonly missing: MissingEntry[];
}

/** Counts progress over the passes through the log. */
class Steps {
  private passed = 0;

  constructor(
    private readonly request: PackageRequest,
    readonly size: number,
    private readonly passes: number,
  ) {}

  async reportAt(index: number): Promise<void> {
    await this.request.progress?.(this.passed * this.size + index, this.passes * this.size);
  }

  async endPass(): Promise<void> {
    this.passed += 1;
    await this.reportAt(0);
  }
}

/**
 * Error handler: returns null (no proof) if the log lacks leaves, which the verifier of the package reports; throws any
 * other error.
 */
function noProof(error: unknown): null {
  if (error instanceof LogIncompleteError) return null;
  throw error;
}

// Returns the line of a pruned entry. The line names the subject, so that a verifier can follow the trail to the next
// entry, which contains the hash of the pruned entry.
const prunedLine = ({ index, hash, subjectType, subjectId, subjectSeq }: LoggedLeaf): string =>
  `${JSON.stringify({ index, pruned: hash.toString('base64'), subject: `${subjectType}:${subjectId}`, seq: subjectSeq })}\n`;

interface ProofLine {
  readonly index?: number;
  readonly from?: number;
  readonly canonical?: string;
  readonly path: readonly Buffer[];
}

const proofLine = ({ path, ...rest }: ProofLine): string =>
  `${JSON.stringify({ ...rest, path: path.map((node) => node.toString('base64')) })}\n`;

/** Parses the canonical bytes; empty if they are not an entry of this service, which the verifier reports. */
function parseEntry({ canonical }: { readonly canonical: Buffer }): {
  actor?: string;
  requestId?: string | null;
} {
  try {
    return JSON.parse(canonical.toString('utf8')) as { actor?: string; requestId?: string | null };
  } catch {
    return {};
  }
}

/** A ZIP file that counts and hashes its files as they are written. The same entries give the same bytes. */
class PackageArchive {
  readonly files: Record<string, { bytes: number; sha256: string }> = {};
  private readonly zip = new ZipFile();

  constructor(
    private readonly mtime: Date,
    private readonly output: Writable,
  ) {}

  /** Runs `fill` while the file is written; throws if either fails. */
  async runAndFinish<T>(fill: () => Promise<T>): Promise<T> {
    const writing = pipeline(this.zip.outputStream as Readable, this.output);
    // The first failure is thrown below. It makes the other side fail, and this second error is ignored here.
    writing.catch(() => undefined);
    // Rejects if the output is closed: nobody would read the rest, and `fill` would wait for ever.
    const gone = writing.then(() => new Promise<never>(() => undefined));
    const result = await Promise.race([fill(), gone]).catch((error: unknown) => {
      (this.zip.outputStream as Readable).destroy(error instanceof Error ? error : undefined);
      throw error;
    });
    this.zip.end();
    await writing;
    return result;
  }

  async addText(name: string, content: string): Promise<void> {
    await this.addLines(name, Readable.from([content]));
  }

  /** Adds a file from lines of text and returns the number of lines. */
  async addLines(name: string, pieces: AsyncIterable<string> | Iterable<string>): Promise<number> {
    let count = 0;
    await this.addFile(name, async (member) => {
      let waiting = '';
      const pass = async (): Promise<void> => {
        const buffer = Buffer.from(waiting);
        waiting = '';
        if (!member.write(buffer)) await once(member, 'drain');
      };
      for await (const piece of pieces) {
        count += 1;
        waiting += piece;
        if (waiting.length >= CHUNK) await pass();
      }
      if (waiting !== '') await pass();
      member.end();
    });
    return count;
  }

  /** Adds a file that `write` writes and ends. */
  async addFile(name: string, write: (member: Writable) => Promise<void>): Promise<void> {
    const hash = createHash('sha256');
    let bytes = 0;
    const member = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        bytes += chunk.length;
        done(null, chunk);
      },
    });
    this.zip.addReadStream(member, name, { mtime: this.mtime, mode: 0o100644 });
    await write(member);
    // Bytes are counted as they are read, so the count is final once the file is read to its end.
    if (!member.readableEnded) await once(member, 'end');
    if (name !== 'manifest.json' && name !== 'manifest.note') {
      this.files[name] = { bytes, sha256: hash.digest('hex') };
    }
  }
}
