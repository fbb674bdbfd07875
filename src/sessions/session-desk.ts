import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditTrail, stepOf } from '../audit/index.js';
import { ClientAppQueries } from '../auth/index.js';
import { Settings } from '../config/index.js';
import { UnitOfWork } from '../database/index.js';
import { canonicalJson } from '../kernel/canonical-json.js';
import { Clock, DomainError, publicId } from '../kernel/index.js';
import { LocalDays } from '../kernel/local-day.js';
import { Outbox } from '../queue/index.js';
import type { KnownArtifact } from '../uploads/index.js';
import type { Acting } from './acting.js';
import { judgeAnswers, keysOf, missingIn, missingInFlow, type StepUpload } from './domain/answers.js';
import { visibleSteps, textIn, type Answers, type Language } from './domain/flow.js';
import {
  publicSteps,
  type Progress,
  type PublicStep,
  type Rejection,
  type StepRecord,
  type UploadConstraints,
} from './domain/public-view.js';
import type { SessionStatus } from './domain/session.js';
import { rejectionText } from './domain/rejections.js';
import { SessionAnswers, taken } from './session-answers.js';
import { SessionLinks } from './session-links.js';
import { ProgressRepository, type RejectedUpload } from './store/progress.repository.js';
import type { SessionRow } from './domain/records.js';
import { SessionRepository } from './store/session.repository.js';

/** What the page of a session is drawn from. */
export interface PublicSession {
  readonly steps: readonly PublicStep[];
  readonly flowName: string;
  readonly branding: {
    readonly name: string;
    readonly logoUrl: string | null;
    readonly primaryColor: string | null;
  };
  readonly status: SessionStatus;
  /** Left out once the session is over. */
  readonly expiresAt?: string;
  readonly currentStepId?: string | null;
  readonly progress?: Progress;
}

/** What came of a submission. */
export interface Submitted {
  readonly submittedAt: Date;
  /** The same submission had been made before. */
  readonly repeated: boolean;
}

/** The limits of a file; decisions.md, section 6. */
export const UPLOAD_LIMITS: UploadConstraints = {
  mimeTypes: ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'],
  maxBytes: 10 * 1_024 * 1_024,
  maxSidePx: 8_000,
};

/** What whoever holds the link of a session can do with it. Nothing that was given is ever shown again. */
@Injectable()
export class SessionDesk {
  private readonly days = new LocalDays();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly settings: Settings,
    private readonly apps: ClientAppQueries,
    private readonly given: SessionAnswers,
    private readonly links: SessionLinks,
    private readonly sessions: SessionRepository,
    private readonly progress: ProgressRepository,
  ) {}

  /** The session behind a link; SESSION_NOT_FOUND for a malformed id as for an unknown one. */
  async at(sessionId: string): Promise<SessionRow> {
    const hash = this.links.hashOf(sessionId);
    const session = hash && (await this.sessions.byLink(hash));
    if (!session) throw new DomainError('SESSION_NOT_FOUND');
    return session;
  }

  async view(session: SessionRow, language: Language): Promise<PublicSession> {
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

  /** Keeps the answers of one step, so that the person can go on later; they replace what was answered there before. */
  async saveStep(
    session: SessionRow,
    stepId: string,
    userData: Readonly<Record<string, unknown>>,
    language: Language,
  ): Promise<PublicSession> {
    mustBePending(session);
    const { answers, uploads } = await this.given.of(session);
    const step = visibleSteps(session.flow, answers).find(({ id }) => id === stepId);
    const keys = step ? keysOf(step) : [];
    if (!step || keys.length === 0) throw new DomainError('STEP_NOT_FOUND');
    const problems = [
      ...judgeAnswers(session.flow, userData, this.today()),
      ...Object.keys(userData)
        .filter((key) => !keys.includes(key) && judged(session, key))
        .map((key) => ({
          path: `userData.${key}`,
          code: 'OTHER_STEP',
          message: 'It belongs to another step.',
        })),
    ];
    if (problems.length > 0) throw new DomainError('VALIDATION_FAILED', { details: problems });
    const incomplete = missingIn(step, userData as Answers, taken(uploads));
    if (incomplete.length > 0) throw new DomainError('STEPS_INCOMPLETE', { details: incomplete });
    const sealed = await this.given.sealStep(session, stepId, userData);
    const saved = await this.uow.run(session.organisationId, (tx) =>
      this.progress.save(tx, session, stepId, sealed),
    );
    const now = await this.again(session);
    if (!saved) mustBePending(now);
    return this.view(now, language);
  }

  /**
   * Takes the submission: PENDING to PROCESSING. The same body again is answered as before; another one is refused with
   * SESSION_ALREADY_SUBMITTED, a late one with SESSION_EXPIRED.
   */
  async complete(
    acting: Acting,
    session: SessionRow,
    userData: Readonly<Record<string, unknown>>,
  ): Promise<Submitted> {
    const hash = this.fingerprint(session, userData);
    if (session.status !== 'PENDING') return repeated(session, hash);
    const problems = judgeAnswers(session.flow, userData, this.today());
    if (problems.length > 0) throw new DomainError('VALIDATION_FAILED', { details: problems });
    const given = await this.given.of(session);
    const answers: Answers = { ...given.answers, ...(userData as Answers) };
    const uploads = taken(given.uploads);
    const missing = missingInFlow(
      session.flow,
      answers,
      withSelfie(session, answers, given.uploads, uploads),
    );
    if (missing.length > 0) {
      // Whoever submitted in the meantime took the saved answers along; then this is a repetition.
      const now = await this.again(session);
      if (now.status !== 'PENDING') return repeated(now, hash);
      throw new DomainError('STEPS_INCOMPLETE', { details: missing });
    }
    const { subject, answersSealed } = await this.given.seal(session, answers);
    const submittedAt = await this.uow.run(session.organisationId, async (tx) => {
      const at = await this.sessions.submit(tx, session, {
        hash,
        answersSealed,
        subjectIndex: subject.index,
      });
      if (!at) return null;
      await this.audit.record(tx, [
        stepOf(acting, 'session', session.id, 'session.submitted', at, {
          answered: Object.keys(answers).sort(),
          artifacts: given.uploads.map(({ id }) => publicId('art', id)),
        }),
      ]);
      this.outbox.append(tx, 'sessions.checks', [session.id]);
      return at;
    });
    if (submittedAt) return { submittedAt, repeated: false };
    return repeated(await this.again(session), hash);
  }

  private async again(session: SessionRow): Promise<SessionRow> {
    const now = await this.sessions.find(session.organisationId, session.id);
    if (!now) throw new DomainError('SESSION_NOT_FOUND');
    return now;
  }

  /** Keyed: a plain hash of a few known fields could be guessed. */
  private fingerprint(session: SessionRow, userData: Readonly<Record<string, unknown>>): Buffer {
    return createHmac('sha256', this.settings.clientSecretPepper)
      .update(`submission\0${session.id}\0${canonicalJson(userData)}`)
      .digest();
  }

  private today(): string {
    const { year, month, day } = this.days.dayOf(this.clock.now());
    return `${String(year)}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  }
}

/** Throws what a session says that takes nothing any more. */
export function mustBePending(session: Pick<SessionRow, 'status'>): void {
  if (session.status === 'EXPIRED') throw new DomainError('SESSION_EXPIRED');
  if (session.status !== 'PENDING') throw new DomainError('SESSION_ALREADY_SUBMITTED');
}

function repeated(session: SessionRow, hash: Buffer): Submitted {
  if (session.status === 'EXPIRED') throw new DomainError('SESSION_EXPIRED');
  if (!session.submittedAt || session.submissionHash?.equals(hash) !== true) {
    throw new DomainError('SESSION_ALREADY_SUBMITTED');
  }
  return { submittedAt: session.submittedAt, repeated: true };
}

const judged = ({ flow }: SessionRow, key: string): boolean =>
  flow.steps.some((step) => keysOf(step).includes(key)) ||
  key === 'name' ||
  key === 'cpf' ||
  key === 'selfie_url';

/** `selfie_url` stands for an artifact of this session and for nothing else. */
function withSelfie(
  { flow }: SessionRow,
  answers: Answers,
  uploads: readonly KnownArtifact[],
  known: readonly StepUpload[],
): readonly StepUpload[] {
  const step = flow.steps.find(({ type }) => type === 'SELFIE');
  const own = uploads.some(({ id }) => publicId('art', id) === answers['selfie_url']);
  return step && own ? [...known, { stepId: step.id, documentType: null, side: null }] : known;
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
    const lastRejection: Rejection | null =
      rejection === null ? null : { code: rejection, message: rejectionText(rejection, language) };
    records.set(stepId, { attempts: (records.get(stepId)?.attempts ?? 0) + 1, lastRejection });
  }
  return records;
}
