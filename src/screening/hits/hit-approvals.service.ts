import { Injectable } from '@nestjs/common';
import { ApplyAct, type Approval, Approvals, CurrentValues, type Values } from '../../approvals/index.js';
import type { ActorContext } from '../../audit/index.js';
import { UnitOfWork, type Tx } from '../../database/index.js';
import { DomainError } from '../../kernel/index.js';
import { hitFlow, needsTwo, type Disposition } from '../domain/hit.js';
import { ScreeningHitEntity } from '../store/entities/screening-hit.entity.js';
import { HitDispositionService, notFromHere, type HitDecision } from './hit-disposition.service.js';

/** Lets two people close a hit that forces a decision: until then it is open, and holds what it is about. */
@Injectable()
export class HitApprovals {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly approvals: Approvals,
    private readonly dispositions: HitDispositionService,
  ) {}

  /** STATE_CONFLICT for a hit about which one person decides, and for one that is decided. */
  async propose(ctx: ActorContext, id: string, decision: HitDecision): Promise<Approval> {
    const { disposition, justification } = decision;
    const hit = await this.dispositions.get(ctx.organisationId, id);
    if (!needsTwo(hit, disposition) || !hitFlow.allows(hit.status, disposition)) throw notFromHere();
    return this.uow.run(ctx.organisationId, async (tx) => {
      const locked = await lock(tx, ctx.organisationId, id);
      const before = valuesOf(locked);
      const after = { disposition, list: hit.listKey };
      const wanted = { act: 'hit.decide' as const, subjectId: id, before, after };
      return this.approvals.ask(tx, ctx, { ...wanted, reason: justification });
    });
  }

  /** An entry that says something else now is another question. */
  @CurrentValues('hit.decide')
  async currentValues(tx: Tx, { organisationId, subjectId }: Approval): Promise<Values> {
    return valuesOf(await lock(tx, organisationId, subjectId));
  }

  @ApplyAct('hit.decide')
  async decide(tx: Tx, ctx: ActorContext, approval: Approval): Promise<void> {
    const { organisationId, subjectId, change, reason } = approval;
    const hit = await this.dispositions.get(organisationId, subjectId);
    const disposition = change.after['disposition'] as Disposition;
    await this.dispositions.decideIn(tx, ctx, hit, { disposition, justification: reason });
  }
}

async function lock(tx: Tx, organisationId: string, id: string): Promise<ScreeningHitEntity> {
  const hit = await tx.findOne(ScreeningHitEntity, {
    where: { organisationId, id },
    lock: { mode: 'for_no_key_update' },
  });
  if (!hit) throw new DomainError('HIT_NOT_FOUND');
  return hit;
}

const valuesOf = ({ status, entryHash, mandatory }: ScreeningHitEntity): Values => ({
  status,
  entryHash: Buffer.from(entryHash).toString('hex'),
  mandatory,
});
