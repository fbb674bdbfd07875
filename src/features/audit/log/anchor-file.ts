import { createReadStream } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import path from 'node:path';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import { AuditKeys } from './audit-keys.js';
import { parseCheckpoint, type Checkpoint } from '../domain/signed/checkpoint.js';
import { pinnedCheckpoint } from '../domain/signed/witness.js';

/** The newest checkpoint of a log in the anchor file. */
export interface FileAnchor {
  readonly organisationId: string;
  readonly incarnation: number;
  readonly size: number;
  readonly root: Buffer;
}

/**
 * A file outside the database to which signed checkpoints are only ever appended, one JSON object a line. A database
 * restored from an older backup lacks the newest entries; this file shows that they existed. Make it append-only for
 * the operating system too (`chattr +a`), or ship its lines elsewhere.
 */
@Injectable()
export class AnchorFile {
  readonly file: string;
  private readonly anchors = new Map<string, FileAnchor>();
  private unsigned = 0;
  /** The number of bytes read so far, and the inode of the file. */
  private bytes = 0;
  private ino = 0;

  constructor(
    settings: Settings,
    private readonly keys: AuditKeys,
  ) {
    this.file = settings.auditAnchorFile ?? path.join(settings.dataDir, 'audit', 'anchors.jsonl');
  }

  /** Appends signed notes and waits until they are on the disk. */
  async append(notes: readonly string[], at: Date): Promise<void> {
    if (notes.length === 0) return;
    await mkdir(path.dirname(this.file), { recursive: true, mode: 0o700 });
    const handle = await open(this.file, 'a', 0o600);
    try {
      await handle.appendFile(
        notes.map((note) => `${JSON.stringify({ at: at.toISOString(), note })}\n`).join(''),
      );
      await handle.datasync();
    } finally {
      await handle.close();
    }
  }

  /**
   * Returns the newest anchor of each organisation. Lines without a signature by a key of the settings are only
   * counted. Each call reads only the lines added since the last call; an anchor that was read counts even if its line
   * is deleted later.
   */
  async readNewest(): Promise<{ anchors: ReadonlyMap<string, FileAnchor>; unsigned: number }> {
    const { ino, size } = await stat(this.file).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return { ino: 0, size: 0 };
    });
    if (ino !== this.ino || size < this.bytes) Object.assign(this, { ino, bytes: 0, unsigned: 0 });
    for await (const line of wholeLines(this.file, this.bytes, size)) {
      this.bytes += line.length + 1;
      if (!this.readAnchor(line.toString('utf8'))) this.unsigned += 1;
    }
    return { anchors: this.anchors, unsigned: this.unsigned };
  }

  /** Keeps the anchor of a line if it is the newest. Returns false for a line that none of our keys has signed. */
  private readAnchor(line: string): boolean {
    const anchorLine = readLine(line);
    if (!anchorLine) return false;
    const present = this.anchors.get(anchorLine.anchor.organisationId);
    // An older checkpoint changes nothing, so its signature is not checked.
    if (present && !isLater(anchorLine.anchor, present)) return true;
    if (!pinnedCheckpoint(anchorLine.note, this.keys.signers)) return false;
    this.anchors.set(anchorLine.anchor.organisationId, anchorLine.anchor);
    return true;
  }
}

const NEWLINE = 10;

/** Yields the complete lines between two offsets. An incomplete last line is still being written. */
async function* wholeLines(file: string, from: number, to: number): AsyncGenerator<Buffer> {
  if (from >= to) return;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(file, { start: from, end: to - 1 }) as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      yield rest.subarray(0, end);
      rest = rest.subarray(end + 1);
    }
  }
}

function readLine(line: string): { anchor: FileAnchor; note: string } | null {
  try {
    const { note } = JSON.parse(line) as { note?: unknown };
    const parsed = typeof note === 'string' ? parseCheckpoint(note) : null;
    const anchor = parsed && anchorOf(parsed.checkpoint);
    return anchor && typeof note === 'string' ? { anchor, note } : null;
  } catch {
    return null; // an incomplete line; the caller counts it
  }
}

function anchorOf({ origin, size, root }: Checkpoint): FileAnchor | null {
  const log = parseLogOrigin(origin);
  return log && { ...log, size, root };
}

/** Parses the origin of a checkpoint; null if it has another form. */
export function parseLogOrigin(origin: string): Pick<FileAnchor, 'organisationId' | 'incarnation'> | null {
  const match = /\/t\/([0-9a-f-]{36})\/i\/(\d{1,9})$/.exec(origin);
  const [, organisationId, incarnation] = match ?? [];
  return organisationId === undefined ? null : { organisationId, incarnation: Number(incarnation) };
}

const isLater = (a: FileAnchor, b: FileAnchor): boolean =>
  a.incarnation > b.incarnation || (a.incarnation === b.incarnation && a.size > b.size);
