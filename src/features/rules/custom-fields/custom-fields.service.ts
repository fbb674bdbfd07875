import { Injectable } from '@nestjs/common';
import {
  ApplyAct,
  type Approval,
  ApprovalsService,
  CurrentValues,
  type ChangedValues,
} from '../../approvals/index.js';
import { type ActorContext, AuditTrail, auditDraftOf } from '../../audit/index.js';
import { Settings } from '../../../platform/config/index.js';
import { afterCommit, newestFirst, UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { Clock, conflict, DomainError, newUuid, required } from '../../../platform/kernel/index.js';
import { Outbox } from '../../../platform/queue/index.js';
import {
  hashOfCustomFields,
  inspectCustomFields,
  numberCustomFields,
  fieldsToBackfill,
  type CustomFieldRequest,
} from '../domain/custom-fields/custom-field-schema.js';
import { currentCustomFieldSchema } from './current-custom-fields.js';
import { RulesetRegistryService } from '../rulesets/ruleset-registry.service.js';
import { CustomFieldBackfillEntity, CustomFieldSchemaEntity } from '../store/entities.js';

export type CustomFieldSchema = CustomFieldSchemaEntity;
export type CustomFieldBackfill = CustomFieldBackfillEntity;

/** Processes load a change within 1 s. Submissions that they accepted before are stored within two more statements. */
const GRACE_MS = 2_000;

/**
 * Changes custom fields. Any change needs two people: it can make the service refuse transactions that it accepted,
 * accept values that it refused, or leave rules without their facts.
 */
@Injectable()
export class CustomFieldsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly approvals: ApprovalsService,
    private readonly outbox: Outbox,
    private readonly registry: RulesetRegistryService,
    private readonly settings: Settings,
  ) {}

  /** Returns the current version; null before the first version. */
  async findCurrent(organisationId: string): Promise<CustomFieldSchema | null> {
    return this.uow.read(organisationId, (db) => currentCustomFieldSchema(db, organisationId));
  }

  /** Returns versions, the newest first, older than `before`. */
  async listVersions(
    organisationId: string,
    before: string | null,
    take: number,
  ): Promise<CustomFieldSchema[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(CustomFieldSchemaEntity, newestFirst({ organisationId }, before, take)),
    );
  }

  /** Returns back-fills, the newest first, older than `before`. */
  async listBackfills(
    organisationId: string,
    before: string | null,
    take: number,
  ): Promise<CustomFieldBackfill[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(CustomFieldBackfillEntity, newestFirst({ organisationId }, before, take)),
    );
  }

  /** Requests that these fields replace the current fields. */
  async request(ctx: ActorContext, wanted: readonly CustomFieldRequest[], reason: string): Promise<Approval> {
    const details = inspectCustomFields(wanted);
    if (details.length > 0) throw new DomainError('VALIDATION_FAILED', { details });
    const { organisationId } = ctx;
    return this.uow.run(organisationId, async (tx) => {
      const schemas = await tx.find(CustomFieldSchemaEntity, {
        where: { organisationId },
        order: { version: 'DESC' },
      });
      const [before] = schemas;
      const fields = numberCustomFields(
        wanted,
        schemas.flatMap((version) => version.fields),
      );
      const contentHash = hashOfCustomFields(fields).toString('hex');
      if (before?.contentHash.toString('hex') === contentHash) {
        throw conflict('', 'UNCHANGED', 'These are the fields in force.');
      }
      return this.approvals.request(tx, ctx, {
        act: 'custom_fields.change',
        subjectId: newUuid(),
        before: valuesOf(before ?? null),
        after: { version: (before?.version ?? 0) + 1, fields, contentHash },
        reason,
      });
    });
  }

  /** Returns the current version: an approval fails when another version was stored meanwhile. */
  @CurrentValues('custom_fields.change')
  async currentValues(tx: Tx, { organisationId }: Approval): Promise<ChangedValues> {
    return valuesOf(await currentCustomFieldSchema(tx, organisationId));
  }

  @ApplyAct('custom_fields.change')
  async apply(tx: Tx, ctx: ActorContext, approval: Approval): Promise<void> {
    const { subjectId, change, requestedBy, singleControl, organisationId } = approval;
    const { version, fields } = change.after as Pick<CustomFieldSchemaEntity, 'version' | 'fields'>;
    const before = await currentCustomFieldSchema(tx, organisationId);
    if ((before?.version ?? 0) + 1 !== version) {
      throw conflict('', 'CHANGED', 'Another version came first; ask again.');
    }
    const createdAt = new Date(this.clock.now());
    const contentHash = hashOfCustomFields(fields);
    const createdBy = `operator:${requestedBy}`;
    await tx.insert(CustomFieldSchemaEntity, {
      ...{ id: subjectId, organisationId, version, fields, contentHash, createdBy, createdAt, singleControl },
    });
    await this.audit.record(
      tx,
      auditDraftOf(ctx, 'custom_field_schema', subjectId, 'custom_field_schema.changed', createdAt, {
        version,
        contentHash: contentHash.toString('hex'),
        ...(singleControl && { singleControl }),
      }),
    );
    await this.queueBackfill(tx, organisationId, version, fieldsToBackfill(before?.fields ?? [], fields));
    afterCommit(tx, () => {
      this.registry.forget(organisationId);
    });
  }

  /** Queues a failed back-fill again. */
  async retry(ctx: ActorContext, id: string): Promise<CustomFieldBackfill> {
    const { organisationId } = ctx;
    return this.uow.run(organisationId, async (tx) => {
      const row = await tx.findOneBy(CustomFieldBackfillEntity, { organisationId, id });
      if (!row) throw new DomainError('BACKFILL_NOT_FOUND');
      const again = { status: 'QUEUED', attempts: 0, failureCode: null, finishedAt: null } as const;
      const { affected } = await tx.update(
        CustomFieldBackfillEntity,
        { id, organisationId, status: 'FAILED' },
        { leaseUntil: () => 'now()', ...again },
      );
      if (affected !== 1) throw conflict('', 'NOT_FAILED', 'Only a back-fill that failed is taken up again.');
      this.outbox.append(tx, 'kyt.custom-field-backfill', [id]);
      const schema = required(
        await currentCustomFieldSchema(tx, organisationId),
        'the fields of a back-fill',
      );
      const now = new Date(this.clock.now());
      await this.audit.record(
        tx,
        auditDraftOf(ctx, 'custom_field_schema', schema.id, 'custom_field_schema.fill_retried', now, {
          backfill: id,
        }),
      );
      return Object.assign(row, again);
    });
  }

  private async queueBackfill(
    tx: Tx,
    organisationId: string,
    schemaVersion: number,
    fields: number[],
  ): Promise<void> {
    if (fields.length === 0) return;
    const id = newUuid();
    const settled = 2 * this.settings.databaseStatementTimeoutMs + GRACE_MS;
    const beginsAt = new Date(this.clock.now() + settled);
    await tx.insert(CustomFieldBackfillEntity, { id, organisationId, schemaVersion, fields, beginsAt });
    this.outbox.append(tx, 'kyt.custom-field-backfill', [id]);
  }
}

const valuesOf = (row: CustomFieldSchemaEntity | null): ChangedValues =>
  row === null ? { version: null } : { version: row.version, fields: row.fields };
