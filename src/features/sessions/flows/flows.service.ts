import { Injectable } from '@nestjs/common';
import { LessThan, MoreThan } from 'typeorm';
import {
  ApplyAct,
  type Approval,
  ApprovalsService,
  CurrentValues,
  type ChangedValues,
} from '../../approvals/index.js';
import { AuditTrail, formatActor, auditDraftOf, type ActorContext } from '../../audit/index.js';
import { UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { Clock, conflict, DomainError, newUuid, sha256 } from '../../../platform/kernel/index.js';
import { canonicalJson } from '../../../platform/kernel/values/canonical-json.js';
import { sessionSystemActor } from '../actor-context.js';
import { defaultFlows } from '../domain/flow/default-flows.js';
import { compareFlows } from '../domain/flow-life/difference.js';
import type { FlowDefinition } from '../domain/flow/flow.js';
import { validateFlow } from '../domain/flow/flow-validation.js';
import type { FlowVersion } from '../domain/records.js';
import { FlowEntity } from '../store/entities.js';

/** True for a text with U+0000, which no key contains and PostgreSQL rejects. */
const isNoKey = (key: string): boolean => key.includes('\0');

/** Stores the flows of an organisation. A version never changes; new sessions use the newest version. */
@Injectable()
export class FlowsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly approvals: ApprovalsService,
  ) {}

  /** Returns the newest version of the flow. Inserts the first version of a default flow if it is missing. */
  async readOrCreateCurrent(organisationId: string, key: string): Promise<FlowVersion> {
    const [found] = await this.listBelow(organisationId, key, null, 1);
    if (found) return found;
    const definition = defaultFlows[key];
    if (!definition) throw new DomainError('FLOW_NOT_FOUND');
    const ctx = sessionSystemActor(organisationId, 'default-flows', {
      requestId: null,
      correlationId: newUuid(),
      traceparent: null,
    });
    const first = { id: newUuid(), key, version: 1, definition, ...withoutApproval(ctx) };
    await this.uow.run(organisationId, (tx) => this.insert(tx, ctx, first));
    return this.readOrCreateCurrent(organisationId, key);
  }

  /** Inserts the default flows that the organisation does not have. */
  async ensureDefaults(organisationId: string): Promise<void> {
    for (const key of Object.keys(defaultFlows)) await this.readOrCreateCurrent(organisationId, key);
  }

  /** Requests the approval of the first version of a flow. */
  async requestNew(
    ctx: ActorContext,
    key: string,
    definition: FlowDefinition,
    reason: string,
  ): Promise<Approval> {
    const [taken] = await this.listBelow(ctx.organisationId, key, null, 1);
    if (taken || Object.hasOwn(defaultFlows, key)) {
      throw conflict('key', 'TAKEN', 'There is a flow of this key; ask for a new version of it.');
    }
    return this.request(ctx, key, null, definition, reason);
  }

  /** Requests the approval of the next version of a flow. */
  async requestNext(
    ctx: ActorContext,
    key: string,
    definition: FlowDefinition,
    reason: string,
  ): Promise<Approval> {
    const newest = await this.readOrCreateCurrent(ctx.organisationId, key);
    if (newest.contentHash.equals(hashOf(definition))) {
      throw conflict('', 'UNCHANGED', 'The newest version has this content already.');
    }
    return this.request(ctx, key, newest, definition, reason);
  }

  /** Requests an earlier version's content as the next version; validated again, as the rules may have changed. */
  async requestFormer(ctx: ActorContext, key: string, version: number, reason: string): Promise<Approval> {
    const { definition } = await this.readVersion(ctx.organisationId, key, version);
    const problems = validateFlow(definition);
    if (problems.length > 0) throw new DomainError('VALIDATION_FAILED', { details: problems });
    return this.requestNext(ctx, key, definition, reason);
  }

  /** Returns the newest version, or null if the organisation has no flow with this key. */
  async find(organisationId: string, key: string): Promise<FlowVersion | null> {
    const [found] = await this.listBelow(organisationId, key, null, 1);
    return found ?? (Object.hasOwn(defaultFlows, key) ? this.readOrCreateCurrent(organisationId, key) : null);
  }

  /** Includes the newest version: if another version is published first, the request no longer applies. */
  @CurrentValues('flow.publish')
  async currentValues(_tx: Tx, { organisationId, change }: Approval): Promise<ChangedValues> {
    const [newest] = await this.listBelow(organisationId, change.after['key'] as string, null, 1);
    return valuesOf(newest ?? null);
  }

  @ApplyAct('flow.publish')
  async publish(tx: Tx, ctx: ActorContext, approval: Approval): Promise<void> {
    const { subjectId, change, requestedBy, singleControl } = approval;
    const { key, version, definition } = change.after as Pick<FlowVersion, 'key' | 'version' | 'definition'>;
    const createdBy = `operator:${requestedBy}`;
    const flow = { id: subjectId, key, version, definition, createdBy, singleControl };
    const flowRow = await this.insert(tx, ctx, flow);
    if (!flowRow) throw conflict('change', 'CHANGED', 'Another version came first; ask again.');
  }

  /** Adds the next version without approval, for the command line. Unchanged content adds none. */
  async install(ctx: ActorContext, key: string, definition: FlowDefinition): Promise<FlowVersion> {
    for (;;) {
      const [newest] = await this.listBelow(ctx.organisationId, key, null, 1);
      if (newest?.contentHash.equals(hashOf(definition))) return newest;
      const version = (newest?.version ?? 0) + 1;
      const next = { id: newUuid(), key, version, definition, ...withoutApproval(ctx) };
      const flowRow = await this.uow.run(ctx.organisationId, (tx) => this.insert(tx, ctx, next));
      // Null: another process inserted this version first; try the next number.
      if (flowRow) return flowRow;
    }
  }

  async readVersion(organisationId: string, key: string, version: number): Promise<FlowVersion> {
    const flow = isNoKey(key)
      ? null
      : await this.uow.read(organisationId, (db) =>
          db.findOneBy(FlowEntity, { organisationId, key, version }),
        );
    if (!flow) throw new DomainError('FLOW_NOT_FOUND');
    return flow;
  }

  /** Returns the newest version of each flow, ordered by key. */
  async list(organisationId: string, after: string | null, limit: number): Promise<FlowVersion[]> {
    await this.ensureDefaults(organisationId);
    return this.uow.read(organisationId, (db) =>
      db
        .createQueryBuilder(FlowEntity, 'f')
        .distinctOn(['f.key'])
        .where({ organisationId, ...(after !== null && { key: MoreThan(after) }) })
        .orderBy('f.key')
        .addOrderBy('f.version', 'DESC')
        .limit(limit)
        .getMany(),
    );
  }

  /** Returns the versions of a key, newest first, below `before`. */
  async listVersions(
    organisationId: string,
    key: string,
    before: number | null,
    limit: number,
  ): Promise<FlowVersion[]> {
    await this.readOrCreateCurrent(organisationId, key);
    return this.listBelow(organisationId, key, before, limit);
  }

  private async listBelow(
    organisationId: string,
    key: string,
    before: number | null,
    take: number,
  ): Promise<FlowVersion[]> {
    if (isNoKey(key)) return [];
    const where = { organisationId, key, ...(before !== null && { version: LessThan(before) }) };
    return this.uow.read(organisationId, (db) =>
      db.find(FlowEntity, { where, order: { version: 'DESC' }, take }),
    );
  }

  private async request(
    ctx: ActorContext,
    key: string,
    newest: FlowVersion | null,
    definition: FlowDefinition,
    reason: string,
  ): Promise<Approval> {
    const contentHash = hashOf(definition).toString('hex');
    return this.uow.run(ctx.organisationId, (tx) =>
      this.approvals.request(tx, ctx, {
        act: 'flow.publish',
        subjectId: newUuid(),
        before: valuesOf(newest),
        after: {
          ...{ key, version: (newest?.version ?? 0) + 1, definition, contentHash },
          ...compareFlows(newest?.definition ?? null, definition),
        },
        reason,
      }),
    );
  }

  /** Returns null if the version exists already. */
  private async insert(
    tx: Tx,
    ctx: ActorContext,
    made: Omit<FlowVersion, 'organisationId' | 'contentHash' | 'createdAt'>,
  ): Promise<FlowVersion | null> {
    const createdAt = new Date(this.clock.now());
    const { organisationId } = ctx;
    const { id, key, version, definition, singleControl } = made;
    const contentHash = hashOf(definition);
    const flow = { ...made, organisationId, contentHash, createdAt };
    const insertion = await tx
      .createQueryBuilder()
      .insert()
      .into(FlowEntity)
      .values(flow)
      .orIgnore()
      .returning('id')
      .execute();
    if ((insertion.raw as unknown[]).length === 0) return null;
    await this.audit.record(
      tx,
      auditDraftOf(ctx, 'flow', id, 'flow.published', createdAt, {
        key,
        version,
        contentHash: contentHash.toString('hex'),
        ...(singleControl && { singleControl }),
      }),
    );
    return flow;
  }
}

const withoutApproval = (ctx: ActorContext): Pick<FlowVersion, 'createdBy' | 'singleControl'> => ({
  createdBy: formatActor(ctx),
  singleControl: false,
});

const valuesOf = (newest: FlowVersion | null): ChangedValues =>
  newest === null ? { version: null } : { version: newest.version, definition: newest.definition };

const hashOf = (definition: FlowDefinition): Buffer => sha256(canonicalJson(definition));
