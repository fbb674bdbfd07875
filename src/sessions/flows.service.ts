import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LessThan, MoreThan } from 'typeorm';
import { AuditTrail, nameOfActor, stepOf } from '../audit/index.js';
import { UnitOfWork } from '../database/index.js';
import { Clock, DomainError, newUuid } from '../kernel/index.js';
import { canonicalJson } from '../kernel/values/canonical-json.js';
import { type ActorContext, systemActor } from './actor-context.js';
import { defaultFlows } from './domain/flow/default-flows.js';
import type { FlowDefinition } from './domain/flow/flow.js';
import type { FlowVersion } from './domain/records.js';
import { FlowEntity } from './store/entities/flow.entity.js';

/** Flows of an organisation. A version is never changed; the newest one is what new sessions go through. */
@Injectable()
export class FlowsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** The newest version. A default flow that the organisation has never had is made at its first use. */
  async current(organisationId: string, key: string): Promise<FlowVersion> {
    const [found] = await this.below(organisationId, key, null, 1);
    if (found) return found;
    const definition = Object.hasOwn(defaultFlows, key) ? defaultFlows[key] : undefined;
    if (!definition) throw new DomainError('FLOW_NOT_FOUND');
    const ctx = systemActor(organisationId, 'default-flows', {
      requestId: null,
      correlationId: newUuid(),
      traceparent: null,
    });
    return (await this.insert(ctx, key, 1, definition)) ?? (await this.current(organisationId, key));
  }

  /** Makes the default flows where they are missing. */
  async ensureDefaults(organisationId: string): Promise<void> {
    for (const key of Object.keys(defaultFlows)) await this.current(organisationId, key);
  }

  /** Makes a flow; one of this key with other content is a conflict. */
  async create(ctx: ActorContext, key: string, definition: FlowDefinition): Promise<FlowVersion> {
    const isDefault = Object.hasOwn(defaultFlows, key);
    const made = isDefault ? null : await this.insert(ctx, key, 1, definition);
    if (made) return made;
    const newest = await this.current(ctx.organisationId, key);
    if (newest.contentHash.equals(hashOf(definition))) return newest;
    throw new DomainError('STATE_CONFLICT', {
      details: [
        { path: 'key', code: 'TAKEN', message: 'There is a flow of this key; publish a new version of it.' },
      ],
    });
  }

  /** Adds the next version of a flow; the same content again is the version that has it. */
  async publish(ctx: ActorContext, key: string, definition: FlowDefinition): Promise<FlowVersion> {
    for (;;) {
      const newest = await this.current(ctx.organisationId, key);
      if (newest.contentHash.equals(hashOf(definition))) return newest;
      const made = await this.insert(ctx, key, newest.version + 1, definition);
      // Null: somebody else has published meanwhile; then theirs comes first.
      if (made) return made;
    }
  }

  async version(organisationId: string, key: string, version: number): Promise<FlowVersion> {
    const found = await this.uow.read(organisationId, (db) =>
      db.findOneBy(FlowEntity, { organisationId, key, version }),
    );
    if (!found) throw new DomainError('FLOW_NOT_FOUND');
    return found;
  }

  /** The newest version of each flow, by key. */
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

  /** Versions under a key, newest first, below `before`. */
  async versions(
    organisationId: string,
    key: string,
    before: number | null,
    limit: number,
  ): Promise<FlowVersion[]> {
    await this.current(organisationId, key);
    return this.below(organisationId, key, before, limit);
  }

  private async below(
    organisationId: string,
    key: string,
    before: number | null,
    take: number,
  ): Promise<FlowVersion[]> {
    // The database cannot be asked about U+0000, which no key holds.
    if (key.includes('\0')) return [];
    const where = { organisationId, key, ...(before !== null && { version: LessThan(before) }) };
    return this.uow.read(organisationId, (db) =>
      db.find(FlowEntity, { where, order: { version: 'DESC' }, take }),
    );
  }

  private async insert(
    ctx: ActorContext,
    key: string,
    version: number,
    definition: FlowDefinition,
  ): Promise<FlowVersion | null> {
    const createdAt = new Date(this.clock.now());
    const flow: FlowVersion = {
      id: newUuid(),
      organisationId: ctx.organisationId,
      key,
      version,
      definition,
      contentHash: hashOf(definition),
      createdBy: nameOfActor(ctx),
      createdAt,
    };
    return this.uow.run(ctx.organisationId, async (tx) => {
      const inserted = await tx
        .createQueryBuilder()
        .insert()
        .into(FlowEntity)
        .values(flow)
        .orIgnore()
        .returning('id')
        .execute();
      if ((inserted.raw as unknown[]).length === 0) return null;
      await this.audit.record(tx, [
        stepOf(ctx, 'flow', flow.id, 'flow.published', createdAt, {
          key,
          version,
          contentHash: flow.contentHash.toString('hex'),
        }),
      ]);
      return flow;
    });
  }
}

const hashOf = (definition: FlowDefinition): Buffer =>
  createHash('sha256').update(canonicalJson(definition)).digest();
