import { Injectable } from '@nestjs/common';
import type { Approval } from '../../approvals/index.js';
import type { ActorContext } from '../../audit/index.js';
import { conflict, DomainError } from '../../../platform/kernel/index.js';
import { CaseDecisionsService, ReviewQueries, type ProposedDecision } from '../../reviews/index.js';
import {
  HitApprovalsService,
  HitDispositionService,
  type HitDecision,
  type HitRow,
} from '../../screening/index.js';

/** The result for one case or hit: its approval, or why no approval was requested. */
export interface BulkItem {
  /** A stored id. */
  readonly id: string;
  readonly approval: Approval | null;
  /** Null if the decision was proposed. */
  readonly refusal: { readonly code: string; readonly message: string } | null;
  /** The number of transactions that would get the outcome. */
  readonly transactions: number;
}

/**
 * Proposes the same decision for many cases or hits. Each approval has its own commit, so that one refusal does not
 * stop the others. A second person approves each.
 */
@Injectable()
export class BulkDecisionsService {
  constructor(
    private readonly reviews: ReviewQueries,
    private readonly decisions: CaseDecisionsService,
    private readonly hits: HitDispositionService,
    private readonly hitApprovals: HitApprovalsService,
  ) {}

  /** Proposes to close cases that are only about missing data. Operators must read all other cases one by one. */
  async proposeClosingGaps(
    ctx: ActorContext,
    ids: readonly string[],
    decision: ProposedDecision,
    preview: boolean,
  ): Promise<BulkItem[]> {
    return runInTurn(ids, async (id) => {
      const review = await this.reviews.get(ctx.organisationId, id);
      if (review.kind !== 'DATA_GAP' || (await this.reviews.hasMoreThanGaps(ctx.organisationId, id))) {
        throw conflict('kind', 'NOT_A_DATA_GAP', 'Only cases about missing data are closed together.');
      }
      const { linked: transactions } = review;
      if (preview) {
        await this.decisions.checkDecision(ctx, id, decision);
        return { approval: null, transactions };
      }
      return { approval: await this.decisions.propose(ctx, id, decision), transactions };
    });
  }

  /** Proposes one decision for hits of the same list entry with equal content. */
  async proposeEqualDispositions(
    ctx: ActorContext,
    ids: readonly string[],
    decision: HitDecision,
    preview: boolean,
  ): Promise<BulkItem[]> {
    const rows = new Map((await this.hits.findByIds(ctx.organisationId, ids)).map((row) => [row.id, row]));
    const first = ids.map((id) => rows.get(id)).find((row) => row !== undefined);
    return runInTurn(ids, async (id) => {
      const row = rows.get(id);
      if (!row || !first) throw new DomainError('HIT_NOT_FOUND');
      if (!isEqual(row, first)) {
        throw conflict('entryKey', 'NOT_EQUAL', 'It names another entry than the first one.');
      }
      const proposed = preview
        ? await this.hitApprovals.checkDecision(ctx.organisationId, id, decision)
        : await this.hitApprovals.propose(ctx, id, decision);
      return { approval: proposed, transactions: 0 };
    });
  }
}

const isEqual = (one: HitRow, other: HitRow): boolean =>
  one.listId === other.listId && one.entryKey === other.entryKey && one.entryHash === other.entryHash;

/** Processes the ids in sequence; a refusal becomes the result of its id. */
async function runInTurn(
  ids: readonly string[],
  work: (id: string) => Promise<Pick<BulkItem, 'approval' | 'transactions'>>,
): Promise<BulkItem[]> {
  const items: BulkItem[] = [];
  for (const id of ids) {
    try {
      items.push({ id, refusal: null, ...(await work(id)) });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const [detail] = error.details;
      const refusal = { code: detail?.code ?? error.code, message: detail?.message ?? error.message };
      items.push({ id, approval: null, refusal, transactions: 0 });
    }
  }
  return items;
}
