import { Injectable } from '@nestjs/common';
import { type Acting, AuditTrail, nameOfActor, stepOf } from '../audit/index.js';
import { UnitOfWork, type Tx } from '../database/index.js';
import { requireSecondPerson, type OperatorPrincipal } from '../http/index.js';
import { Clock, DomainError, newUuid, uuidOf } from '../kernel/index.js';
import { Outbox, queues } from '../queue/index.js';
import type { Death, DeadLetterFilter, DeadLetterRecord, DiscardRequest } from './domain/dead-letter.js';
import { DeadLetterRepository } from './store/dead-letter.repository.js';

/** At most this many dead letters are replayed or discarded by one call; the caller repeats it for more. */
export const MOST_AT_ONCE = 1_000;

/** What operators do about dead transactions: bring them back, or decide that they are never evaluated. */
@Injectable()
export class DeadLetterDesk {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly letters: DeadLetterRepository,
    private readonly audit: AuditTrail,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  list(
    organisationId: string,
    filter: DeadLetterFilter,
    after: string | null,
    limit: number,
  ): Promise<DeadLetterRecord[]> {
    return this.letters.list(organisationId, filter, after, limit);
  }

  async find(organisationId: string, id: string): Promise<DeadLetterRecord> {
    const ref = uuidOf('txn', id);
    const found = ref === null ? null : await this.letters.find(organisationId, ref);
    if (!found) throw new DomainError('DEAD_LETTER_NOT_FOUND');
    return found;
  }

  /** Queues one again, with its history and a fresh count of attempts. */
  async replay(acting: Acting, id: string): Promise<void> {
    const letter = await this.find(acting.organisationId, id);
    const revived = await this.revive(acting, [letter.transactionRef]);
    if (revived === 0) throw await this.overtaken(acting.organisationId, letter);
  }

  /** Queues again what the filter finds, the oldest first, and returns how many. */
  async replayAll(acting: Acting, filter: DeadLetterFilter, limit: number): Promise<number> {
    const found = await this.letters.list(
      acting.organisationId,
      { ...filter, discarded: false },
      null,
      Math.min(limit, MOST_AT_ONCE),
    );
    return this.revive(
      acting,
      found.map((letter) => letter.transactionRef),
    );
  }

  /** Decides that one is never evaluated. It stays, with the reason in its trail. */
  async discard(acting: Acting, id: string, reason: string): Promise<void> {
    const letter = await this.find(acting.organisationId, id);
    const now = new Date(this.clock.now());
    const discarded = await this.uow.run(acting.organisationId, async (tx) => {
      const done = await this.letters.discard(tx, [letter]);
      await this.noteDiscarded(tx, acting, done, now, { reason });
      return done.length;
    });
    if (discarded === 0) throw await this.overtaken(acting.organisationId, letter);
  }

  /** Asks for many to be discarded: those that the filter finds now, and no others; a second person approves it. */
  async requestDiscard(
    acting: Acting,
    filter: DeadLetterFilter,
    limit: number,
    reason: string,
  ): Promise<DiscardRequest> {
    const { organisationId } = acting;
    const found = await this.letters.list(
      organisationId,
      { ...filter, discarded: false },
      null,
      Math.min(limit, MOST_AT_ONCE),
    );
    if (found.length === 0) throw new DomainError('DEAD_LETTER_NOT_FOUND');
    const request = {
      id: newUuid(),
      organisationId,
      reason,
      deaths: found.map(({ transactionRef, generation }) => ({ transactionRef, generation })),
      requestedBy: nameOfActor(acting),
      requestedAt: new Date(this.clock.now()),
    };
    await this.uow.run(organisationId, async (tx) => {
      await this.letters.requestDiscard(tx, request);
      await this.audit.record(tx, [
        stepOf(acting, 'discard', request.id, 'discard.requested', request.requestedAt, {
          count: found.length,
          reason,
        }),
      ]);
    });
    return {
      ...request,
      status: 'REQUESTED',
      count: found.length,
      discarded: null,
      decidedBy: null,
      decidedAt: null,
    };
  }

  /** Discards what somebody else has asked for; what was replayed meanwhile is left alone, dead again or not. */
  async approveDiscard(operator: OperatorPrincipal, acting: Acting, id: string): Promise<DiscardRequest> {
    const now = new Date(this.clock.now());
    return this.uow.run(acting.organisationId, async (tx) => {
      const request = await this.lock(tx, id);
      requireSecondPerson(request.requestedBy.replace('operator:', ''), operator);
      const done = await this.letters.discard(tx, request.deaths);
      await this.noteDiscarded(tx, acting, done, now, {
        reason: request.reason,
        requestedBy: request.requestedBy,
        discardId: request.id,
      });
      return this.decide(tx, acting, request.id, 'APPROVED', now, done.length);
    });
  }

  /** Takes a request back, or turns it down. */
  async withdrawDiscard(acting: Acting, id: string): Promise<DiscardRequest> {
    const now = new Date(this.clock.now());
    return this.uow.run(acting.organisationId, async (tx) => {
      const request = await this.lock(tx, id);
      return this.decide(tx, acting, request.id, 'WITHDRAWN', now, null);
    });
  }

  requests(organisationId: string, before: string | null, limit: number): Promise<DiscardRequest[]> {
    return this.letters.requests(organisationId, before, limit);
  }

  private async revive(acting: Acting, refs: readonly string[]): Promise<number> {
    const { organisationId } = acting;
    const now = new Date(this.clock.now());
    return this.uow.run(organisationId, async (tx) => {
      const revived = await this.letters.revive(tx, refs);
      await this.audit.record(
        tx,
        revived.map(({ id, generation }) =>
          stepOf(acting, 'transaction', id, 'transaction.replayed', now, { generation }),
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

  /** What to say of a death that no longer stands: it was discarded, or somebody else replayed it a moment ago. */
  private async overtaken(organisationId: string, death: Death): Promise<DomainError> {
    const now = await this.letters.find(organisationId, death.transactionRef);
    return now?.generation === death.generation
      ? conflict('DISCARDED', 'The transaction was discarded.')
      : conflict('REPLAYED', 'The transaction was replayed meanwhile.');
  }

  private async noteDiscarded(
    tx: Tx,
    acting: Acting,
    refs: readonly string[],
    at: Date,
    content: Readonly<Record<string, string>>,
  ): Promise<void> {
    await this.audit.record(
      tx,
      refs.map((ref) => stepOf(acting, 'transaction', ref, 'transaction.discarded', at, content)),
    );
  }

  private async decide(
    tx: Tx,
    acting: Acting,
    id: string,
    status: 'APPROVED' | 'WITHDRAWN',
    at: Date,
    count: number | null,
  ): Promise<DiscardRequest> {
    const by = nameOfActor(acting);
    const decided = await this.letters.decide(tx, id, { status, by, at, discarded: count });
    if (!decided) throw new DomainError('DISCARD_NOT_FOUND');
    const action = status === 'APPROVED' ? 'discard.approved' : 'discard.withdrawn';
    await this.audit.record(tx, [stepOf(acting, 'discard', id, action, at, { discarded: count })]);
    return decided;
  }

  private async lock(tx: Tx, id: string): Promise<DiscardRequest> {
    const uuid = uuidOf('dsc', id);
    const request = uuid === null ? null : await this.letters.lockRequest(tx, uuid);
    if (!request) throw new DomainError('DISCARD_NOT_FOUND');
    return request;
  }
}

const conflict = (code: string, message: string): DomainError =>
  new DomainError('STATE_CONFLICT', { details: [{ path: '', code, message }] });
