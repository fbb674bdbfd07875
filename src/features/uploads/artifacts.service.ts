import { Injectable } from '@nestjs/common';
import { In, IsNull, Not, type FindOptionsWhere } from 'typeorm';
import {
  type ActorContext,
  type AuditAction,
  type AuditContent,
  AuditTrail,
  auditDraftOf,
} from '../audit/index.js';
import { CustomersService } from '../customers/index.js';
import { UnitOfWork, type Tx } from '../../platform/database/index.js';
import { Clock, DomainError, orThrow } from '../../platform/kernel/index.js';
import { BlindIndex, SubjectKeys, type SubjectRef } from '../../platform/privacy/index.js';
import { ArtifactCodec } from './storage/artifact-codec.js';
import { ArtifactFiles } from './storage/artifact-files.js';
import { ObjectMissingError } from './storage/artifact-store.js';
import type { ArtifactOwner, KnownArtifact, Rendition } from './domain/artifact.js';
import { ArtifactRepository, whereOwner } from './store/artifact.repository.js';
import { ArtifactEntity } from './store/entities.js';

/** A file with the same content in the dossier of another customer. */
export interface SharedContent {
  readonly artifactId: string;
  readonly customerId: string;
}

interface CustomerChange {
  readonly from: string;
  readonly to: string;
}

/** Finds, reads and links stored artifacts. */
@Injectable()
export class ArtifactsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly customers: CustomersService,
    private readonly index: BlindIndex,
    private readonly keys: SubjectKeys,
    private readonly clock: Clock,
    private readonly artifacts: ArtifactRepository,
    private readonly codec: ArtifactCodec,
    private readonly files: ArtifactFiles,
  ) {}

  /** Throws ARTIFACT_NOT_FOUND. */
  async get(organisationId: string, id: string): Promise<KnownArtifact> {
    return this.decryptRow(await this.findRow(organisationId, id));
  }

  /** The artifacts that were uploaded to an owner, the oldest first. */
  async listByOwner(organisationId: string, owner: ArtifactOwner): Promise<KnownArtifact[]> {
    return this.codec.decryptFacts(
      await this.artifacts.list(organisationId, whereOwner(organisationId, owner)),
    );
  }

  /** The artifacts in the dossier of a customer, the oldest first. */
  async listByCustomer(organisationId: string, customerId: string): Promise<KnownArtifact[]> {
    return this.codec.decryptFacts(await this.artifacts.list(organisationId, { organisationId, customerId }));
  }

  /**
   * Reads an artifact without an audit entry, for checks and packages of the service itself. Throws ARTIFACT_GONE; the
   * stream throws SealBrokenError when the stored bytes were changed.
   */
  async openContent(artifact: KnownArtifact, rendition: Rendition): Promise<AsyncIterable<Buffer>> {
    return this.open(await this.findRow(artifact.organisationId, artifact.id), rendition);
  }

  /**
   * Links an artifact to the dossier of a customer; linking it again changes nothing. Throws CUSTOMER_NOT_FOUND,
   * ARTIFACT_NOT_FOUND, and STATE_CONFLICT when it is linked to another customer.
   */
  async link(tx: Tx, ctx: ActorContext, id: string, named: string): Promise<void> {
    const { organisationId } = ctx;
    const row = await this.findRow(organisationId, id);
    const customerId = await this.customers.findSurvivingId(organisationId, named);
    if (customerId === null) throw new DomainError('CUSTOMER_NOT_FOUND');
    if (row.customerId === customerId) return;
    const { affected } = await tx.update(
      ArtifactEntity,
      { organisationId, id, customerId: IsNull() },
      { customerId, linkedAt: () => 'clock_timestamp()', unlinkedReason: null },
    );
    if (affected !== 1) throw new DomainError('STATE_CONFLICT');
    await this.record(tx, ctx, id, 'artifact.linked', { customerId });
  }

  /**
   * Moves the files of one owner to the dossier of another customer, when the record that they were linked to turned
   * out to be of an existing customer.
   */
  async moveOwnedFiles(
    tx: Tx,
    ctx: ActorContext,
    owner: ArtifactOwner,
    change: CustomerChange,
  ): Promise<void> {
    await this.moveFiles(tx, ctx, whereOwner(ctx.organisationId, owner), change);
  }

  /** Moves all files of a merged customer to the dossier of the surviving customer. */
  async moveToSurvivingCustomer(tx: Tx, ctx: ActorContext, change: CustomerChange): Promise<void> {
    await this.moveFiles(tx, ctx, { organisationId: ctx.organisationId }, change);
  }

  /** Finds up to 100 files with the same content in the dossiers of other customers of the organisation. */
  async findSameContent(
    organisationId: string,
    artifacts: readonly KnownArtifact[],
    customerId: string | null,
  ): Promise<SharedContent[]> {
    const indexes = artifacts.flatMap(({ facts }) =>
      facts ? [this.index.computeIndex(organisationId, 'artifact', facts.sha256)] : [],
    );
    if (indexes.length === 0) return [];
    const otherCustomers = Not(customerId ?? IsNull());
    const where = { organisationId, contentIndex: In(indexes), customerId: otherCustomers };
    const rows = await this.artifacts.list(organisationId, where, 100);
    return rows.flatMap((row) =>
      row.customerId === null ? [] : [{ artifactId: row.id, customerId: row.customerId }],
    );
  }

  /** Returns the subjects whose data keys encrypt the customer's files. Erasing the customer destroys these keys. */
  async subjectsOf(organisationId: string, customerId: string): Promise<SubjectRef[]> {
    const rows = await this.artifacts.list(organisationId, { organisationId, customerId });
    const distinct = new Map(rows.map((row) => [row.subjectIndex.toString('hex'), row.subjectIndex]));
    return [...distinct.values()].map((index) => ({ organisationId, index }));
  }

  private async moveFiles(
    tx: Tx,
    ctx: ActorContext,
    where: FindOptionsWhere<ArtifactEntity>,
    { from, to }: CustomerChange,
  ): Promise<void> {
    for (const id of await this.artifacts.move(tx, { ...where, customerId: from }, to)) {
      await this.record(tx, ctx, id, 'artifact.linked', { customerId: to, before: from });
    }
  }

  private async open(row: ArtifactEntity, rendition: Rendition): Promise<AsyncIterable<Buffer>> {
    // The data key is missing: the person was erased, and the sweep has not deleted the file yet.
    const erased = (await this.keys.findByKeyId([row.keyId])).size === 0;
    if (row.state !== 'STORED' || erased) throw new DomainError('ARTIFACT_GONE');
    const served = storedRenditionOf(row, rendition);
    const key = served === 'view' && row.viewKey !== null ? row.viewKey : row.storageKey;
    try {
      return await this.files.open(row, served, key);
    } catch (error) {
      if (error instanceof ObjectMissingError) throw new DomainError('ARTIFACT_GONE', { cause: error });
      throw error;
    }
  }

  private async record(
    tx: Tx,
    ctx: ActorContext,
    id: string,
    action: AuditAction,
    content: AuditContent,
  ): Promise<void> {
    await this.audit.record(
      tx,
      auditDraftOf(ctx, 'artifact', id, action, new Date(this.clock.now()), content),
    );
  }

  private async findRow(organisationId: string, id: string): Promise<ArtifactEntity> {
    return orThrow(await this.artifacts.find(organisationId, id), 'ARTIFACT_NOT_FOUND');
  }

  private async decryptRow(row: ArtifactEntity): Promise<KnownArtifact> {
    const [artifact] = await this.codec.decryptFacts([row]);
    if (!artifact) throw new DomainError('ARTIFACT_NOT_FOUND');
    return artifact;
  }
}

/** Returns the rendition that is stored: a PDF has no view, because its pages are rendered on request. */
const storedRenditionOf = (row: ArtifactEntity, rendition: Rendition): Rendition =>
  row.viewKey === null ? 'original' : rendition;
