import { Injectable } from '@nestjs/common';
import { ClientAppQueries, logoUrlOf } from '../../auth/index.js';
import { allowsSandboxScenarios, Settings } from '../../../platform/config/index.js';
import { Clock, magicAnswer } from '../../../platform/kernel/index.js';
import { CustomersService } from '../../customers/index.js';
import { today } from '../../screening/index.js';
import type { KnownArtifact } from '../../uploads/index.js';
import type { PublicSession, Rejection, TestPerson, UploadConstraints } from '../domain/public-session.js';
import { textInLanguage, type FlowLanguage } from '../domain/flow/flow.js';
import { MAX_RESUBMISSIONS, planSession, type ReopenedSteps } from '../domain/plan.js';
import { publicNotice } from '../domain/making/privacy-notice.js';
import { protocolNumberOf } from '../domain/making/protocol.js';
import { publicSteps, type StepRecord } from '../domain/public-view.js';
import type { SessionRow } from '../domain/records.js';
import { assessPictures } from '../domain/flow/tries.js';
import { rejectionText } from '../domain/checks/rejections.js';
import { PrivacyNoticesService } from '../privacy-notices.service.js';
import { ProgressRepository, type RejectedUpload } from '../store/progress.repository.js';
import { SessionReuseService } from '../verified/session-reuse.service.js';
import { SessionAnswersService } from './session-answers.service.js';

/** The limits of a file; decisions.md, section 6. */
export const UPLOAD_LIMITS: UploadConstraints = {
  mimeTypes: ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'],
  maxBytes: 10 * 1_024 * 1_024,
  maxSidePx: 8_000,
};

/** Composes the data of a session's page, without any answer. */
@Injectable()
export class PublicSessionPageService {
  constructor(
    private readonly apps: ClientAppQueries,
    private readonly sessionAnswers: SessionAnswersService,
    private readonly notices: PrivacyNoticesService,
    private readonly clock: Clock,
    private readonly settings: Settings,
    private readonly progress: ProgressRepository,
    private readonly reuse: SessionReuseService,
    private readonly customers: CustomersService,
  ) {}

  async render(session: SessionRow, language: FlowLanguage): Promise<PublicSession> {
    const { organisationId, round } = session;
    const app = await this.apps.findOne(organisationId, session.clientAppId);
    const common = {
      flowName: textInLanguage(session.flow.name, language),
      branding: {
        name: app?.publicName ?? '',
        logoUrl: app ? logoUrlOf(app, this.settings) : null,
        primaryColor: app?.primaryColor ?? null,
      },
      status: session.status,
    };
    if (session.status === 'EXPIRED') return { steps: [], ...common };
    if (session.status !== 'PENDING') {
      const { redirectUrl } = await this.sessionAnswers.readExtras(session);
      return {
        steps: [],
        ...common,
        protocol: protocolNumberOf(session.id),
        ...(redirectUrl !== null && { redirectUrl }),
      };
    }
    const submittedAnswers = await this.sessionAnswers.read(session);
    const { answers, current, taken, rejections, attempts, extras, reopened } = submittedAnswers;
    const reusable = await this.reuse.findOffer(session);
    const testPerson = await this.findTestPerson(session);
    const notice = await this.notices.findVersion(organisationId, session.noticeVersion);
    const drawn = publicSteps(
      planSession(session, submittedAnswers, today(this.clock.now())).steps,
      // A step that is asked again is answered by the person in full.
      { answers, taken, prefill: reopened ? {} : extras.prefill },
      recordsOf(current, rejections, attempts, reopened, language),
      UPLOAD_LIMITS,
      language,
    );
    if (drawn.currentStepId !== null) await this.progress.recordVisit(session, drawn.currentStepId, false, 0);
    return {
      ...drawn,
      ...common,
      expiresAt: session.expiresAt.toISOString(),
      ...(extras.redirectUrl !== null && { redirectUrl: extras.redirectUrl }),
      ...(reusable && {
        reusable: {
          verifiedOn: (reusable.source.endedAt ?? reusable.source.createdAt).toISOString().slice(0, 10),
          steps: reusable.steps,
        },
      }),
      ...(reopened && { resubmission: { round: round - 1, of: MAX_RESUBMISSIONS } }),
      ...(notice && { privacyNotice: publicNotice(notice, language) }),
      ...(testPerson && { testPerson }),
    };
  }

  /** Returns the customer of a magic document; null outside of the sandbox and for everybody else. */
  private async findTestPerson({ organisationId, customerId }: SessionRow): Promise<TestPerson | null> {
    if (!allowsSandboxScenarios(this.settings)) return null;
    const { name, document } = (await this.customers.find(organisationId, customerId))?.profile ?? {};
    return name && document && magicAnswer(document) !== null ? { name, cpf: document } : null;
  }
}

/** Returns how many files or answers each step got, and why its last file was refused. */
function recordsOf(
  uploads: readonly KnownArtifact[],
  rejections: readonly RejectedUpload[],
  saved: ReadonlyMap<string, number>,
  reopened: ReopenedSteps | null,
  language: FlowLanguage,
): ReadonlyMap<string, StepRecord> {
  const records = new Map<string, StepRecord>();
  for (const [stepId, { code, message }] of reopened?.steps ?? []) {
    const words = typeof message === 'string' ? message : textInLanguage(message, language);
    records.set(stepId, { attempts: 0, lastRejection: { code, message: words } });
  }
  for (const [stepId, attempts] of saved) records.set(stepId, { attempts, lastRejection: null });
  const sent = [
    ...assessPictures(uploads).map(({ file: { stepId, createdAt }, flaws, triesLeft }) => ({
      stepId,
      at: createdAt,
      rejection: triesLeft > 0 ? (flaws[0] ?? null) : null,
    })),
    ...rejections
      .filter(({ createdAt }) => !reopened || createdAt > reopened.askedAt)
      .map(({ stepId, createdAt, rejection }) => ({ stepId, at: createdAt, rejection })),
  ].sort((a, b) => a.at.getTime() - b.at.getTime());
  for (const { stepId, rejection } of sent) {
    if (stepId === null) continue;
    const lastRejection: Rejection | null =
      rejection === null ? null : { code: rejection, message: rejectionText(rejection, language) };
    records.set(stepId, { attempts: (records.get(stepId)?.attempts ?? 0) + 1, lastRejection });
  }
  return records;
}
