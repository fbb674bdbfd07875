import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { CommitMarks, system, UnitOfWork, type QuietCheck } from '../../../platform/database/index.js';
import { Periodic } from '../../../platform/schedule/index.js';
import { parseCheckpoint } from '../domain/signed/checkpoint.js';
import { AuditLogEntity } from '../store/entities.js';

/**
 * A signed checkpoint as each event carries it. An integrator who stores events has a copy outside the database.
 * The note is `origin`, `size`, `root` and `time <signedAt>` on a line each, an empty line, and the signature line.
 */
export interface PublishedCheckpoint {
  readonly origin: string;
  readonly size: number;
  /** Root of the Merkle tree over the entries, base64. */
  readonly root: string;
  readonly signedAt: string;
  /** Four bytes of key hash and an Ed25519 signature, base64. */
  readonly signature: string;
}

// Checkpoints may commit in another order than they were signed, so each refresh reads this much time again.
const OVERLAP_MS = 5_000;
// Events carry a checkpoint that is up to one second old: a query per event would cost more than it proves.
const REFRESH_MS = 1_000;

/** Keeps the newest signed checkpoint of every organisation in memory. */
@Injectable()
export class CheckpointsService implements OnApplicationBootstrap {
  private readonly newestByOrganisation = new Map<string, PublishedCheckpoint>();
  private readonly quietCheck: QuietCheck;
  private since = 0;

  constructor(
    private readonly uow: UnitOfWork,
    marks: CommitMarks,
  ) {
    this.quietCheck = marks.newCheck();
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.refresh();
  }

  /** Returns the newest checkpoint in memory; null if the organisation has no checkpoint yet. */
  findNewest(organisationId: string): PublishedCheckpoint | null {
    return this.newestByOrganisation.get(organisationId) ?? null;
  }

  @Periodic({ everyMs: REFRESH_MS, otherwise: 'events carry older checkpoints', runsIn: 'every process' })
  async refresh(): Promise<void> {
    if (await this.quietCheck.isQuiet()) return;
    const since = new Date(Math.max(this.since - OVERLAP_MS, 0));
    const rows = await this.uow.read(system('audit.checkpoints'), (db) =>
      db.find(AuditLogEntity, {
        select: { organisationId: true, note: true, signedAt: true },
        where: { signedAt: MoreThan(since) },
        order: { signedAt: 'ASC' },
      }),
    );
    for (const row of rows) {
      const handed = publishedCheckpoint(row.note);
      if (handed) this.newestByOrganisation.set(row.organisationId, handed);
      this.since = row.signedAt.getTime();
    }
    this.quietCheck.settle();
  }
}

/** Parses a signed note of this service; null if the text is not such a note. */
export function publishedCheckpoint(signed: string): PublishedCheckpoint | null {
  const parsed = parseCheckpoint(signed);
  const [signature] = parsed?.note.signatures ?? [];
  const [time] = parsed?.checkpoint.extensions ?? [];
  if (!parsed || !signature || time?.startsWith('time ') !== true) return null;
  const { origin, size, root } = parsed.checkpoint;
  return {
    origin,
    size,
    root: root.toString('base64'),
    signedAt: time.slice('time '.length),
    signature: Buffer.concat([signature.keyId, signature.signature]).toString('base64'),
  };
}
