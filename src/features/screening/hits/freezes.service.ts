import { Injectable } from '@nestjs/common';
import { In, IsNull } from 'typeorm';
import {
  ApplyAct,
  type Approval,
  ApprovalsService,
  CurrentValues,
  type ChangedValues,
} from '../../approvals/index.js';
import { type ActorContext, AuditTrail, formatActor, auditDraftOf } from '../../audit/index.js';
import { CustomerEntity, RekeyWithCustomer, type CustomerMove } from '../../customers/index.js';
import { lockRow, newestFirst, UnitOfWork, type Tx } from '../../../platform/database/index.js';
import {
  Clock,
  conflict,
  DomainError,
  newUuid,
  orThrow,
  publicId,
  requireReportedTime,
} from '../../../platform/kernel/index.js';
import { FreezeNoticeEntity, FreezeEntity, ScreeningHitEntity } from '../store/entities.js';

// Time until this process reads a freeze by another process; until then the confirmed hit stops the person.
const FRESH_MS = 1_000;

export interface FreezeWithNotices {
  readonly freeze: FreezeEntity;
  readonly notices: readonly FreezeNoticeEntity[];
}

/** The people who are or were frozen, keyed by subject key in hexadecimal. */
export interface FrozenSubjects {
  /** The hit of each freeze in force. */
  readonly hits: ReadonlyMap<string, string>;
  /** The people whose freeze one person alone ended. */
  readonly endedAlone: ReadonlySet<string>;
}

interface CachedSubjects extends FrozenSubjects {
  readonly readAt: number;
}

/** Freezes people whose designation two people have confirmed (Lei 13.810/2019), and records the notices. */
@Injectable()
export class FreezesService {
  private readonly frozenByOrganisation = new Map<string, CachedSubjects>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly approvals: ApprovalsService,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** Freezes the person of a hit, in the transaction that confirms it. */
  async placeFreeze(tx: Tx, ctx: ActorContext, hitId: string): Promise<void> {
    const { organisationId } = ctx;
    const hit = await tx.findOneByOrFail(ScreeningHitEntity, { organisationId, id: hitId });
    const frozenAt = new Date(this.clock.now());
    const id = newUuid();
    const { customerId } = hit;
    // A hit of a merged record keeps its key; payments are screened under the key of the record that stays.
    const customer =
      customerId === null ? null : await tx.findOneBy(CustomerEntity, { organisationId, id: customerId });
    const { subjectIndex } = customer ?? hit;
    const frozenBy = formatActor(ctx);
    await tx.insert(FreezeEntity, {
      ...{ id, organisationId, hitId, customerId, subjectIndex, frozenAt, frozenBy },
      ...{ liftedAt: null, liftedBy: null, liftedSingleControl: false },
    });
    const content = { hit: publicId('hit', hitId), entryHash: Buffer.from(hit.entryHash).toString('hex') };
    await this.audit.record(tx, auditDraftOf(ctx, 'freeze', id, 'freeze.placed', frozenAt, content));
    this.frozenByOrganisation.delete(organisationId);
  }

  /** Returns whom a freeze holds, or would hold if one person alone had not ended it. Reads at most once a second. */
  async readFrozenSubjects(organisationId: string): Promise<FrozenSubjects> {
    const cachedSubjects = this.frozenByOrganisation.get(organisationId);
    if (cachedSubjects && performance.now() - cachedSubjects.readAt < FRESH_MS) return cachedSubjects;
    const readAt = performance.now();
    const rows = await this.uow.read(organisationId, (db) =>
      db.find(FreezeEntity, {
        select: { id: true, subjectIndex: true, hitId: true, liftedAt: true },
        where: [
          { organisationId, liftedAt: IsNull() },
          { organisationId, liftedSingleControl: true },
        ],
      }),
    );
    const keyed = rows.map(({ subjectIndex, hitId, liftedAt }) => ({
      key: subjectIndex.toString('hex'),
      hitId,
      liftedAt,
    }));
    const inForce = keyed.filter(({ liftedAt }) => liftedAt === null);
    const liftedFreezes = keyed.filter(({ liftedAt }) => liftedAt !== null);
    const frozen = {
      readAt,
      hits: new Map(inForce.map(({ key, hitId }) => [key, hitId])),
      endedAlone: new Set(liftedFreezes.map(({ key }) => key)),
    };
    this.frozenByOrganisation.set(organisationId, frozen);
    return frozen;
  }

  async page(organisationId: string, before: string | null, limit: number): Promise<FreezeWithNotices[]> {
    return this.uow.read(organisationId, async (db) => {
      const freezes = await db.find(FreezeEntity, newestFirst({ organisationId }, before, limit));
      const notices = await db.find(FreezeNoticeEntity, {
        where: freezes.map(({ id }) => ({ organisationId, freezeId: id })),
        order: { id: 'ASC' },
      });
      return freezes.map((freeze) => ({
        freeze,
        notices: freezes.length === 0 ? [] : notices.filter(({ freezeId }) => freezeId === freeze.id),
      }));
    });
  }

  async get(organisationId: string, id: string): Promise<FreezeWithNotices> {
    return this.uow.read(organisationId, async (db) => {
      const freeze = orThrow(await db.findOneBy(FreezeEntity, { organisationId, id }), 'FREEZE_NOT_FOUND');
      const where = { organisationId, freezeId: id };
      return { freeze, notices: await db.find(FreezeNoticeEntity, { where, order: { id: 'ASC' } }) };
    });
  }

  /** Records which authority was notified of a freeze, when, and under which reference. */
  async recordNotice(
    ctx: ActorContext,
    id: string,
    notice: Pick<FreezeNoticeEntity, 'told' | 'reference' | 'toldAt'>,
  ): Promise<FreezeWithNotices> {
    const { organisationId } = ctx;
    const { told, reference, toldAt } = notice;
    await this.uow.run(organisationId, async (tx) => {
      const { frozenAt } = await lock(tx, organisationId, id);
      const now = new Date(this.clock.now());
      requireReportedTime('toldAt', toldAt, { at: frozenAt, name: 'the freeze' }, now);
      const toldBy = formatActor(ctx);
      const noticeId = newUuid();
      const row = { id: noticeId, organisationId, freezeId: id, told, reference, toldAt, toldBy };
      await tx.insert(FreezeNoticeEntity, row);
      const content = { told, reference, toldAt: toldAt.toISOString() };
      await this.audit.record(tx, auditDraftOf(ctx, 'freeze', id, 'freeze.told', now, content));
    });
    return this.get(organisationId, id);
  }

  /** Returns the hit of each freeze, by id of the freeze. */
  async findHitIds(organisationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.uow.read(organisationId, (db) =>
      db.find(FreezeEntity, {
        select: { id: true, hitId: true },
        where: { organisationId, id: In([...ids]) },
      }),
    );
    return new Map(rows.map(({ id, hitId }) => [id, hitId]));
  }

  /** Requests the approval to end a freeze. Throws STATE_CONFLICT if it has ended. */
  async requestLift(ctx: ActorContext, id: string, reason: string): Promise<Approval> {
    return this.uow.run(ctx.organisationId, async (tx) => {
      const freeze = await lock(tx, ctx.organisationId, id);
      if (freeze.liftedAt !== null) throw freezeEnded();
      const before = valuesOf(freeze);
      return this.approvals.request(tx, ctx, {
        ...{ act: 'freeze.lift', subjectId: id, before, reason },
        after: { lifted: true },
      });
    });
  }

  @CurrentValues('freeze.lift')
  async currentValues(tx: Tx, { organisationId, subjectId }: Approval): Promise<ChangedValues> {
    return valuesOf(await lock(tx, organisationId, subjectId));
  }

  @ApplyAct('freeze.lift')
  async lift(tx: Tx, ctx: ActorContext, approval: Approval): Promise<void> {
    const { organisationId, subjectId, id, singleControl } = approval;
    const liftedAt = new Date(this.clock.now());
    const liftColumns = { liftedAt, liftedBy: formatActor(ctx), liftedSingleControl: singleControl };
    await tx.update(FreezeEntity, { organisationId, id: subjectId }, liftColumns);
    const content = { approval: id };
    await this.audit.record(tx, auditDraftOf(ctx, 'freeze', subjectId, 'freeze.lifted', liftedAt, content));
    this.frozenByOrganisation.delete(organisationId);
  }

  /** Moves the freezes that hold or mark a merged customer to the surviving customer. */
  @RekeyWithCustomer('freezes')
  async moveFreeze(tx: Tx, _ctx: ActorContext, move: CustomerMove): Promise<void> {
    const { organisationId, from, into, subjectIndex } = move;
    for (const counts of [{ liftedAt: IsNull() }, { liftedSingleControl: true }]) {
      const theirs = { organisationId, customerId: from, ...counts };
      await tx.update(FreezeEntity, theirs, { customerId: into, subjectIndex });
    }
    this.frozenByOrganisation.delete(organisationId);
  }
}

async function lock(tx: Tx, organisationId: string, id: string): Promise<FreezeEntity> {
  return orThrow(await lockRow(tx, FreezeEntity, { organisationId, id }), 'FREEZE_NOT_FOUND');
}

const valuesOf = ({ hitId, liftedAt }: FreezeEntity): ChangedValues => ({
  hit: publicId('hit', hitId),
  lifted: liftedAt !== null,
});

const freezeEnded = (): DomainError => conflict('status', 'NOT_FROM_HERE', 'The freeze has ended.');
