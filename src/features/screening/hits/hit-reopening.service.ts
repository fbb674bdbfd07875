import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThan, Not, Raw, type FindOptionsWhere } from 'typeorm';
import {
  ApplyAct,
  type Approval,
  ApprovalsService,
  CurrentValues,
  type ChangedValues,
} from '../../approvals/index.js';
import { type ActorContext, AuditTrail, auditDraftOf } from '../../audit/index.js';
import type { CustomerMerge } from '../../customers/index.js';
import { newestFirst, UnitOfWork, type Reader, type Tx } from '../../../platform/database/index.js';
import { Clock, DomainError, newUuid, publicId } from '../../../platform/kernel/index.js';
import { Outbox, type UnfinishedScope } from '../../../platform/queue/index.js';
import { FreezeEntity, HitUseEntity, ScreeningHitEntity } from '../store/entities.js';
import { HitRepository, lockHit, REOPENED, type HitUse } from '../store/hit.repository.js';

const LOST_AFTER_MS = 30_000;
// Age of the uses that a merge takes back: a transaction under evaluation has used a dismissal at most this long ago.
const UNDER_WAY = "interval '1 minute'";

/** Reverses dispositions: reopens the hit and has the transactions that it cleared re-evaluated. */
@Injectable()
export class HitReopeningService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly approvals: ApprovalsService,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly hits: HitRepository,
  ) {}

  /** Requests the approval to reverse a disposition. Throws STATE_CONFLICT if the hit is open, or its person frozen. */
  async requestReopening(ctx: ActorContext, id: string, reason: string): Promise<Approval> {
    return this.uow.run(ctx.organisationId, async (tx) => {
      const asked = await lockHit(tx, ctx.organisationId, id);
      // A disposition copied in a customer merge is reversed on the hit where it was decided.
      const hit = asked.decidedAs === null ? asked : await lockHit(tx, ctx.organisationId, asked.decidedAs);
      await refuseUnclosed(tx, hit);
      const before = valuesOf(hit);
      const after = { status: 'PENDING' };
      return this.approvals.request(tx, ctx, { act: 'hit.reopen', subjectId: hit.id, before, after, reason });
    });
  }

  @CurrentValues('hit.reopen')
  async currentValues(tx: Tx, { organisationId, subjectId }: Approval): Promise<ChangedValues> {
    return valuesOf(await lockHit(tx, organisationId, subjectId));
  }

  @ApplyAct('hit.reopen')
  async reopen(tx: Tx, ctx: ActorContext, { id, organisationId, subjectId }: Approval): Promise<void> {
    const leader = await lockHit(tx, organisationId, subjectId);
    await refuseUnclosed(tx, leader);
    const followers = await tx.find(ScreeningHitEntity, {
      where: { organisationId, decidedAs: subjectId },
      order: { id: 'ASC' },
      lock: { mode: 'for_no_key_update' },
    });
    const reopened = [leader, ...followers];
    const ids = reopened.map((hit) => hit.id);
    await tx.update(ScreeningHitEntity, { organisationId, id: In(ids) }, REOPENED);
    const now = new Date(this.clock.now());
    const useIds = await this.takeBackUses(tx, { organisationId, hitId: In(ids) }, now);
    // If the hit cleared no transaction, no re-evaluation opens a case, so the hit opens one.
    if (useIds.length === 0) {
      this.outbox.append(tx, 'reviews.hits', await this.hits.markAwaitingCase(tx, organisationId, ids));
    }
    await this.audit.record(
      tx,
      reopened.map((hit) =>
        auditDraftOf(ctx, 'screening_hit', hit.id, 'hit.reopened', now, {
          before: hit.status,
          approval: id,
          cleared: useIds.length,
        }),
      ),
    );
  }

  /** Records which transactions two people released because a hit is dismissed; skips hits that are not dismissed. */
  async recordClearedTransactions(
    tx: Tx,
    organisationId: string,
    released: readonly HitUse[],
  ): Promise<void> {
    if (released.length > 0) await this.hits.recordUses(tx, organisationId, released);
  }

  /**
   * Reopens, in a merge of customers, the dismissed hits among `ids`: each was dismissed about a part of the person. The
   * transactions that these hits let through during the merge are re-evaluated.
   */
  async reopenAfterMerge(
    tx: Tx,
    ctx: ActorContext,
    { organisationId, from, into }: CustomerMerge,
    ids: readonly string[],
  ): Promise<void> {
    const dismissed = await tx.find(ScreeningHitEntity, {
      select: { id: true, customerId: true },
      where: { organisationId, id: In([...ids]), status: 'DISMISSED_FALSE_POSITIVE' },
      order: { id: 'ASC' },
    });
    if (dismissed.length === 0) return;
    const reopened = dismissed.map(({ id }) => id);
    await tx.update(ScreeningHitEntity, { organisationId, id: In(reopened) }, REOPENED);
    const now = new Date(this.clock.now());
    const underWay = Raw((used) => `${used} > now() - ${UNDER_WAY}`);
    const uses = await this.takeBackUses(tx, { organisationId, hitId: In(reopened), usedAt: underWay }, now);
    // A hit about a counterparty gets no case here: the next transaction with that counterparty opens one.
    const customerHits = dismissed.filter(({ customerId }) => customerId !== null).map(({ id }) => id);
    this.outbox.append(
      tx,
      'reviews.hits',
      await this.hits.markAwaitingCase(tx, organisationId, customerHits),
    );
    const merged = from === into ? {} : { merged: publicId('cus', from) };
    const content = { before: 'DISMISSED_FALSE_POSITIVE', ...merged, cleared: uses.length };
    await this.audit.record(
      tx,
      reopened.map((id) => auditDraftOf(ctx, 'screening_hit', id, 'hit.reopened', now, content)),
    );
  }

  /** Returns a mandatory hit about the customer that is not dismissed and so stops transactions; null if none is. */
  async findStanding(tx: Tx, organisationId: string, customerId: string): Promise<string | null> {
    const hit = await tx.findOne(ScreeningHitEntity, {
      select: { id: true },
      where: {
        ...{ organisationId, customerId, mandatory: true, forCustomerId: IsNull() },
        status: Not('DISMISSED_FALSE_POSITIVE' as const),
      },
      order: { id: 'ASC' },
    });
    return hit?.id ?? null;
  }

  /** Has transactions re-evaluated that passed while a process did not know yet of a merge of customers. */
  async recordPassed(tx: Tx, organisationId: string, hitId: string, refs: readonly string[]): Promise<void> {
    const reopenedAt = new Date(this.clock.now());
    const rows = refs.map((transactionRef) => ({
      ...{ id: newUuid(), organisationId, hitId, transactionRef, reopenedAt, judgedAt: null },
    }));
    await tx.createQueryBuilder().insert().into(HitUseEntity).values(rows).orIgnore().execute();
    const storedUses = await tx.find(HitUseEntity, {
      select: { id: true },
      where: { organisationId, id: In(rows.map(({ id }) => id)) },
    });
    this.outbox.append(
      tx,
      'kyt.hit-uses',
      storedUses.map(({ id }) => id),
    );
  }

  /** Takes back uses of dismissals and has their transactions re-evaluated. Returns the ids of the uses. */
  private async takeBackUses(
    tx: Tx,
    of: FindOptionsWhere<HitUseEntity>,
    reopenedAt: Date,
  ): Promise<string[]> {
    const uses = await tx.find(HitUseEntity, {
      select: { id: true },
      where: { ...of, reopenedAt: IsNull() },
    });
    const ids = uses.map(({ id }) => id);
    await tx.update(HitUseEntity, { organisationId: of.organisationId, id: In(ids) }, { reopenedAt });
    this.outbox.append(tx, 'kyt.hit-uses', ids);
    return ids;
  }

  /** Returns the transactions that the dismissal of a hit cleared, newest first. */
  async listUses(
    organisationId: string,
    hitId: string,
    before: string | null,
    limit: number,
  ): Promise<HitUseEntity[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(HitUseEntity, newestFirst({ organisationId, hitId }, before, limit)),
    );
  }

  /** Returns the uses whose transaction has still to be re-evaluated. */
  async findToReEvaluate(db: Reader, ids: readonly string[]): Promise<HitUseEntity[]> {
    return db.findBy(HitUseEntity, { id: In([...ids]), reopenedAt: Not(IsNull()), judgedAt: IsNull() });
  }

  /** Records that a transaction was re-evaluated that a dismissed hit had cleared before the hit was reopened. */
  async markReEvaluated({ organisationId, id }: HitUseEntity): Promise<void> {
    const judgedAt = new Date(this.clock.now());
    await this.uow.run(organisationId, (tx) => tx.update(HitUseEntity, { organisationId, id }, { judgedAt }));
  }

  /** Finds uses whose transaction has still to be re-evaluated and that have no job. */
  async findWaiting(tx: Tx, which: UnfinishedScope): Promise<string[]> {
    const before = new Date(this.clock.now() - (which === 'overdue' ? LOST_AFTER_MS : 0));
    const rows = await tx.find(HitUseEntity, {
      select: { id: true },
      where: { reopenedAt: LessThan(before), judgedAt: IsNull() },
      order: { id: 'ASC' },
      take: 1_000,
    });
    return rows.map(({ id }) => id);
  }
}

async function refuseUnclosed(tx: Tx, { organisationId, id, status }: ScreeningHitEntity): Promise<void> {
  const isClosed = status === 'DISMISSED_FALSE_POSITIVE' || status === 'CONFIRMED';
  const isFrozen = await tx.existsBy(FreezeEntity, { organisationId, hitId: id, liftedAt: IsNull() });
  if (isClosed && !isFrozen) return;
  throw new DomainError('STATE_CONFLICT', {
    details: [
      isFrozen
        ? { path: 'status', code: 'FROZEN', message: 'Lift the freeze first.' }
        : { path: 'status', code: 'NOT_FROM_HERE', message: 'The hit is open.' },
    ],
  });
}

const valuesOf = ({ status, entryHash, decidedAt }: ScreeningHitEntity): ChangedValues => ({
  status,
  entryHash: Buffer.from(entryHash).toString('hex'),
  decidedAt: decidedAt?.toISOString() ?? null,
});
