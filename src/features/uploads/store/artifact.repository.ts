import { Injectable } from '@nestjs/common';
import { IsNull, type FindOptionsWhere } from 'typeorm';
import {
  statement,
  waitForLock,
  UnitOfWork,
  type Reader,
  type DatabaseScope,
  type Tx,
} from '../../../platform/database/index.js';
import type { ArtifactOwner, UploadTarget } from '../domain/artifact.js';
import { QuotaUse } from '../../../platform/quotas/index.js';
import { ArtifactEntity } from './entities.js';

export type NewArtifact = Omit<
  ArtifactEntity,
  'state' | 'createdAt' | 'linkedAt' | 'endedAt' | 'retainUntil'
>;

// Ten years from the end of the relationship (BCB Circular 3.978, art. 67); until it ends, from the upload.
const RETENTION = `interval '10 years'`;

const KNOWN_KEYS = statement(
  'uploads.known-keys',
  `SELECT k.key FROM unnest($1::uuid[], $2::text[]) AS k (id, key)
     JOIN artifacts a ON a.id = k.id AND a.state = 'STORED' AND k.key IN (a.storage_key, a.view_key)`,
  { key: 'text' },
);

const STORED_BYTES = statement(
  'uploads.stored-bytes',
  `SELECT coalesce(sum(size_bytes), 0)::float8 AS bytes FROM artifacts WHERE organisation_id = $1 AND state = 'STORED'`,
  { bytes: 'float8' },
);

@Injectable()
export class ArtifactRepository {
  constructor(private readonly uow: UnitOfWork) {}

  @QuotaUse('storedBytes')
  async storedBytes(organisationId: string): Promise<number> {
    const [row] = await this.uow.rows(organisationId, STORED_BYTES, [organisationId]);
    return row?.bytes ?? 0;
  }

  async find(organisationId: string, id: string): Promise<ArtifactEntity | null> {
    return this.uow.read(organisationId, (db) => db.findOneBy(ArtifactEntity, { organisationId, id }));
  }

  /**
   * Finds an upload of the same content by the same owner for the same step. If no step is named, the step
   * may differ: the first upload may have completed its step, so that a retry would be assigned to the next step.
   */
  async findSame(
    db: Reader | null,
    organisationId: string,
    owner: ArtifactOwner,
    contentIndex: Buffer,
    { stepId, documentType, side }: UploadTarget,
  ): Promise<ArtifactEntity | null> {
    const place: FindOptionsWhere<ArtifactEntity> =
      stepId === null
        ? { ...(documentType === null ? {} : { documentType }), ...(side === null ? {} : { side }) }
        : { stepId, documentType: documentType ?? IsNull(), side: side ?? IsNull() };
    const where = { ...whereOwner(organisationId, owner), contentIndex, state: 'STORED' as const, ...place };
    const find = (on: Reader): Promise<ArtifactEntity | null> =>
      on.findOne(ArtifactEntity, { where, order: { id: 'ASC' } });
    return db ? find(db) : this.uow.read(organisationId, find);
  }

  async list(
    scope: DatabaseScope,
    where: FindOptionsWhere<ArtifactEntity>,
    take?: number,
  ): Promise<ArtifactEntity[]> {
    return this.uow.read(scope, (db) =>
      db.find(ArtifactEntity, { where, order: { id: 'ASC' }, ...(take === undefined ? {} : { take }) }),
    );
  }

  /** Locks the owner's uploads until the commit; returns the number of the owner's files and their total bytes. */
  async lockOwner(
    tx: Tx,
    organisationId: string,
    owner: ArtifactOwner,
  ): Promise<{ files: number; bytes: number }> {
    await waitForLock(tx, `artifacts of ${organisationId}|${owner.type}|${owner.id}`);
    const artifacts = await tx.find(ArtifactEntity, {
      select: { sizeBytes: true },
      where: whereOwner(organisationId, owner),
    });
    return { files: artifacts.length, bytes: artifacts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
  }

  async insert(tx: Tx, artifact: NewArtifact): Promise<ArtifactEntity> {
    const { generatedMaps } = await tx
      .createQueryBuilder()
      .insert()
      .into(ArtifactEntity)
      .values({
        ...artifact,
        linkedAt: artifact.customerId === null ? null : () => 'clock_timestamp()',
        retainUntil: () => `now() + ${RETENTION}`,
      })
      .returning('*')
      .execute();
    return generatedMaps[0] as ArtifactEntity;
  }

  /** Moves artifacts to the dossier of another customer; returns their ids. */
  async move(tx: Tx, which: FindOptionsWhere<ArtifactEntity>, customerId: string): Promise<string[]> {
    const moved = await tx
      .createQueryBuilder()
      .update(ArtifactEntity)
      .set({ customerId, linkedAt: () => 'clock_timestamp()' })
      .where(which)
      .returning('id')
      .execute();
    return (moved.raw as ArtifactEntity[]).map(({ id }) => id);
  }

  /** Returns the keys out of `keys` that belong to a stored artifact. */
  async findKnownKeys(scope: DatabaseScope, keys: readonly string[]): Promise<Set<string>> {
    const rows = await this.uow.rows(scope, KNOWN_KEYS, [keys.map(idInKey), [...keys]]);
    return new Set(rows.map(({ key }) => key));
  }
}

export const whereOwner = (
  organisationId: string,
  { type, id }: ArtifactOwner,
): { organisationId: string; ownerType: ArtifactOwner['type']; ownerId: string } => ({
  organisationId,
  ownerType: type,
  ownerId: id,
});

/** The artifact id in a storage key; the nil UUID, which no artifact has, for any other key. */
function idInKey(key: string): string {
  return /\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[a-z]+$/.exec(key)?.[1] ?? NIL_UUID;
}

const NIL_UUID = '00000000-0000-0000-0000-000000000000';
