import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { CustomersService } from '../../customers/index.js';
import { DomainError } from '../../../platform/kernel/index.js';
import { Vault } from '../../../platform/privacy/index.js';
import { ArtifactIntake, type UploadResult } from '../../uploads/index.js';
import type { ActorContext } from '../../audit/index.js';
import { isEnded } from '../domain/review.js';
import { ReviewQueries } from '../store/review.queries.js';
import { ReviewRepository } from '../store/review.repository.js';

/** Receives files that operators upload to a case. A note refers to them later. */
@Injectable()
export class ReviewAttachmentsService {
  constructor(
    private readonly intake: ArtifactIntake,
    private readonly customers: CustomersService,
    private readonly vault: Vault,
    private readonly queries: ReviewQueries,
    private readonly reviews: ReviewRepository,
  ) {}

  /**
   * Receives a file, encrypts it under the data key of the case's customer and links it to their dossier; without a
   * customer, uses the organisation's key. Throws like `ArtifactIntake.receive`; STATE_CONFLICT if the case is closed.
   */
  async receive(ctx: ActorContext, id: string, request: IncomingMessage): Promise<UploadResult> {
    const { organisationId, actor, requestId, correlationId } = ctx;
    const review = await this.queries.get(organisationId, id);
    const { customerId } = review;
    const person =
      customerId === null ? null : await this.customers.findKeySubject(organisationId, customerId);
    return this.intake.receive(request, {
      organisationId,
      owner: { type: 'REVIEW', id },
      subject: person ?? this.vault.organisationSubject(organisationId),
      actor,
      requestId,
      correlationId,
      customerId: person ? customerId : null,
      describe: () => ({ kind: 'ATTACHMENT', stepId: null, documentType: null, side: null }),
      admit: async (tx) => {
        const lockedReview = await this.reviews.lock(tx, organisationId, id);
        if (lockedReview && isEnded(lockedReview.status)) throw new DomainError('STATE_CONFLICT');
      },
    });
  }
}
