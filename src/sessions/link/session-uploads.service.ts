import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { UnitOfWork, type Tx } from '../../database/index.js';
import { Clock, DomainError } from '../../kernel/index.js';
import { ReviewsService } from '../../reviews/index.js';
import {
  ArtifactIntake,
  type ArtifactDescription,
  type Received,
  type UploadFields,
} from '../../uploads/index.js';
import type { ActorContext } from '../actor-context.js';
import { missingIn } from '../domain/flow/answers.js';
import { documentSides, visibleSteps, type UploadStep } from '../domain/flow/flow.js';
import { isUploadStep, stepKindOf } from '../domain/flow/step-types.js';
import type { SessionRow } from '../domain/records.js';
import { SessionAnswers } from './session-answers.service.js';
import { mustBePending } from './public-session.service.js';
import { ProgressRepository } from '../store/progress.repository.js';
import { SessionRepository } from '../store/session.repository.js';

// Refusals that say something about the file; others say something about the request or the moment.
const ABOUT_THE_FILE = ['FILE_TYPE_UNSUPPORTED', 'FILE_TOO_LARGE', 'TOO_MANY_ARTIFACTS'];

/** Files that are sent to a session. */
@Injectable()
export class SessionUploads {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
    private readonly reviews: ReviewsService,
    private readonly intake: ArtifactIntake,
    private readonly given: SessionAnswers,
    private readonly sessions: SessionRepository,
    private readonly progress: ProgressRepository,
  ) {}

  /** Takes the file of the request and links it to the dossier of the session's customer. */
  async receive(ctx: ActorContext, session: SessionRow, request: IncomingMessage): Promise<Received> {
    mustBePending(session);
    const { organisationId, customerId, subjectIndex } = session;
    let stepId: string | null = null;
    try {
      return await this.intake.receive(request, {
        organisationId,
        owner: { type: 'SESSION', id: session.id },
        subject: { organisationId, index: subjectIndex },
        actor: ctx.actor,
        requestId: ctx.requestId,
        correlationId: ctx.correlationId,
        customerId,
        describe: async (fields) => {
          const description = await this.describe(session, fields);
          ({ stepId } = description);
          return description;
        },
        admit: async (tx) => {
          const state = await this.sessions.lockOpen(tx, session);
          if (state === 'SUBMITTED') throw new DomainError('SESSION_ALREADY_SUBMITTED');
          if (state === 'OVER') throw new DomainError('SESSION_EXPIRED');
        },
        unlinked: (tx) => this.askForLink(tx, ctx, session),
      });
    } catch (error) {
      if (error instanceof DomainError && ABOUT_THE_FILE.includes(error.code)) {
        await this.remember(session, stepId, error.code);
      }
      throw error;
    }
  }

  /** A person links what the service could not: one case for all files of the session. */
  private async askForLink(tx: Tx, ctx: ActorContext, session: SessionRow): Promise<void> {
    const { id, organisationId, clientAppId } = session;
    await this.reviews.open(
      tx,
      [
        {
          organisationId,
          kind: 'DATA_GAP',
          theme: 'DATA_GAP',
          // The very record that is not there.
          customerId: null,
          clientAppId,
          sessionRef: id,
          priority: 'MEDIUM',
          riskScore: null,
          occurredAt: new Date(this.clock.now()),
          requestId: ctx.requestId,
          correlationId: ctx.correlationId,
        },
      ],
      { type: 'system', id: 'sessions.uploads' },
    );
  }

  /** The step that the parts beside the file make of it: the step named, or the first that still wants a file. */
  private async describe(session: SessionRow, fields: UploadFields): Promise<ArtifactDescription> {
    const step = await this.stepFor(session, fields.stepId);
    if (!step) return { kind: 'ATTACHMENT', stepId: null, documentType: null, side: null };
    const documents = step.type === 'SELFIE' ? [] : step.acceptedDocuments;
    const { documentType, side } = fields;
    if (documentType !== null && !documents.some(({ type }) => type === documentType)) {
      throw notAllowed('documentType', 'The step does not take this kind of document.');
    }
    const known = documentSides.find((one) => one === side) ?? null;
    if (side !== null && known === null) throw notAllowed('side', 'Must be FRONT or BACK.');
    return { kind: stepKindOf(step).takes ?? 'ATTACHMENT', stepId: step.id, documentType, side: known };
  }

  private async stepFor(session: SessionRow, named: string | null): Promise<UploadStep | null> {
    const { answers, uploads } = await this.given.current(session);
    const steps = visibleSteps(session.flow, answers).filter(isUploadStep);
    if (named === null) {
      return steps.find((step) => missingIn(step, answers, uploads).length > 0) ?? steps[0] ?? null;
    }
    const step = steps.find(({ id }) => id === named);
    if (!step) throw notAllowed('stepId', 'The session has no such step that takes files.');
    return step;
  }

  /** So that the page can say why, also after it was loaded anew. Without a step it stays with the one that is next. */
  private async remember(session: SessionRow, stepId: string | null, code: string): Promise<void> {
    const at = stepId ?? (await this.stepFor(session, null))?.id;
    if (at === undefined) return;
    await this.uow.run(session.organisationId, (tx) => this.progress.reject(tx, session, at, code));
  }
}

const notAllowed = (path: string, message: string): DomainError =>
  new DomainError('VALIDATION_FAILED', { details: [{ path, code: 'VALUE_NOT_ALLOWED', message }] });
