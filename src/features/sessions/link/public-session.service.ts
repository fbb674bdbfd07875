import { Injectable } from '@nestjs/common';
import { AuditTrail, auditDraftOf } from '../../audit/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { Clock, DomainError, orThrow, publicId } from '../../../platform/kernel/index.js';
import { BRAZIL_TIME_ZONE, localDayIn } from '../../../platform/kernel/values/local-day.js';
import { Outbox } from '../../../platform/queue/index.js';
import type { SessionActorContext } from '../actor-context.js';
import {
  isStepStarted,
  validateAnswers,
  answerKeysOf,
  missingParts,
  missingInFlow,
} from '../domain/flow/answers.js';
import type { AnswerProblem, StepUpload } from '../domain/flow/inputs.js';
import { assessPictures } from '../domain/flow/tries.js';
import type { Answers } from '../domain/flow/flow.js';
import { planSession, type SessionPlan } from '../domain/plan.js';
import { SessionAnswersService, type SubmittedAnswers } from './session-answers.service.js';
import { SessionCodesService } from './session-codes.service.js';
import { SessionLinkFactory } from './session-link-factory.js';
import { ProgressRepository } from '../store/progress.repository.js';
import type { SessionRow } from '../domain/records.js';
import { SessionRepository } from '../store/session.repository.js';

const dayOf = localDayIn(BRAZIL_TIME_ZONE);

export interface SubmissionReceipt {
  readonly submittedAt: Date;
  /** True if the submission repeats an earlier submission. */
  readonly repeated: boolean;
}

/** Serves the person who has the link of a session. Answers are never returned. */
@Injectable()
export class PublicSessionService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly sessionAnswers: SessionAnswersService,
    private readonly codes: SessionCodesService,
    private readonly links: SessionLinkFactory,
    private readonly sessions: SessionRepository,
    private readonly progress: ProgressRepository,
  ) {}

  /** Returns the session of a link. Throws SESSION_NOT_FOUND for a malformed or unknown id. */
  async findByLink(sessionId: string): Promise<SessionRow> {
    const hash = this.links.hashOf(sessionId);
    const session = hash && (await this.sessions.findByLink(hash));
    if (!session) throw new DomainError('SESSION_NOT_FOUND');
    return session;
  }

  /** Stores the answers of one step and replaces earlier answers, so that the person can continue later. */
  async saveStep(
    session: SessionRow,
    stepId: string,
    given: Readonly<Record<string, unknown>>,
  ): Promise<SessionRow> {
    requirePending(session);
    const soFar = await this.sessionAnswers.read(session);
    const plan = planSession(session, soFar, this.today());
    const step = plan.steps.find(({ id }) => id === stepId);
    const keys = step ? answerKeysOf(step) : [];
    if (!step || keys.length === 0) throw new DomainError('STEP_NOT_FOUND');
    const problems = [
      ...validateAnswers(session.flow, given, this.today()),
      ...Object.keys(given)
        .filter((key) => !keys.includes(key) && isAcceptedKey(session, key))
        .map((key) => ({
          path: `userData.${key}`,
          code: 'OTHER_STEP',
          message: 'It belongs to another step.',
        })),
    ];
    if (problems.length > 0) throw new DomainError('VALIDATION_FAILED', { details: problems });
    const userData = await this.codes.verify(session, given as Answers);
    // Prefilled answers count, so the person need not give them, unless the step is asked again.
    const isAgain = soFar.reopened?.steps.has(stepId) === true;
    const incomplete = missingParts(
      step,
      { ...(isAgain ? {} : soFar.extras.prefill), ...userData },
      soFar.taken,
    );
    if (incomplete.length > 0) throw new DomainError('STEPS_INCOMPLETE', { details: incomplete });
    // Only what the person gave is stored as theirs.
    const sealed = await this.sessionAnswers.encryptStep(session, stepId, userData);
    const saved = await this.uow.run(session.organisationId, (tx) =>
      this.progress.save(tx, session, stepId, sealed),
    );
    const now = await this.reread(session);
    if (!saved) requirePending(now);
    await this.progress.recordVisit(session, stepId, true, 1);
    return now;
  }

  /**
   * Submits the session: PENDING to PROCESSING. The same body again gets the same response. Throws
   * SESSION_ALREADY_SUBMITTED for another body, and SESSION_EXPIRED if it is too late.
   */
  async complete(
    ctx: SessionActorContext,
    session: SessionRow,
    given: Readonly<Record<string, unknown>>,
  ): Promise<SubmissionReceipt> {
    const hash = this.links.fingerprint(session.id, given);
    if (session.status !== 'PENDING') return repeatedReceipt(session, hash);
    const soFar = await this.sessionAnswers.read(session);
    const problems = [
      ...validateAnswers(session.flow, given, this.today()),
      ...this.findUnrequested(session, soFar, given),
    ];
    if (problems.length > 0) throw new DomainError('VALIDATION_FAILED', { details: problems });
    const userData = await this.codes.verify(session, given as Answers);
    const answers: Answers = { ...soFar.answers, ...userData };
    const takenUploads = withSelfie(session, answers, soFar);
    const plan = planSession(session, { ...soFar, answers, taken: takenUploads }, this.today());
    const missingAnswers = missingInFlow(plan.flow, answers, takenUploads);
    if (missingAnswers.length > 0) {
      // A concurrent submission may have consumed the saved answers; this submission may repeat it.
      const now = await this.reread(session);
      if (now.status !== 'PENDING') return repeatedReceipt(now, hash);
      throw new DomainError('STEPS_INCOMPLETE', { details: missingAnswers });
    }
    const { subject, answersSealed } = await this.sessionAnswers.encryptAnswers(session, answers);
    const extrasSealed = await this.sessionAnswers.encryptUnsent(session, soFar, subject, userData);
    const submittedAt = await this.uow.run(session.organisationId, async (tx) => {
      const at = await this.sessions.submit(tx, session, {
        submissionHash: hash,
        answersSealed,
        subjectIndex: subject.index,
        extrasSealed,
      });
      if (!at) return null;
      await this.audit.record(
        tx,
        auditDraftOf(ctx, 'session', session.id, 'session.submitted', at, {
          answered: Object.keys(answers).sort(),
          artifacts: soFar.uploads.map(({ id }) => publicId('art', id)),
          ...(session.noticeVersion !== null && { noticeVersion: session.noticeVersion }),
          ...(session.round > 1 && { round: session.round }),
        }),
      );
      this.outbox.append(tx, 'sessions.checks', [session.id]);
      return at;
    });
    if (submittedAt) {
      await this.recordVisits(session, plan, answers, takenUploads);
      return { submittedAt, repeated: false };
    }
    return repeatedReceipt(await this.reread(session), hash);
  }

  /** Records as done the steps that arrived only with the submission. */
  private async recordVisits(
    session: SessionRow,
    { steps }: SessionPlan,
    answers: Answers,
    taken: readonly StepUpload[],
  ): Promise<void> {
    for (const step of steps) {
      const isDone =
        step.type === 'INFO' ||
        (isStepStarted(step, answers, taken) && missingParts(step, answers, taken).length === 0);
      if (isDone) await this.progress.recordVisit(session, step.id, true, 0);
    }
  }

  private today(): string {
    return dayOf(this.clock.now());
  }

  /** Reports answers that a later round does not ask for. */
  private findUnrequested(
    session: SessionRow,
    soFar: SubmittedAnswers,
    given: Readonly<Record<string, unknown>>,
  ): readonly AnswerProblem[] {
    if (!soFar.reopened) return [];
    const answerKeys = planSession(session, soFar, this.today()).steps.flatMap(answerKeysOf);
    return Object.keys(given)
      .filter((key) => !answerKeys.includes(key) && isAcceptedKey(session, key) && key !== 'selfie_url')
      .map((key) => ({
        path: `userData.${key}`,
        code: 'NOT_ASKED_AGAIN',
        message: 'It was answered before, and is not asked for again.',
      }));
  }

  private async reread(session: SessionRow): Promise<SessionRow> {
    return orThrow(await this.sessions.find(session.organisationId, session.id), 'SESSION_NOT_FOUND');
  }
}

/** Throws the error for a session that no longer accepts input. */
export function requirePending(session: Pick<SessionRow, 'status'>): void {
  if (session.status === 'EXPIRED') throw new DomainError('SESSION_EXPIRED');
  if (session.status !== 'PENDING') throw new DomainError('SESSION_ALREADY_SUBMITTED');
}

function repeatedReceipt(session: SessionRow, hash: Buffer): SubmissionReceipt {
  if (session.status === 'EXPIRED') throw new DomainError('SESSION_EXPIRED');
  if (!session.submittedAt || session.submissionHash?.equals(hash) !== true) {
    throw new DomainError('SESSION_ALREADY_SUBMITTED');
  }
  return { submittedAt: session.submittedAt, repeated: true };
}

const isAcceptedKey = ({ flow }: SessionRow, key: string): boolean =>
  flow.steps.some((step) => answerKeysOf(step).includes(key)) ||
  key === 'name' ||
  key === 'cpf' ||
  key === 'selfie_url';

/** Adds the picture that `selfie_url` names to the accepted files. It can only name an artifact of this session. */
function withSelfie(
  { flow }: SessionRow,
  answers: Answers,
  { current, taken }: SubmittedAnswers,
): readonly StepUpload[] {
  const step = flow.steps.find(({ type }) => type === 'SELFIE');
  const namedPicture = assessPictures(current).find(
    ({ file }) => publicId('art', file.id) === answers['selfie_url'],
  );
  // A picture for which a better picture was requested does not count, even if it is named.
  const counts = namedPicture !== undefined && (namedPicture.counts || namedPicture.flaws.length === 0);
  return step && counts ? [...taken, { stepId: step.id, documentType: null, side: null }] : taken;
}
