import { Injectable } from '@nestjs/common';
import {
  ApplyAct,
  type Approval,
  ApprovalsService,
  CurrentValues,
  ReleaseAct,
  type ChangedValues,
} from '../../approvals/index.js';
import { type ActorContext, AuditTrail, formatActor, auditDraftOf } from '../../audit/index.js';
import { lockRow, newestFirst, UnitOfWork, type Tx } from '../../../platform/database/index.js';
import {
  Clock,
  conflict,
  DomainError,
  newUuid,
  orThrow,
  publicId,
  uuidOf,
} from '../../../platform/kernel/index.js';
import { Outbox, queues } from '../../../platform/queue/index.js';
import type {
  DeadLetterRef,
  DeadLetterFilter,
  DeadLetterRecord,
  DiscardRequest,
} from '../domain/dead-letter.js';
import { DeadLetterDiscardEntity } from '../store/entities.js';
import { DeadLetterRepository } from '../store/work/dead-letter.repository.js';

/** Maximum number of dead letters that one call replays or discards; the caller repeats the call for more. */
export const MAX_AT_ONCE = 1_000;

/** A request to discard dead letters, and the id of its approval. */
export interface DiscardAct {
  readonly request: DiscardRequest;
  readonly approvalId: string;
}

/** Replays and discards dead letters for operators. A discarded transaction is never evaluated. */
@Injectable()
export class DeadLetterResolutionService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly deadLetters: DeadLetterRepository,
    private readonly audit: AuditTrail,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly approvals: ApprovalsService,
  ) {}

  list(
    organisationId: string,
    filter: DeadLetterFilter,
    after: string | null,
    limit: number,
  ): Promise<DeadLetterRecord[]> {
    return this.deadLetters.list(organisationId, filter, after, limit);
  }

  async find(organisationId: string, id: string): Promise<DeadLetterRecord> {
    const ref = uuidOf('txn', id);
    const deadLetter = ref === null ? null : await this.deadLetters.find(organisationId, ref);
    if (!deadLetter) throw new DomainError('DEAD_LETTER_NOT_FOUND');
    return deadLetter;
  }

  /** Queues a transaction again. Its history stays, and its attempts are counted from zero. */
  async replay(ctx: ActorContext, id: string): Promise<void> {
    const letter = await this.find(ctx.organisationId, id);
    const revived = await this.queueAgain(ctx, [letter.transactionRef]);
    if (revived === 0) throw await this.overtakenError(ctx.organisationId, letter);
  }

  /** Replays the dead letters that match the filter, the oldest first, and returns how many. */
  async replayAll(ctx: ActorContext, filter: DeadLetterFilter, limit: number): Promise<number> {
    const deadLetters = await this.findWaiting(ctx, filter, limit);
    return this.queueAgain(
      ctx,
      deadLetters.map((letter) => letter.transactionRef),
    );
  }

  /** Requests to discard a dead letter; a second person approves. */
  async requestDiscardOne(ctx: ActorContext, id: string, reason: string): Promise<DiscardAct> {
    const letter = await this.find(ctx.organisationId, id);
    if (letter.discardedAt) throw await this.overtakenError(ctx.organisationId, letter);
    return this.requestApproval(ctx, [letter], reason);
  }

  /** Requests to discard the dead letters that match the filter now, none that arrive later. Needs an approval. */
  async requestDiscard(
    ctx: ActorContext,
    filter: DeadLetterFilter,
    limit: number,
    reason: string,
  ): Promise<DiscardAct> {
    const deadLetters = await this.findWaiting(ctx, filter, limit);
    if (deadLetters.length === 0) throw new DomainError('DEAD_LETTER_NOT_FOUND');
    return this.requestApproval(ctx, deadLetters, reason);
  }

  private async requestApproval(
    ctx: ActorContext,
    found: readonly DeadLetterRecord[],
    reason: string,
  ): Promise<DiscardAct> {
    const { organisationId } = ctx;
    const request: DiscardRequest = {
      id: newUuid(),
      organisationId,
      status: 'REQUESTED',
      reason,
      transactionRefs: found.map(({ transactionRef }) => transactionRef),
      generations: found.map(({ generation }) => generation),
      requestedBy: formatActor(ctx),
      requestedAt: new Date(this.clock.now()),
      discarded: null,
      decidedBy: null,
      decidedAt: null,
    };
    return this.uow.run(organisationId, async (tx) => {
      await tx.insert(DeadLetterDiscardEntity, { ...request });
      await this.audit.record(
        tx,
        auditDraftOf(ctx, 'discard', request.id, 'discard.requested', request.requestedAt, {
          count: found.length,
          reason,
        }),
      );
      const { id } = await this.approvals.request(tx, ctx, {
        act: 'dead_letter.discard',
        subjectId: request.id,
        before: { status: 'REQUESTED' },
        after: {
          status: 'APPROVED',
          transactions: request.transactionRefs.map(
            (ref, i) => `${publicId('txn', ref)}:${request.generations[i]}`,
          ),
        },
        reason,
      });
      return { request, approvalId: id };
    });
  }

  @CurrentValues('dead_letter.discard')
  async currentStatus(tx: Tx, { subjectId }: Approval): Promise<ChangedValues> {
    return { status: (await this.lock(tx, subjectId)).status };
  }

  /**
   * Discards the dead letters of an approved request. Dead letters that were replayed after the request are left out,
   * even if their transaction has failed again.
   */
  @ApplyAct('dead_letter.discard')
  async discard(tx: Tx, ctx: ActorContext, { id, subjectId }: Approval): Promise<void> {
    const now = new Date(this.clock.now());
    const request = await this.lock(tx, subjectId);
    const done = await this.deadLetters.discard(tx, request.transactionRefs, request.generations);
    await this.recordDiscarded(tx, ctx, done, now, {
      reason: request.reason,
      requestedBy: request.requestedBy,
      discardId: request.id,
      approval: id,
    });
    await this.decide(tx, ctx, request, 'APPROVED', now, done.length);
  }

  @ReleaseAct('dead_letter.discard')
  async withdrawDiscard(tx: Tx, ctx: ActorContext, { subjectId }: Approval): Promise<void> {
    const request = await this.lock(tx, subjectId);
    await this.decide(tx, ctx, request, 'WITHDRAWN', new Date(this.clock.now()), null);
  }

  listDiscards(organisationId: string, before: string | null, limit: number): Promise<DiscardRequest[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(DeadLetterDiscardEntity, newestFirst({ organisationId }, before, limit)),
    );
  }

  private findWaiting(
    { organisationId }: ActorContext,
    filter: DeadLetterFilter,
    limit: number,
  ): Promise<DeadLetterRecord[]> {
    const waitingFilter = { ...filter, discarded: false };
    return this.deadLetters.list(organisationId, waitingFilter, null, Math.min(limit, MAX_AT_ONCE));
  }

  private async queueAgain(ctx: ActorContext, refs: readonly string[]): Promise<number> {
    const { organisationId } = ctx;
    const now = new Date(this.clock.now());
    return this.uow.run(organisationId, async (tx) => {
      const revived = await this.deadLetters.replay(tx, refs);
      await this.audit.record(
        tx,
        revived.map(({ id, generation }) =>
          auditDraftOf(ctx, 'transaction', id, 'transaction.replayed', now, { generation }),
        ),
      );
      const { batchSize } = queues['kyt.pipeline'];
      const ids = revived.map(({ id }) => id);
      for (let from = 0; from < ids.length; from += batchSize) {
        this.outbox.append(tx, 'kyt.pipeline', ids.slice(from, from + batchSize));
      }
      return revived.length;
    });
  }

  /** Returns the error for a dead letter that was discarded or replayed in the meantime. */
  private async overtakenError(organisationId: string, letter: DeadLetterRef): Promise<DomainError> {
    const now = await this.deadLetters.find(organisationId, letter.transactionRef);
    return now?.generation === letter.generation
      ? conflict('', 'DISCARDED', 'The transaction was discarded.')
      : conflict('', 'REPLAYED', 'The transaction was replayed meanwhile.');
  }

  private async recordDiscarded(
    tx: Tx,
    ctx: ActorContext,
    refs: readonly string[],
    at: Date,
    content: Readonly<Record<string, string>>,
  ): Promise<void> {
    await this.audit.record(
      tx,
      refs.map((ref) => auditDraftOf(ctx, 'transaction', ref, 'transaction.discarded', at, content)),
    );
  }

  private async decide(
    tx: Tx,
    ctx: ActorContext,
    request: DiscardRequest,
    status: 'APPROVED' | 'WITHDRAWN',
    at: Date,
    discarded: number | null,
  ): Promise<void> {
    const { id } = request;
    const decision = { status, discarded, decidedBy: formatActor(ctx), decidedAt: at };
    const open = { id, status: 'REQUESTED' } as const;
    const { affected } = await tx.update(DeadLetterDiscardEntity, open, decision);
    if (affected !== 1) throw new DomainError('STATE_CONFLICT');
    const action = status === 'APPROVED' ? 'discard.approved' : 'discard.withdrawn';
    await this.audit.record(tx, auditDraftOf(ctx, 'discard', id, action, at, { discarded }));
  }

  /** Locks a request until the transaction ends. */
  private async lock(tx: Tx, id: string): Promise<DiscardRequest> {
    return orThrow(await lockRow(tx, DeadLetterDiscardEntity, { id }, 'pessimistic_write'), 'STATE_CONFLICT');
  }
}
