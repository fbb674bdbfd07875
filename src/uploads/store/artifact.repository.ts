import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import {
  execute,
  properties,
  selectedBut,
  statement,
  takeTurn,
  UnitOfWork,
  type Reader,
  type RowOf,
  type Rows,
  type Scope,
  type Statement,
  type Tx,
} from '../../database/index.js';
import type { ArtifactOwner, NamedPlace } from '../domain/artifact.js';
import { ArtifactEntity } from './entities/artifact.entity.js';

const ARTIFACT = selectedBut(ArtifactEntity, 'a', 'linkedAt', 'endedAt');
const ID = properties(ArtifactEntity, 'id');

export type ArtifactRow = RowOf<typeof ARTIFACT.shape>;

export type NewArtifact = Omit<ArtifactRow, 'state' | 'createdAt' | 'retainUntil'>;

// Ten years from the end of the relationship (BCB Circular 3.978, art. 67); from the upload, until that is known.
const RETENTION = `interval '10 years'`;

const selectArtifacts = (name: string, condition: string): Statement<ArtifactRow> =>
  statement(name, `SELECT ${ARTIFACT.sql} FROM artifacts a WHERE ${condition}`, ARTIFACT.shape);

const FIND = selectArtifacts('uploads.find', 'organisation_id = $1 AND id = $2');

const SAME = selectArtifacts(
  'uploads.find-same',
  `organisation_id = $1 AND owner_type = $2 AND owner_id = $3 AND content_index = $4
   AND state = 'STORED'
   AND CASE WHEN $5::text IS NULL
   THEN ($6::text IS NULL OR document_type = $6) AND ($7::text IS NULL OR side = $7)
   ELSE step_id = $5 AND document_type IS NOT DISTINCT FROM $6 AND side IS NOT DISTINCT FROM $7
   END
   ORDER BY id LIMIT 1`,
);

const OF_OWNER = selectArtifacts(
  'uploads.of-owner',
  'organisation_id = $1 AND owner_type = $2 AND owner_id = $3 ORDER BY id',
);

const OF_CUSTOMER = selectArtifacts(
  'uploads.of-customer',
  'organisation_id = $1 AND customer_id = $2 ORDER BY id',
);

const SAME_CONTENT = selectArtifacts(
  'uploads.same-content',
  `organisation_id = $1 AND content_index = ANY($2) AND customer_id IS NOT NULL
   AND ($3::uuid IS NULL OR customer_id <> $3) ORDER BY id LIMIT 100`,
);

const STORED_BETWEEN = selectArtifacts(
  'uploads.stored-between',
  `id > $1 AND state = 'STORED' AND created_at >= $2 AND created_at < $3 ORDER BY id LIMIT $4`,
);

const UNDER_KEYS = selectArtifacts('uploads.under-keys', `key_id = ANY($1) AND state = 'STORED'`);

const HELD = statement(
  'uploads.held-by-owner',
  `SELECT count(*)::int AS files, coalesce(sum(size_bytes), 0)::int AS bytes FROM artifacts
   WHERE organisation_id = $1 AND owner_type = $2 AND owner_id = $3`,
  { files: 'integer', bytes: 'integer' },
);

/** The bytes that the artifacts of an owner take together. */
export type Held = Rows<typeof HELD>;

const INSERT = statement(
  'uploads.insert',
  `INSERT INTO artifacts AS a
     (id, organisation_id, owner_type, owner_id, step_id, kind, document_type, side, mime_type, size_bytes, width,
      height, pages, subject_index, key_id, content_index, sealed, storage_key, view_key, customer_id, linked_at,
      unlinked_reason, received_by, trail_hash, retain_until)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
           CASE WHEN $20::uuid IS NULL THEN NULL ELSE clock_timestamp() END, $21, $22, $23, now() + ${RETENTION})
   RETURNING ${ARTIFACT.sql}`,
  ARTIFACT.shape,
);

const LINK = statement(
  'uploads.link',
  `UPDATE artifacts SET customer_id = $3, linked_at = clock_timestamp(), unlinked_reason = NULL
   WHERE organisation_id = $1 AND id = $2 AND customer_id IS NULL RETURNING id`,
  ID,
);

const MOVE = statement(
  'uploads.move-of-owner',
  `UPDATE artifacts SET customer_id = $5, linked_at = clock_timestamp()
   WHERE organisation_id = $1 AND owner_type = $2 AND owner_id = $3 AND customer_id = $4 RETURNING id`,
  ID,
);

const MOVE_ALL = statement(
  'uploads.move-all',
  `UPDATE artifacts SET customer_id = $3, linked_at = clock_timestamp()
   WHERE organisation_id = $1 AND customer_id = $2 RETURNING id`,
  ID,
);

const END = statement(
  'uploads.end',
  `UPDATE artifacts SET state = $3, ended_at = clock_timestamp()
   WHERE organisation_id = $1 AND id = $2 AND state = 'STORED' RETURNING id`,
  ID,
);

const KNOWN_KEYS = statement(
  'uploads.known-keys',
  `SELECT k.key FROM unnest($1::uuid[], $2::text[]) AS k (id, key)
     JOIN artifacts a ON a.id = k.id AND a.state = 'STORED' AND k.key IN (a.storage_key, a.view_key)`,
  { key: 'text' },
);

@Injectable()
export class ArtifactRepository {
  constructor(private readonly uow: UnitOfWork) {}

  async find(organisationId: string, id: string): Promise<ArtifactRow | null> {
    const rows = await this.select(organisationId, FIND, [organisationId, id]);
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
    const values = [organisationId, owner.type, owner.id, contentIndex, stepId, documentType, side];
    const rows = await (db ? execute(db, SAME, values) : this.select(organisationId, SAME, values));
    return rows[0] ?? null;
  }

  async ofOwner(organisationId: string, owner: ArtifactOwner): Promise<ArtifactRow[]> {
    return this.select(organisationId, OF_OWNER, [organisationId, owner.type, owner.id]);
  }

  async ofCustomer(organisationId: string, customerId: string): Promise<ArtifactRow[]> {
    return this.select(organisationId, OF_CUSTOMER, [organisationId, customerId]);
  }

  /** Artifacts with one of these contents that do not belong to this customer. */
  async sameContent(
    organisationId: string,
    contentIndexes: readonly Buffer[],
    exceptCustomerId: string | null,
  ): Promise<ArtifactRow[]> {
    return this.select(organisationId, SAME_CONTENT, [organisationId, [...contentIndexes], exceptCustomerId]);
  }

  /** Lets one upload at a time count and add to the files of an owner. */
  async lockOwner(tx: Tx, organisationId: string, owner: ArtifactOwner): Promise<Held> {
    await takeTurn(tx, `artifacts of ${organisationId}|${owner.type}|${owner.id}`);
    const rows = await execute(tx, HELD, [organisationId, owner.type, owner.id]);
    return rows[0] ?? { files: 0, bytes: 0 };
  }

  async insert(tx: Tx, artifact: NewArtifact): Promise<ArtifactRow> {
    const rows = await execute(tx, INSERT, [
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
    ]);
    const [row] = rows;
    if (!row) throw new Error('the artifact was not inserted');
    return row;
  }

  /** Links an artifact that is linked to nobody; false when it is, or is not there. */
  async link(tx: Tx, organisationId: string, id: string, customerId: string): Promise<boolean> {
    const rows = await execute(tx, LINK, [organisationId, id, customerId]);
    return rows.length > 0;
  }

  async move(
    tx: Tx,
    organisationId: string,
    owner: ArtifactOwner,
    from: string,
    to: string,
  ): Promise<string[]> {
    const rows = await execute(tx, MOVE, [organisationId, owner.type, owner.id, from, to]);
    return rows.map(({ id }) => id);
  }

  async moveAll(tx: Tx, organisationId: string, from: string, to: string): Promise<string[]> {
    const rows = await execute(tx, MOVE_ALL, [organisationId, from, to]);
    return rows.map(({ id }) => id);
  }

  async markUnlinked(tx: Tx, organisationId: string, id: string, reason: string): Promise<void> {
    await tx.update(ArtifactEntity, { organisationId, id, customerId: IsNull() }, { unlinkedReason: reason });
  }

  /** Ends an artifact whose file is gone; false when it had ended already. */
  async end(tx: Tx, organisationId: string, id: string, state: 'LOST' | 'ERASED'): Promise<boolean> {
    const rows = await execute(tx, END, [organisationId, id, state]);
    return rows.length > 0;
  }

  /** From these storage keys, those that a stored artifact has. */
  async knownKeys(scope: Scope, keys: readonly string[]): Promise<Set<string>> {
    const rows = await this.uow.read(scope, (db) => execute(db, KNOWN_KEYS, [keys.map(idInKey), [...keys]]));
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
    return this.select(scope, STORED_BETWEEN, [after, from, to, limit]);
  }

  /** Stored artifacts that one of these keys opens. */
  async underKeys(scope: Scope, keyIds: readonly string[]): Promise<ArtifactRow[]> {
    return this.select(scope, UNDER_KEYS, [[...keyIds]]);
  }

  private select(scope: Scope, statement: Statement<ArtifactRow>, values: unknown[]): Promise<ArtifactRow[]> {
    return this.uow.read(scope, (db) => execute(db, statement, values));
  }
}

/** The artifact in a storage key; a key without one is nobody's. */
function idInKey(key: string): string {
  return /\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[a-z]+$/.exec(key)?.[1] ?? NIL;
}

const NIL = '00000000-0000-0000-0000-000000000000';
