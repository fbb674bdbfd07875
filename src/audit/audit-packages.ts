import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { PassThrough, Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { ZipFile } from 'yazl';
import { Clock, csvRow, DomainError } from '../kernel/index.js';
import { AuditKeys } from './audit-keys.js';
import { CheckpointSigner } from './checkpoint-signer.js';
import { manifestText, PACKAGE_FORMAT, readme, type PackageManifest } from './domain/package-format.js';
import { signNote } from './domain/signed-note.js';
import { LogProofs } from './log-proofs.js';
import { LogQueries, type KeptCheckpoint, type LogFilter, type LoggedEntry } from './store/log.queries.js';

export interface PackageRequest {
  readonly organisationId: string;
  readonly filter: LogFilter;
  /** Who asked for it, as in audit entries: `operator:<id>`. */
  readonly requestedBy: string;
  readonly reason: string;
  /** Hears how many entries are written, of at most how many. */
  readonly progress?: (done: number, most: number) => void;
}

// Enough that a round trip costs little, few enough that a page is a few megabytes.
const PAGE = 2_000;
// A write for each line would cost more than the line.
const CHUNK = 65_536;
const MAX_CONSISTENCY_PROOFS = 500;
const CSV_HEADER = ['index', 'recordedAt', 'subject', 'seq', 'action', 'actor', 'requestId', 'hash'];

/** Writes packages that somebody who trusts nobody can verify, whatever their size, in bounded memory. */
@Injectable()
export class AuditPackages {
  constructor(
    private readonly queries: LogQueries,
    private readonly proofs: LogProofs,
    private readonly signer: CheckpointSigner,
    private readonly keys: AuditKeys,
    private readonly clock: Clock,
  ) {}

  /** Writes the package as a ZIP file to `output` and returns its manifest. */
  async write(request: PackageRequest, output: Writable): Promise<PackageManifest> {
    const checkpoint = await this.queries.current(request.organisationId);
    if (!checkpoint) throw new DomainError('AUDIT_ENTRY_NOT_FOUND');
    if (checkpoint.rolledBack) {
      const detail = 'The log is behind what was handed out of it.';
      throw new DomainError('AUDIT_TRAIL_INCOMPLETE', {
        details: [{ path: 'log', code: 'LOG_ROLLED_BACK', message: detail }],
      });
    }
    const archive = new PackageArchive(checkpoint.signedAt, output);
    const manifest = await archive.finishing(() => this.fill(archive, request, checkpoint));
    return manifest;
  }

  private async fill(
    archive: PackageArchive,
    request: PackageRequest,
    checkpoint: KeptCheckpoint,
  ): Promise<PackageManifest> {
    const { organisationId, filter } = request;
    const whole = Object.values(filter).every((value) => value === undefined);
    await archive.text('checkpoint.txt', checkpoint.note);
    await archive.text('keys.json', `${JSON.stringify({ verifierKeys: this.keys.verifierKeys }, null, 2)}\n`);
    const count = await archive.lines('events.jsonl', this.events(request, checkpoint.size));
    await archive.lines('events.csv', this.spreadsheet(request, checkpoint.size));
    if (!whole) await archive.lines('proofs.jsonl', this.paths(organisationId, filter, checkpoint.size));
    await archive.lines('consistency.jsonl', this.growth(organisationId, checkpoint.size));
    for (const name of ['verify.mjs', 'verify.py']) {
      await archive.text(name, await readFile(new URL(`./verify/${name}`, import.meta.url), 'utf8'));
    }
    const draft = {
      format: PACKAGE_FORMAT,
      origin: this.signer.origin(organisationId, checkpoint.incarnation),
      treeSize: checkpoint.size,
      root: checkpoint.root.toString('base64'),
      whole,
      count,
      filter: Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as Record<
        string,
        string
      >,
      madeAt: new Date(this.clock.now()).toISOString(),
      requestedBy: request.requestedBy,
      reason: request.reason,
    } as const;
    await archive.text('README.txt', readme({ ...draft, files: {} }, this.keys.verifierKeys[0] ?? ''));
    const manifest: PackageManifest = { ...draft, files: archive.files };
    const text = `${JSON.stringify(manifest, null, 2)}\n`;
    const digest = createHash('sha256').update(text).digest('hex');
    await archive.text('manifest.json', text);
    await archive.text('manifest.note', signNote(manifestText(draft.origin, digest), [this.keys.current]));
    return manifest;
  }

  private async *events(request: PackageRequest, size: number): AsyncGenerator<string> {
    let done = 0;
    for await (const page of this.pages(request.organisationId, request.filter, size)) {
      for (const { index, canonical } of page) {
        yield `{"index":${index},"canonical":"${canonical.toString('base64')}"}\n`;
      }
      done += page.length;
      request.progress?.(done, size);
    }
  }

  private async *spreadsheet(request: PackageRequest, size: number): AsyncGenerator<string> {
    yield csvRow(CSV_HEADER);
    for await (const page of this.pages(request.organisationId, request.filter, size)) {
      for (const entry of page) {
        const { actor = '', requestId = '' } = said(entry);
        yield csvRow([
          String(entry.index),
          entry.recordedAt.toISOString(),
          `${entry.subjectType}:${entry.subjectId}`,
          String(entry.subjectSeq),
          entry.action,
          actor,
          requestId ?? '',
          entry.hash.toString('hex'),
        ]);
      }
    }
  }

  private async *paths(organisationId: string, filter: LogFilter, size: number): AsyncGenerator<string> {
    for await (const page of this.pages(organisationId, filter, size)) {
      const paths = await this.proofs.inclusions(
        organisationId,
        page.map(({ index }) => index),
        size,
      );
      for (const [i, { index }] of page.entries()) yield proofLine({ index, path: paths[i] ?? [] });
    }
  }

  private async *growth(organisationId: string, size: number): AsyncGenerator<string> {
    const kept = await this.queries.checkpoints(organisationId, null, MAX_CONSISTENCY_PROOFS);
    const sizes = [...new Set(kept.map((checkpoint) => checkpoint.size))].filter((from) => from < size);
    for (const from of sizes.sort((a, b) => a - b)) {
      yield proofLine({ from, path: await this.proofs.consistency(organisationId, from, size) });
    }
  }

  private async *pages(
    organisationId: string,
    filter: LogFilter,
    size: number,
  ): AsyncGenerator<readonly LoggedEntry[]> {
    for (let after = -1; ;) {
      const page = await this.queries.forward(organisationId, filter, { after, size, limit: PAGE });
      if (page.length > 0) yield page;
      const last = page.at(-1);
      if (!last || page.length < PAGE) return;
      after = last.index;
    }
  }
}

const proofLine = ({ path, ...rest }: { index?: number; from?: number; path: readonly Buffer[] }): string =>
  `${JSON.stringify({ ...rest, path: path.map((node) => node.toString('base64')) })}\n`;

/** What the canonical bytes say; nothing when they are no entry of ours, which the verifier will find. */
function said({ canonical }: LoggedEntry): { actor?: string; requestId?: string | null } {
  try {
    return JSON.parse(canonical.toString('utf8')) as { actor?: string; requestId?: string | null };
  } catch {
    return {};
  }
}

/** A ZIP file under way that counts and hashes what goes into it. The same entries give the same bytes. */
class PackageArchive {
  readonly files: Record<string, { bytes: number; sha256: string }> = {};
  private readonly zip = new ZipFile();

  constructor(
    private readonly mtime: Date,
    private readonly output: Writable,
  ) {}

  /** Runs `fill` while the file is written; fails when either does. */
  async finishing<T>(fill: () => Promise<T>): Promise<T> {
    const written = pipeline(this.zip.outputStream as Readable, this.output);
    // Whoever fails first is heard; the other one's failure is then only its echo.
    written.catch(() => undefined);
    const result = await fill().catch((error: unknown) => {
      (this.zip.outputStream as Readable).destroy(error instanceof Error ? error : undefined);
      throw error;
    });
    this.zip.end();
    await written;
    return result;
  }

  async text(name: string, content: string): Promise<void> {
    await this.lines(name, Readable.from([content]));
  }

  /** Adds a member from pieces of text and returns how many they were. */
  async lines(name: string, pieces: AsyncIterable<string>): Promise<number> {
    const hash = createHash('sha256');
    let bytes = 0;
    let count = 0;
    const member = new PassThrough();
    this.zip.addReadStream(member, name, { mtime: this.mtime, mode: 0o100644 });
    let waiting = '';
    const pass = async (): Promise<void> => {
      const buffer = Buffer.from(waiting);
      waiting = '';
      hash.update(buffer);
      bytes += buffer.length;
      if (!member.write(buffer)) await once(member, 'drain');
    };
    for await (const piece of pieces) {
      count += 1;
      waiting += piece;
      if (waiting.length >= CHUNK) await pass();
    }
    if (waiting !== '') await pass();
    member.end();
    if (name !== 'manifest.json' && name !== 'manifest.note') {
      this.files[name] = { bytes, sha256: hash.digest('hex') };
    }
    return count;
  }
}
