import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/index.js';
import { OperatorLookup } from '../../../platform/http/index.js';
import { pick, publicId, toPublicActor } from '../../../platform/kernel/index.js';
import { ReviewNotesService, ReviewQueries, type ReviewRow } from '../../reviews/index.js';
import type { DossierCase } from '../domain/dossier.js';
import type { Deciders } from '../domain/dossier-mapping.js';

/** Builds the cases of a dossier, with their decrypted notes and all steps of their trails. */
@Injectable()
export class DossierCases {
  constructor(
    private readonly audit: AuditTrail,
    private readonly reviews: ReviewQueries,
    private readonly notes: ReviewNotesService,
    private readonly operators: OperatorLookup,
  ) {}

  /** Returns the deciders and the justification of each case, by case id. */
  async findDeciders(organisationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Deciders>> {
    const reviews = ids.length === 0 ? [] : await this.reviews.findMany(organisationId, ids);
    const actors = reviews.flatMap(({ proposedBy, closedBy }) => [proposedBy ?? [], closedBy ?? []].flat());
    const people = await this.operators.listOperators(organisationId, actors);
    const deciderOf = (id: string | null): Deciders['closedBy'] => {
      const person = id === null ? undefined : people.get(id);
      return id === null || !person ? null : { id: publicId('opr', id), ...person };
    };
    const decidersByCase = new Map<string, Deciders>();
    for (const review of reviews) {
      const { id, proposedBy, closedBy } = review;
      const justification = await this.notes.readJustification(review);
      decidersByCase.set(id, {
        proposedBy: deciderOf(proposedBy),
        closedBy: deciderOf(closedBy),
        justification,
      });
    }
    return decidersByCase;
  }

  async read(reviews: readonly ReviewRow[]): Promise<DossierCase[]> {
    const cases: DossierCase[] = [];
    for (const review of reviews) {
      const { organisationId, id } = review;
      const entries = await this.audit.readEntries({ organisationId, type: 'review', id });
      const notes = await this.notes.read(await this.reviews.listNotes(organisationId, [id]));
      cases.push({
        id: publicId('rev', id),
        ...pick(review, 'kind', 'status', 'priority', 'riskScore'),
        transactions: review.linked,
        openedAt: review.openedAt.toISOString(),
        openedBy: toPublicActor(review.openedBy),
        selectionDeadline: review.selectionDeadline.toISOString(),
        analysisDeadline: review.analysisDeadline.toISOString(),
        reportDeadline: review.reportDeadline?.toISOString() ?? null,
        resolution: review.resolution,
        report: review.report,
        justification: await this.notes.readJustification(review),
        proposedBy: review.proposedBy && publicId('opr', review.proposedBy),
        proposedAt: review.proposedAt?.toISOString() ?? null,
        closedBy: review.closedBy && publicId('opr', review.closedBy),
        closedAt: review.closedAt?.toISOString() ?? null,
        reopenedFrom: review.reopenedFrom && publicId('rev', review.reopenedFrom),
        retainUntil: review.retainUntil,
        notes: notes.map(({ writtenAt, authorId, text }) => ({
          writtenAt: writtenAt.toISOString(),
          author: publicId('opr', authorId),
          text,
        })),
        steps: entries.map(({ occurredAt, action, actor }) => ({
          at: occurredAt,
          action,
          actor: toPublicActor(actor),
        })),
      });
    }
    return cases;
  }
}
