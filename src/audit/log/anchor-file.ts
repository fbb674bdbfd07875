import { createReadStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/index.js';
import { AuditKeys } from './audit-keys.js';
import { parseCheckpoint, type Checkpoint } from '../domain/checkpoint.js';
import { pinnedCheckpoint } from '../domain/witness.js';

/** A file's memory of a log: its newest checkpoint. */
export interface Anchor {
  readonly organisationId: string;
  readonly incarnation: number;
  readonly size: number;
  readonly root: Buffer;
}

/**
 * A file outside the database to which signed checkpoints are only ever appended, one JSON object a line. A database
 * that is put back to an earlier day knows nothing of what followed; this file does. Make it append-only for the
 * operating system too (`chattr +a`), or ship its lines elsewhere.
 */
@Injectable()
export class AnchorFile {
  readonly file: string;

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

  /** The newest anchor of each organisation. Lines that no key of the settings has signed count for nothing. */
  async newest(): Promise<{ anchors: Map<string, Anchor>; unsigned: number }> {
    const anchors = new Map<string, Anchor>();
    let unsigned = 0;
    const candidates = new Map<string, { anchor: Anchor; note: string }>();
    for await (const line of lines(this.file)) {
      const read = readLine(line);
      if (!read) {
        unsigned += 1;
        continue;
      }
      const present = candidates.get(read.anchor.organisationId);
      if (!present || isLater(read.anchor, present.anchor)) {
        // Only what would count is worth a check of its signature.
        if (pinnedCheckpoint(read.note, this.keys.signers)) candidates.set(read.anchor.organisationId, read);
        else unsigned += 1;
      }
    }
    for (const [organisationId, { anchor }] of candidates) anchors.set(organisationId, anchor);
    return { anchors, unsigned };
  }
}

async function* lines(file: string): AsyncGenerator<string> {
  const stream = createReadStream(file, 'utf8');
  try {
    yield* createInterface({ input: stream, crlfDelay: Infinity });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function readLine(line: string): { anchor: Anchor; note: string } | null {
  try {
    const { note } = JSON.parse(line) as { note?: unknown };
    const parsed = typeof note === 'string' ? parseCheckpoint(note) : null;
    const anchor = parsed && anchorOf(parsed.checkpoint);
    return anchor && typeof note === 'string' ? { anchor, note } : null;
  } catch {
    return null; // a line that was cut off; counted by the caller
  }
}

function anchorOf({ origin, size, root }: Checkpoint): Anchor | null {
  const match = /\/t\/([0-9a-f-]{36})\/i\/(\d{1,9})$/.exec(origin);
  const [, organisationId, incarnation] = match ?? [];
  return organisationId === undefined
    ? null
    : { organisationId, incarnation: Number(incarnation), size, root };
}

const isLater = (a: Anchor, b: Anchor): boolean =>
  a.incarnation > b.incarnation || (a.incarnation === b.incarnation && a.size > b.size);
