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
  hashOfHouseFields,
  inspectHouseFields,
  numberHouseFields,
  fieldsToBackfill,
  type HouseFieldRequest,
} from '../domain/house/house-schema.js';
import { currentHouse } from './current-house.js';
import { RulesetRegistryService } from '../rulesets/ruleset-registry.service.js';
import { HouseBackfillEntity, HouseSchemaEntity } from '../store/entities.js';

export type HouseSchema = HouseSchemaEntity;
export type HouseBackfill = HouseBackfillEntity;

/** Processes load a change within 1 s. Submissions that they accepted before are stored within two more statements. */
const GRACE_MS = 2_000;

/**
 * Changes house fields. Any change needs two people: it can make the service refuse transactions that it accepted,
 * accept values that it refused, or leave rules without their facts.
 */
@Injectable()
export class HouseFieldsService {
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
  async findCurrent(organisationId: string): Promise<HouseSchema | null> {
    return this.uow.read(organisationId, (db) => currentHouse(db, organisationId));
  }

  /** Returns versions, the newest first, older than `before`. */
  async listVersions(organisationId: string, before: string | null, take: number): Promise<HouseSchema[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(HouseSchemaEntity, newestFirst({ organisationId }, before, take)),
    );
  }

  /** Returns back-fills, the newest first, older than `before`. */
  async listBackfills(organisationId: string, before: string | null, take: number): Promise<HouseBackfill[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(HouseBackfillEntity, newestFirst({ organisationId }, before, take)),
    );
  }

  /** Requests that these fields replace the current fields. */
  async request(ctx: ActorContext, wanted: readonly HouseFieldRequest[], reason: string): Promise<Approval> {
    const details = inspectHouseFields(wanted);
    if (details.length > 0) throw new DomainError('VALIDATION_FAILED', { details });
    const { organisationId } = ctx;
    return this.uow.run(organisationId, async (tx) => {
      const all = await tx.find(HouseSchemaEntity, { where: { organisationId }, order: { version: 'DESC' } });
      const [before] = all;
      const fields = numberHouseFields(
        wanted,
        all.flatMap((version) => version.fields),
      );
      const contentHash = hashOfHouseFields(fields).toString('hex');
      if (before?.contentHash.toString('hex') === contentHash) {
        throw conflict('', 'UNCHANGED', 'These are the fields in force.');
      }
      return this.approvals.request(tx, ctx, {
        act: 'house.change',
        subjectId: newUuid(),
        before: valuesOf(before ?? null),
        after: { version: (before?.version ?? 0) + 1, fields, contentHash },
        reason,
      });
    });
  }

  /** Returns the current version: an approval fails when another version was stored meanwhile. */
  @CurrentValues('house.change')
  async currentValues(tx: Tx, { organisationId }: Approval): Promise<ChangedValues> {
    return valuesOf(await currentHouse(tx, organisationId));
  }

  @ApplyAct('house.change')
  async apply(tx: Tx, ctx: ActorContext, approval: Approval): Promise<void> {
    const { subjectId, change, requestedBy, singleControl, organisationId } = approval;
    const { version, fields } = change.after as Pick<HouseSchemaEntity, 'version' | 'fields'>;
    const before = await currentHouse(tx, organisationId);
    if ((before?.version ?? 0) + 1 !== version) {
      throw conflict('', 'CHANGED', 'Another version came first; ask again.');
    }
    const createdAt = new Date(this.clock.now());
    const contentHash = hashOfHouseFields(fields);
    const createdBy = `operator:${requestedBy}`;
    await tx.insert(HouseSchemaEntity, {
      ...{ id: subjectId, organisationId, version, fields, contentHash, createdBy, createdAt, singleControl },
    });
    await this.audit.record(
      tx,
      auditDraftOf(ctx, 'house_schema', subjectId, 'house_schema.changed', createdAt, {
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
  async retry(ctx: ActorContext, id: string): Promise<HouseBackfill> {
    const { organisationId } = ctx;
    return this.uow.run(organisationId, async (tx) => {
      const row = await tx.findOneBy(HouseBackfillEntity, { organisationId, id });
      if (!row) throw new DomainError('BACKFILL_NOT_FOUND');
      const again = { status: 'QUEUED', attempts: 0, failureCode: null, finishedAt: null } as const;
      const { affected } = await tx.update(
        HouseBackfillEntity,
        { id, organisationId, status: 'FAILED' },
        { leaseUntil: () => 'now()', ...again },
      );
      if (affected !== 1) throw conflict('', 'NOT_FAILED', 'Only a back-fill that failed is taken up again.');
      this.outbox.append(tx, 'kyt.house-backfill', [id]);
      const house = required(await currentHouse(tx, organisationId), 'the fields of a back-fill');
      const at = new Date(this.clock.now());
      await this.audit.record(
        tx,
        auditDraftOf(ctx, 'house_schema', house.id, 'house_schema.fill_retried', at, { backfill: id }),
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
    await tx.insert(HouseBackfillEntity, { id, organisationId, schemaVersion, fields, beginsAt });
    this.outbox.append(tx, 'kyt.house-backfill', [id]);
  }
}

const valuesOf = (row: HouseSchemaEntity | null): ChangedValues =>
  row === null ? { version: null } : { version: row.version, fields: row.fields };
