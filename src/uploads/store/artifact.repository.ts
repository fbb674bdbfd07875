import { Injectable } from '@nestjs/common';
import { UnitOfWork, type Reader, type Scope, type Tx } from '../../database/index.js';
import type {
  ArtifactKind,
  ArtifactMimeType,
  ArtifactOwner,
  ArtifactSide,
  ArtifactState,
  NamedPlace,
} from '../domain/artifact.js';

export interface ArtifactRow {
  readonly id: string;
  readonly organisationId: string;
  readonly ownerType: ArtifactOwner['type'];
  readonly ownerId: string;
  readonly stepId: string | null;
  readonly kind: ArtifactKind;
  readonly documentType: string | null;
  readonly side: ArtifactSide | null;
  readonly mimeType: ArtifactMimeType;
  readonly sizeBytes: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly pages: number | null;
  readonly subjectIndex: Buffer;
  readonly keyId: string;
  readonly contentIndex: Buffer;
  readonly sealed: Buffer;
  readonly storageKey: string;
  readonly viewKey: string | null;
  readonly state: ArtifactState;
  readonly customerId: string | null;
  readonly unlinkedReason: string | null;
  readonly receivedBy: string;
  readonly createdAt: Date;
  readonly retainUntil: Date;
  readonly trailHash: Buffer;
}

export type NewArtifact = Omit<ArtifactRow, 'state' | 'createdAt' | 'retainUntil'>;

const COLUMNS = `id, organisation_id AS "organisationId", owner_type AS "ownerType", owner_id AS "ownerId",
  step_id AS "stepId", kind, document_type AS "documentType", side, mime_type AS "mimeType",
  size_bytes AS "sizeBytes", width, height, pages, subject_index AS "subjectIndex", key_id AS "keyId",
  content_index AS "contentIndex", sealed, storage_key AS "storageKey", view_key AS "viewKey", state,
  customer_id AS "customerId", unlinked_reason AS "unlinkedReason", received_by AS "receivedBy",
  created_at AS "createdAt", retain_until AS "retainUntil", trail_hash AS "trailHash"`;

// Ten years from the end of the relationship (BCB Circular 3.978, art. 67); from the upload, until that is known.
const RETENTION = `interval '10 years'`;

/** What the artifacts of an owner take together. */
export interface Held {
  readonly files: number;
  readonly bytes: number;
}

@Injectable()
export class ArtifactRepository {
  constructor(private readonly uow: UnitOfWork) {}

  async find(organisationId: string, id: string): Promise<ArtifactRow | null> {
    const rows = await this.select(organisationId, 'organisation_id = $1 AND id = $2', [organisationId, id]);
    return rows[0] ?? null;
  }

  /**
   * The same content of the same owner at the same place. When no step was named, the first attempt may have finished
   * the step that it went to, and the next one would go elsewhere: then whatever does not contradict is the same.
   */
  async findSame(
    db: Reader | null,
    organisationId: string,
    owner: ArtifactOwner,
    contentIndex: Buffer,
    { stepId, documentType, side }: NamedPlace,
  ): Promise<ArtifactRow | null> {
    const condition = `organisation_id = $1 AND owner_type = $2 AND owner_id = $3 AND content_index = $4
                       AND state = 'STORED'
                       AND CASE WHEN $5::text IS NULL
                         THEN ($6::text IS NULL OR document_type = $6) AND ($7::text IS NULL OR side = $7)
                         ELSE step_id = $5 AND document_type IS NOT DISTINCT FROM $6 AND side IS NOT DISTINCT FROM $7
                       END
                       ORDER BY id LIMIT 1`;
    const values = [organisationId, owner.type, owner.id, contentIndex, stepId, documentType, side];
    const rows = db
      ? await db.query<ArtifactRow[]>(`SELECT ${COLUMNS} FROM artifacts WHERE ${condition}`, values)
      : await this.select(organisationId, condition, values);
    return rows[0] ?? null;
  }

  async ofOwner(organisationId: string, owner: ArtifactOwner): Promise<ArtifactRow[]> {
    return this.select(
      organisationId,
      'organisation_id = $1 AND owner_type = $2 AND owner_id = $3 ORDER BY id',
      [organisationId, owner.type, owner.id],
    );
  }

  async ofCustomer(organisationId: string, customerId: string): Promise<ArtifactRow[]> {
    return this.select(organisationId, 'organisation_id = $1 AND customer_id = $2 ORDER BY id', [
      organisationId,
      customerId,
    ]);
  }

  /** Artifacts with one of these contents that do not belong to this customer. */
  async sameContent(
    organisationId: string,
    contentIndexes: readonly Buffer[],
    exceptCustomerId: string | null,
  ): Promise<ArtifactRow[]> {
    return this.select(
      organisationId,
      `organisation_id = $1 AND content_index = ANY($2) AND customer_id IS NOT NULL
       AND ($3::uuid IS NULL OR customer_id <> $3) ORDER BY id LIMIT 100`,
      [organisationId, [...contentIndexes], exceptCustomerId],
    );
  }

  /** Lets one upload at a time count and add to the files of an owner. */
  async lockOwner(tx: Tx, organisationId: string, owner: ArtifactOwner): Promise<Held> {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 90))`, [
      `${organisationId}|${owner.type}|${owner.id}`,
    ]);
    const rows: Held[] = await tx.query(
      `SELECT count(*)::int AS files, coalesce(sum(size_bytes), 0)::int AS bytes FROM artifacts
       WHERE organisation_id = $1 AND owner_type = $2 AND owner_id = $3`,
      [organisationId, owner.type, owner.id],
    );
    return rows[0] ?? { files: 0, bytes: 0 };
  }

  async insert(tx: Tx, artifact: NewArtifact): Promise<ArtifactRow> {
    const rows: ArtifactRow[] = await tx.query(
      `INSERT INTO artifacts
         (id, organisation_id, owner_type, owner_id, step_id, kind, document_type, side, mime_type, size_bytes, width,
          height, pages, subject_index, key_id, content_index, sealed, storage_key, view_key, customer_id, linked_at,
          unlinked_reason, received_by, trail_hash, retain_until)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
               CASE WHEN $20::uuid IS NULL THEN NULL ELSE clock_timestamp() END, $21, $22, $23, now() + ${RETENTION})
       RETURNING ${COLUMNS}`,
      [
        artifact.id,
        artifact.organisationId,
        artifact.ownerType,
        artifact.ownerId,
        artifact.stepId,
        artifact.kind,
        artifact.documentType,
        artifact.side,
        artifact.mimeType,
        artifact.sizeBytes,
        artifact.width,
        artifact.height,
        artifact.pages,
        artifact.subjectIndex,
        artifact.keyId,
        artifact.contentIndex,
        artifact.sealed,
        artifact.storageKey,
        artifact.viewKey,
        artifact.customerId,
        artifact.unlinkedReason,
        artifact.receivedBy,
        artifact.trailHash,
      ],
    );
    const [row] = rows;
    if (!row) throw new Error('the artifact was not inserted');
    return row;
  }

  /** Links an artifact that is linked to nobody; false when it is, or is not there. */
  async link(tx: Tx, organisationId: string, id: string, customerId: string): Promise<boolean> {
    const [rows]: [unknown[], number] = await tx.query(
      `UPDATE artifacts SET customer_id = $3, linked_at = clock_timestamp(), unlinked_reason = NULL
       WHERE organisation_id = $1 AND id = $2 AND customer_id IS NULL RETURNING id`,
      [organisationId, id, customerId],
    );
    return rows.length > 0;
  }

  async move(
    tx: Tx,
    organisationId: string,
    owner: ArtifactOwner,
    from: string,
    to: string,
  ): Promise<string[]> {
    const [rows]: [{ id: string }[], number] = await tx.query(
      `UPDATE artifacts SET customer_id = $5, linked_at = clock_timestamp()
       WHERE organisation_id = $1 AND owner_type = $2 AND owner_id = $3 AND customer_id = $4 RETURNING id`,
      [organisationId, owner.type, owner.id, from, to],
    );
    return rows.map(({ id }) => id);
  }

  async moveAll(tx: Tx, organisationId: string, from: string, to: string): Promise<string[]> {
    const [rows]: [{ id: string }[], number] = await tx.query(
      `UPDATE artifacts SET customer_id = $3, linked_at = clock_timestamp()
       WHERE organisation_id = $1 AND customer_id = $2 RETURNING id`,
      [organisationId, from, to],
    );
    return rows.map(({ id }) => id);
  }

  async markUnlinked(tx: Tx, organisationId: string, id: string, reason: string): Promise<void> {
    await tx.query(
      `UPDATE artifacts SET unlinked_reason = $3 WHERE organisation_id = $1 AND id = $2 AND customer_id IS NULL`,
      [organisationId, id, reason],
    );
  }

  /** Ends an artifact whose file is gone; false when it had ended already. */
  async end(tx: Tx, organisationId: string, id: string, state: 'LOST' | 'ERASED'): Promise<boolean> {
    const [rows]: [unknown[], number] = await tx.query(
      `UPDATE artifacts SET state = $3, ended_at = clock_timestamp()
       WHERE organisation_id = $1 AND id = $2 AND state = 'STORED' RETURNING id`,
      [organisationId, id, state],
    );
    return rows.length > 0;
  }

  /** Of these storage keys, those that a stored artifact has. */
  async knownKeys(scope: Scope, keys: readonly string[]): Promise<Set<string>> {
    const rows: { key: string }[] = await this.uow.read(scope, (db) =>
      db.query(
        `SELECT k.key FROM unnest($1::uuid[], $2::text[]) AS k (id, key)
         JOIN artifacts a ON a.id = k.id AND a.state = 'STORED' AND k.key IN (a.storage_key, a.view_key)`,
        [keys.map(idInKey), [...keys]],
      ),
    );
    return new Set(rows.map(({ key }) => key));
  }

  /** Stored artifacts with ids above `after` made within a span, in pages. */
  async storedBetween(
    scope: Scope,
    from: Date,
    to: Date,
    after: string,
    limit: number,
  ): Promise<ArtifactRow[]> {
    return this.select(
      scope,
      `id > $1 AND state = 'STORED' AND created_at >= $2 AND created_at < $3 ORDER BY id LIMIT $4`,
      [after, from, to, limit],
    );
  }

  /** Stored artifacts that one of these keys opens. */
  async underKeys(scope: Scope, keyIds: readonly string[]): Promise<ArtifactRow[]> {
    return this.select(scope, `key_id = ANY($1) AND state = 'STORED'`, [[...keyIds]]);
  }

  private async select(scope: Scope, condition: string, values: unknown[]): Promise<ArtifactRow[]> {
    return this.uow.read(scope, (db) =>
      db.query<ArtifactRow[]>(`SELECT ${COLUMNS} FROM artifacts WHERE ${condition}`, values),
    );
  }
}

/** The artifact in a storage key; a key without one is nobody's. */
function idInKey(key: string): string {
  return /\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[a-z]+$/.exec(key)?.[1] ?? NIL;
}

const NIL = '00000000-0000-0000-0000-000000000000';
