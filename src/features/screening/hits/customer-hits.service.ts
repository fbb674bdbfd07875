import { Injectable } from '@nestjs/common';
import { In, IsNull } from 'typeorm';
import { auditDraftOf, type ActorContext, AuditTrail } from '../../audit/index.js';
import { RekeyWithCustomer, type CustomerMove } from '../../customers/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { Clock, publicId } from '../../../platform/kernel/index.js';
import { mergeDispositions } from '../domain/hit.js';
import { ScreeningHitEntity } from '../store/entities.js';
import { HitMergeRepository, type MergingHit } from '../store/hit-merge.repository.js';
import { HitReopeningService } from './hit-reopening.service.js';

/**
 * Customer merge, or change of a subject key: moves hits to the key under which the person is screened from then on.
 * A record that gets a key keeps its dismissals. After a merge the whole person is decided about anew.
 */
@Injectable()
export class CustomerHitsService {
  constructor(
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly hitMerge: HitMergeRepository,
    private readonly hitReopening: HitReopeningService,
  ) {}

  @RekeyWithCustomer('hits')
  async moveAndMergeHits(tx: Tx, ctx: ActorContext, move: CustomerMove): Promise<void> {
    const { organisationId, from, into, subjectIndex, asksAnew } = move;
    const isMerge = from !== into;
    if (isMerge) await this.hitMerge.moveToCustomer(tx, organisationId, from, into);
    const coming = await this.hitMerge.lockCustomerHits(tx, move);
    if (coming.length === 0 && !asksAnew) return;
    const hitByKey = new Map(
      (await this.hitMerge.lockBySubject(tx, move, coming)).map((hit) => [entryOf(hit), hit] as const),
    );
    const renamed: string[] = [];
    const disputed: MergingHit[] = [];
    for (const hit of coming) {
      const twin = hitByKey.get(entryOf(hit));
      if (!twin) {
        renamed.push(hit.id);
        hitByKey.set(entryOf(hit), hit);
      } else if (!(await this.takeOverDisposition(tx, ctx, hit, twin)) && hit.status !== twin.status) {
        disputed.push(hit, twin);
      }
    }
    await tx.update(ScreeningHitEntity, { organisationId, customerId: from }, { customerId: into });
    await tx.update(ScreeningHitEntity, { organisationId, id: In(renamed) }, { subjectIndex });
    // A payment without a customer may have named this person: its hit is about the customer now.
    const strayFilter = { organisationId, id: In(idsOf(disputed)), customerId: IsNull() };
    await tx.update(ScreeningHitEntity, strayFilter, { customerId: into });
    const lockedHits = asksAnew
      ? await this.hitMerge.lockOfCustomers(tx, organisationId, [from, into])
      : idsOf([...disputed, ...(isMerge ? coming : [])]);
    await this.hitReopening.reopenAfterMerge(tx, ctx, move, lockedHits);
  }

  /** Gives both hits the disposition that `mergeDispositions` returns; false if there is none. */
  private async takeOverDisposition(
    tx: Tx,
    ctx: ActorContext,
    hit: MergingHit,
    twin: MergingHit,
  ): Promise<boolean> {
    const disposition = mergeDispositions(hit, twin);
    if (disposition === null) return false;
    if (hit.status === twin.status) return true;
    const [follows, leads] = hit.status === disposition ? [twin, hit] : [hit, twin];
    await this.hitMerge.copyDecision(tx, ctx.organisationId, follows.id, leads.id);
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
    return true;
  }
}

const idsOf = (hits: readonly MergingHit[]): string[] => hits.map(({ id }) => id);
const entryOf = ({ listId, entryKey }: MergingHit): string => `${listId}|${entryKey}`;
