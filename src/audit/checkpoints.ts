import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { system, UnitOfWork } from '../database/index.js';
import { parseCheckpoint } from './domain/checkpoint.js';

/**
 * A signed checkpoint as it is handed out: with every event, so that each integrator is a witness outside the database.
 * The note is `origin`, `size`, `root` and `time <signedAt>` on a line each, an empty line, and the signature line.
 */
export interface HandedCheckpoint {
  readonly origin: string;
  /** Number of entries. */
  readonly size: number;
  /** SHA-256 over all of them, base64. */
  readonly root: string;
  readonly signedAt: string;
  /** Four bytes of key hash and an Ed25519 signature, base64. */
  readonly signature: string;
}

// Two sealers may take turns in an instant and commit in the other order; what was read before is read again.
const OVERLAP_MS = 5_000;
// An event may carry a checkpoint that is a second old; asking for every event would cost more than it proves.
const REFRESH_MS = 1_000;

/** Keeps the newest signed checkpoint of every organisation in memory. */
@Injectable()
export class Checkpoints implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Checkpoints.name);
  private readonly known = new Map<string, HandedCheckpoint>();
  private timer: NodeJS.Timeout | undefined;
  private since = 0;

  constructor(private readonly uow: UnitOfWork) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.refresh();
    this.timer = setInterval(() => {
      this.refresh().catch((error: unknown) => {
        this.logger.debug(`checkpoints not refreshed: ${error instanceof Error ? error.name : 'unknown'}`);
      });
    }, REFRESH_MS);
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** The newest checkpoint of an organisation that this process knows; null before the first. */
  newest(organisationId: string): HandedCheckpoint | null {
    return this.known.get(organisationId) ?? null;
  }

  private async refresh(): Promise<void> {
    const rows: { organisation_id: string; note: string; signed_at: Date }[] = await this.uow.read(
      system('audit.checkpoints'),
      (db) =>
        db.query(
          `SELECT organisation_id, note, signed_at FROM audit_logs WHERE signed_at > $1 ORDER BY signed_at`,
          [new Date(Math.max(this.since - OVERLAP_MS, 0)).toISOString()],
        ),
    );
    for (const row of rows) {
      const handed = handedOut(row.note);
      if (handed) this.known.set(row.organisation_id, handed);
      this.since = row.signed_at.getTime();
    }
  }
}

/** The parts of a signed note of ours; null when it is none. */
export function handedOut(signed: string): HandedCheckpoint | null {
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
