import { Injectable } from '@nestjs/common';
import { type ActorContext, AuditTrail } from '../../audit/index.js';
import { CustomersService } from '../../customers/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { digestOf, newUuid, publicId } from '../../../platform/kernel/index.js';
import { encryptionContextOf, Vault } from '../../../platform/privacy/index.js';
import { reviewAuditDraft } from '../audit-step.js';
import type { NoteRow, ReviewRow } from '../store/review.queries.js';
import { ReviewRepository } from '../store/review.repository.js';

/** A note before encryption. */
export interface NoteDraft {
  readonly kind: NoteRow['kind'];
  readonly text: string;
  /** The internal ids of attached files. */
  readonly artifactIds?: readonly string[];
}

/** A decrypted note; `text` is null when the customer was erased. */
export interface Note extends NoteRow {
  readonly text: string | null;
}

/** Encrypts and decrypts texts about cases under the data key of the customer: erasing the customer erases them. */
@Injectable()
export class ReviewNotesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly reviews: ReviewRepository,
    private readonly vault: Vault,
    private readonly customers: CustomersService,
  ) {}

  /** Encrypts a note. Must run outside of the transaction that stores it. */
  async compose(review: ReviewRow, authorId: string, draft: NoteDraft, writtenAt: Date): Promise<NoteRow> {
    const id = newUuid();
    const { id: reviewId, organisationId } = review;
    const { kind, text, artifactIds = [] } = draft;
    const sealed = await this.seal(review, text, noteContext(id, organisationId));
    return { id, reviewId, organisationId, authorId, kind, sealed, artifactIds: [...artifactIds], writtenAt };
  }

  /** Stores the reason for opening a case as its first note. */
  async recordReason(ctx: ActorContext, review: ReviewRow, text: string, at: Date): Promise<void> {
    const note = await this.compose(review, ctx.actor.id, { kind: 'REASON', text }, at);
    await this.uow.run(ctx.organisationId, async (tx) => {
      await this.reviews.insertNote(tx, note);
      const content = { note: publicId('nte', note.id), text: digestOf(note.sealed), artifacts: [] };
      await this.audit.record(tx, reviewAuditDraft(ctx, review.id, 'review.noted', at, content));
    });
  }

  /** Encrypts the justification of a decision, for the row of the case. */
  async encryptJustification(review: ReviewRow, text: string): Promise<Buffer> {
    return this.seal(review, text, justificationContext(review));
  }

  async read(rows: readonly NoteRow[]): Promise<Note[]> {
    const plaintexts = await this.vault.openMany(
      rows.map(({ id, organisationId, sealed }) => ({ sealed, context: noteContext(id, organisationId) })),
    );
    return rows.map((row, i) => ({ ...row, text: plaintexts[i]?.toString('utf8') ?? null }));
  }

  /** Decrypts the justifications of cases, in order; null if a case has none or its customer was erased. */
  async readJustifications(reviews: readonly ReviewRow[]): Promise<(string | null)[]> {
    const notes = reviews.flatMap((review) =>
      review.justification
        ? [{ id: review.id, sealed: review.justification, context: justificationContext(review) }]
        : [],
    );
    const plaintexts = await this.vault.openMany(notes);
    const texts = new Map(notes.map(({ id }, i) => [id, plaintexts[i]?.toString('utf8') ?? null]));
    return reviews.map(({ id }) => texts.get(id) ?? null);
  }

  async readJustification(review: ReviewRow): Promise<string | null> {
    return (await this.readJustifications([review]))[0] ?? null;
  }

  private async seal(
    { organisationId, customerId }: ReviewRow,
    text: string,
    context: string,
  ): Promise<Buffer> {
    const person =
      customerId === null ? null : await this.customers.findKeySubject(organisationId, customerId);
    return this.vault.sealOne(text, person ?? this.vault.organisationSubject(organisationId), context);
  }
}

const noteContext = (id: string, organisationId: string): string =>
  encryptionContextOf('review_notes', id, organisationId);
const justificationContext = ({ id, organisationId }: Pick<ReviewRow, 'id' | 'organisationId'>): string =>
  `${encryptionContextOf('reviews', id, organisationId)}|justification`;
