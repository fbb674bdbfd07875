import { Injectable } from '@nestjs/common';
import { ClientAppQueries } from '../../auth/index.js';
import type { KnownArtifact } from '../../uploads/index.js';
import type {
  PublicSessionView,
  RejectionView,
  UploadConstraintsView,
} from '../api/public-session.view.dto.js';
import { textIn, type Language } from '../domain/flow/flow.js';
import { publicSteps, type StepRecord } from '../domain/public-view.js';
import type { SessionRow } from '../domain/records.js';
import { rejectionText } from '../domain/checks/rejections.js';
import type { RejectedUpload } from '../store/progress.repository.js';
import { SessionAnswers, taken } from './session-answers.service.js';

/** The limits of a file; decisions.md, section 6. */
export const UPLOAD_LIMITS: UploadConstraintsView = {
  mimeTypes: ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'],
  maxBytes: 10 * 1_024 * 1_024,
  maxSidePx: 8_000,
};

/** Puts together the data of a session's page; never an answer that was given. */
@Injectable()
export class PublicSessionPage {
  constructor(
    private readonly apps: ClientAppQueries,
    private readonly given: SessionAnswers,
  ) {}

  async of(session: SessionRow, language: Language): Promise<PublicSessionView> {
    const app = await this.apps.one(session.organisationId, session.clientAppId);
    const common = {
      flowName: textIn(session.flow.name, language),
      branding: {
        name: app?.publicName ?? '',
        logoUrl: app?.logoUrl ?? null,
        primaryColor: app?.primaryColor ?? null,
      },
      status: session.status,
    };
    if (session.status !== 'PENDING') return { steps: [], ...common };
    const { answers, uploads, rejections, attempts } = await this.given.of(session);
    const drawn = publicSteps(
      session.flow,
      answers,
      taken(uploads),
      recordsOf(uploads, rejections, attempts, language),
      UPLOAD_LIMITS,
      language,
    );
    return { ...drawn, ...common, expiresAt: session.expiresAt.toISOString() };
  }
}

/** How often something was sent for each step, and why the last file was not taken if none came after it. */
function recordsOf(
  uploads: readonly KnownArtifact[],
  rejections: readonly RejectedUpload[],
  saved: ReadonlyMap<string, number>,
  language: Language,
): ReadonlyMap<string, StepRecord> {
  const records = new Map<string, StepRecord>();
  for (const [stepId, attempts] of saved) records.set(stepId, { attempts, lastRejection: null });
  const sent = [
    ...uploads.map(({ stepId, createdAt }) => ({ stepId, at: createdAt, rejection: null })),
    ...rejections.map(({ stepId, createdAt, rejection }) => ({ stepId, at: createdAt, rejection })),
  ].sort((a, b) => a.at.getTime() - b.at.getTime());
  for (const { stepId, rejection } of sent) {
    if (stepId === null) continue;
    const lastRejection: RejectionView | null =
      rejection === null ? null : { code: rejection, message: rejectionText(rejection, language) };
    records.set(stepId, { attempts: (records.get(stepId)?.attempts ?? 0) + 1, lastRejection });
  }
  return records;
}
