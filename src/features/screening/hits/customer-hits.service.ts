import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { auditDraftOf, type ActorContext, AuditTrail } from '../../audit/index.js';
import { RekeyWithCustomer, type CustomerMove } from '../../customers/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { Clock, publicId } from '../../../platform/kernel/index.js';
import { mergeDispositions } from '../domain/hit.js';
import { ScreeningHitEntity } from '../store/entities/screening-hit.entity.js';
import { HitMergeRepository, type MergingHit } from '../store/hit-merge.repository.js';

/**
 * Customer merge, or change of a subject key: moves hits with their dispositions to the key under which the person is
 * screened from then on, so that nobody has to decide again.
 */
@Injectable()
export class CustomerHitsService {
  constructor(
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly joining: HitMergeRepository,
  ) {}

  @RekeyWithCustomer('hits')
  async moveAndMergeHits(tx: Tx, ctx: ActorContext, move: CustomerMove): Promise<void> {
    await this.goWithCustomer(tx, move);
    const coming = await this.joining.lockCustomerHits(tx, move);
    if (coming.length === 0) return;
    const there = new Map(
      (await this.joining.lockBySubject(tx, move, coming)).map((hit) => [entryOf(hit), hit] as const),
    );
    const renamed: string[] = [];
    for (const hit of coming) {
      const twin = there.get(entryOf(hit));
      if (twin) await this.agree(tx, ctx, hit, twin);
      else {
        renamed.push(hit.id);
        there.set(entryOf(hit), hit);
      }
    }
    const { organisationId, from, into, subjectIndex } = move;
    await tx.update(ScreeningHitEntity, { organisationId, customerId: from }, { customerId: into });
    await tx.update(ScreeningHitEntity, { organisationId, id: In(renamed) }, { subjectIndex });
  }

  /** Customer merge: moves hits about the customer's counterparties to the surviving customer. */
  private async goWithCustomer(tx: Tx, { organisationId, from, into }: CustomerMove): Promise<void> {
    if (from !== into) await this.joining.moveToCustomer(tx, organisationId, from, into);
  }

  /** Gives both hits the disposition that `mergeDispositions` returns. */
  private async agree(tx: Tx, ctx: ActorContext, hit: MergingHit, twin: MergingHit): Promise<void> {
    const disposition = mergeDispositions(hit, twin);
    if (disposition === null || hit.status === twin.status) return;
    const [follows, leads] = hit.status === disposition ? [twin, hit] : [hit, twin];
    await this.joining.copyDecision(tx, ctx.organisationId, follows.id, leads.id);
    await this.audit.record(
      tx,
      auditDraftOf(ctx, 'screening_hit', follows.id, 'hit.decided', new Date(this.clock.now()), {
        disposition,
        before: follows.status,
        as: publicId('hit', leads.id),
        list: follows.listKey,
        entryHash: follows.entryHash,
        mandatory: follows.mandatory,
      }),
    );
  }
}

const entryOf = ({ listId, entryKey }: MergingHit): string => `${listId}|${entryKey}`;
