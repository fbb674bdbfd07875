import { Injectable } from '@nestjs/common';
import { ApprovalReaderService, type Approval } from '../../approvals/index.js';
import type { TrailEntry, TrailVerdict } from '../../audit/index.js';
import { OperatorLookup } from '../../../platform/http/index.js';
import { uuidOf } from '../../../platform/kernel/index.js';
import { ReviewFilesService, type ReviewFile } from '../../reviews/index.js';
import { RelationsService, type Relations } from '../../search/index.js';

/** The trail of a case, its approvals, the relations of its customer, and the names of operators in it. */
export interface CaseContext {
  readonly entries: readonly TrailEntry[];
  readonly verdict: TrailVerdict;
  readonly approvals: readonly Approval[];
  /** The relations of the customer, up to two steps away; null if there is no customer or no permission to see them. */
  readonly related: Relations | null;
  /** The names of all operators in the case, keyed by operator id. */
  readonly names: ReadonlyMap<string, string>;
}

/** Reads the trail of a case, the approvals of it and its hits, and all names in it. */
@Injectable()
export class CaseContextService {
  constructor(
    private readonly files: ReviewFilesService,
    private readonly approvals: ApprovalReaderService,
    private readonly operators: OperatorLookup,
    private readonly relations: RelationsService,
  ) {}

  /** `customerId` is null if the customer is unknown or the reader may not see them. */
  async read(organisationId: string, file: ReviewFile, customerId: string | null): Promise<CaseContext> {
    const [context, related] = await Promise.all([
      this.readWithNames(organisationId, file),
      customerId === null ? null : this.relations.findRelations(organisationId, customerId),
    ]);
    return { ...context, related };
  }

  private async readWithNames(
    organisationId: string,
    { review, hits, notes }: ReviewFile,
  ): Promise<Omit<CaseContext, 'related'>> {
    const [{ entries, verdict }, approvals] = await Promise.all([
      this.files.readTimelineOf(review),
      this.approvals.findBySubjects(organisationId, [review.id, ...hits.map(({ id }) => id)]),
    ]);
    const names = await this.operators.readNames(organisationId, [
      ...notes.map(({ authorId }) => authorId),
      ...entries.flatMap(({ actor, content }) => [...operatorIdIn(actor), ...assigneeIn(content)]),
      ...hits.flatMap(({ decidedBy }) => (decidedBy === null ? [] : operatorIdIn(decidedBy))),
      ...approvals.flatMap(({ requestedBy, decidedBy }) => [requestedBy, ...(decidedBy ? [decidedBy] : [])]),
      ...[review.assigneeId, review.proposedBy, review.closedBy].filter((one) => one !== null),
    ]);
    return { entries, verdict, approvals, names };
  }
}

/** Returns the stored id in an actor `operator:…`; empty for other actors. */
export function operatorIdIn(actor: string): string[] {
  const [type = '', id = ''] = actor.split(/:(.*)/s);
  return type === 'operator' && /^[0-9a-f-]{36}$/.test(id) ? [id] : [];
}

function assigneeIn(content: unknown): string[] {
  const { assignee } = (content ?? {}) as { readonly assignee?: unknown };
  const id = typeof assignee === 'string' ? uuidOf('opr', assignee) : null;
  return id === null ? [] : [id];
}
