import { hostname } from 'node:os';
import path from 'node:path';
import { Injectable } from '@nestjs/common';
import { system, UnitOfWork } from '../../../platform/database/index.js';
import { conflict, invalid, type DomainError } from '../../../platform/kernel/index.js';
import { registration, Registry } from '../../../platform/registry/index.js';
import { auditDraftOf, type ActorContext } from '../actor-context.js';
import { parseNote, parseVerifierKey, formatVerifierKey } from '../domain/signed/signed-note.js';
import type { TrailGap } from '../domain/trail.js';
import { cosignedAt, pinnedCheckpoint } from '../domain/signed/witness.js';
import { parseLogOrigin } from '../log/anchor-file.js';
import { AuditKeys } from '../log/audit-keys.js';
import { LogIncompleteError, LogProofBuilder } from '../log/log-proof-builder.js';
import { AuditAnchorEntity } from '../store/entities.js';
import { LogQueries, type CurrentLog } from '../store/log.queries.js';
import type { LogHead } from '../store/log.repository.js';
import { AuditTrail } from '../trail/audit-trail.js';

/** Decorates a method that returns the time of the newest checkpoint delivered with an event; null if none. */
export const HandedOut =
  registration<(organisationId: string) => Promise<Date | null>>('handed-out checkpoints');

/** A copy of a checkpoint outside the database: in the anchor file, at a witness or at a receiver of webhooks. */
export interface CheckpointCopy {
  readonly kind: AuditAnchorEntity['kind'] | 'WEBHOOK';
  readonly name: string;
  /** Number of entries that the checkpoint covers. */
  readonly size: number;
  readonly seenAt: Date;
  /** True if the log still begins with these entries; null if not compared here (RollbackGuard compares the file). */
  readonly holds: boolean | null;
}

/** The checkpoint of a witness. `holds` is true if the log still begins with its entries. */
interface Witnessed {
  readonly size: number;
  readonly holds: boolean;
}

type StoredAnchor = Pick<AuditAnchorEntity, 'organisationId' | 'incarnation' | 'size' | 'root'>;

const MAX_WITNESSES = 50;

/** Stores which files and witnesses outside the database have a checkpoint, and compares the log with them. */
@Injectable()
export class AnchorsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly queries: LogQueries,
    private readonly proofs: LogProofBuilder,
    private readonly keys: AuditKeys,
    private readonly trail: AuditTrail,
    private readonly registry: Registry,
  ) {}

  /** Records that the anchor file of this host has these checkpoints. */
  async recordFile(file: string, heads: readonly LogHead[], seenAt: Date): Promise<void> {
    if (heads.length === 0) return;
    const name = `${hostname()}:${path.basename(file)}`;
    const rows = heads.map(({ organisationId, incarnation, size, root, note }) => ({
      ...{ organisationId, kind: 'FILE' as const, name, incarnation },
      ...{ size: String(size), root, note, seenAt },
    }));
    await this.uow.run(system('audit.anchors'), (tx) =>
      tx.upsert(AuditAnchorEntity, rows, ['organisationId', 'kind', 'name']),
    );
  }

  /**
   * Stores a checkpoint of this service that a witness has cosigned.
   * @param key of the witness, `name+hash+base64`
   */
  async recordWitness(ctx: ActorContext, note: string, key: string): Promise<Witnessed> {
    const { organisationId } = ctx;
    const checkpoint = pinnedCheckpoint(note, this.keys.signers);
    const logPlace = checkpoint && parseLogOrigin(checkpoint.origin);
    if (!checkpoint || logPlace?.organisationId !== organisationId) {
      throw invalidField(
        'note',
        'NOT_OURS',
        'This is no checkpoint that this service has signed of this log.',
      );
    }
    const verifier = parseVerifierKey(key);
    const parsed = parseNote(note);
    const seenAt = verifier && parsed && cosignedAt(parsed, verifier);
    if (!verifier || !seenAt) {
      throw invalidField('key', 'NOT_SIGNED', 'The note has no signature of a witness with this key.');
    }
    const name = formatVerifierKey(verifier);
    const place = { organisationId, kind: 'WITNESS' as const, name };
    const { size, root } = checkpoint;
    await this.uow.run(organisationId, async (tx) => {
      const storedAnchor = await tx.findOneBy(AuditAnchorEntity, place);
      const isOlder =
        storedAnchor !== null &&
        (storedAnchor.incarnation > logPlace.incarnation ||
          (storedAnchor.incarnation === logPlace.incarnation && Number(storedAnchor.size) > size));
      // The stored checkpoint of the witness is newer.
      if (isOlder) return;
      const otherWitnesses = { organisationId, kind: 'WITNESS' as const };
      if (!storedAnchor && (await tx.countBy(AuditAnchorEntity, otherWitnesses)) >= MAX_WITNESSES) {
        throw conflict('key', 'TOO_MANY', 'There are too many witnesses already.');
      }
      const witnessed = { incarnation: logPlace.incarnation, size: String(size), root, note, seenAt };
      await tx.upsert(AuditAnchorEntity, { ...place, ...witnessed }, ['organisationId', 'kind', 'name']);
      const content = { witness: name, size, seenAt: seenAt.toISOString() };
      const step = auditDraftOf(ctx, 'audit_log', organisationId, 'audit_log.witnessed', new Date(), content);
      await this.trail.record(tx, step);
    });
    const log = await this.queries.findCurrentLog(organisationId);
    return {
      size,
      holds:
        log !== null && (await this.logExtends({ ...logPlace, size: String(size), root }, log)) !== false,
    };
  }

  async listByOrganisation(organisationId: string): Promise<readonly CheckpointCopy[]> {
    const log = await this.queries.findCurrentLog(organisationId);
    const anchors: CheckpointCopy[] = [];
    for (const row of await this.readStored(organisationId)) {
      const { kind, name, seenAt } = row;
      const holds = kind === 'WITNESS' && log ? await this.logExtends(row, log) : null;
      anchors.push({ kind, name, size: Number(row.size), seenAt, holds });
    }
    const handedOut = await this.registry.methodsOf(HandedOut).get()?.call(organisationId);
    const [kept] = handedOut
      ? await this.queries.listCheckpoints(organisationId, handedOut.toISOString(), 1)
      : [];
    if (kept) {
      anchors.push({
        kind: 'WEBHOOK',
        name: 'webhooks',
        size: kept.size,
        seenAt: kept.signedAt,
        holds: null,
      });
    }
    return anchors;
  }

  /** Finds the witnesses whose checkpoint contradicts the log. */
  async findGaps(organisationId: string): Promise<TrailGap[]> {
    const log = await this.queries.findCurrentLog(organisationId);
    if (!log || log.rolledBack) return [];
    const gaps: TrailGap[] = [];
    for (const row of await this.readStored(organisationId)) {
      if (row.kind === 'FILE' || (await this.logExtends(row, log)) !== false) continue;
      const detail = `the log does not go on from the ${row.size} entries that ${row.name} has seen`;
      gaps.push({ kind: 'TAMPERED', seq: null, detail });
    }
    return gaps;
  }

  private readStored(organisationId: string): Promise<AuditAnchorEntity[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(AuditAnchorEntity, { where: { organisationId }, order: { kind: 'ASC', name: 'ASC' } }),
    );
  }

  private async logExtends(anchor: StoredAnchor, log: CurrentLog): Promise<boolean | null> {
    // Two people approved the log restart that ended the earlier incarnation.
    if (anchor.incarnation < log.incarnation) return null;
    const length = Number(anchor.size);
    if (anchor.incarnation > log.incarnation || length > log.size) return false;
    if (length === 0) return true;
    try {
      const [root] = await this.proofs.readRoots(anchor.organisationId, [{ start: 0, length }]);
      return root?.equals(anchor.root) === true;
    } catch (error) {
      if (error instanceof LogIncompleteError) return false;
      throw error;
    }
  }
}

const invalidField = (at: string, code: string, message: string): DomainError => invalid(at, code, message);
