import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditTrail, stepOf } from '../../audit/index.js';
import { Settings } from '../../config/index.js';
import { UnitOfWork } from '../../database/index.js';
import { canonicalJson } from '../../kernel/values/canonical-json.js';
import { Clock, DomainError, publicId } from '../../kernel/index.js';
import { BRAZIL_TIME_ZONE, localDayIn } from '../../kernel/values/local-day.js';
import { Outbox } from '../../queue/index.js';
import type { KnownArtifact } from '../../uploads/index.js';
import type { ActorContext } from '../actor-context.js';
import { judgeAnswers, keysOf, missingIn, missingInFlow } from '../domain/flow/answers.js';
import type { StepUpload } from '../domain/flow/inputs.js';
import { visibleSteps, type Answers } from '../domain/flow/flow.js';
import { SessionAnswers, taken } from './session-answers.service.js';
import { SessionLinks } from './session-links.js';
import { ProgressRepository } from '../store/progress.repository.js';
import type { SessionRow } from '../domain/records.js';
import { SessionRepository } from '../store/session.repository.js';

const dayOf = localDayIn(BRAZIL_TIME_ZONE);

/** The result of a submission. */
export interface Submitted {
  readonly submittedAt: Date;
  /** The same submission had been made before. */
  readonly repeated: boolean;
}

/** Serves the holder of a session's link. No answer is ever shown again. */
@Injectable()
export class PublicSessionService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly settings: Settings,
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

  /** Keeps the answers of one step, so that the person can go on later; they replace what was answered there before. */
  async saveStep(
    session: SessionRow,
    stepId: string,
    userData: Readonly<Record<string, unknown>>,
  ): Promise<SessionRow> {
    mustBePending(session);
    const { answers, uploads } = await this.given.of(session);
    const step = visibleSteps(session.flow, answers).find(({ id }) => id === stepId);
    const keys = step ? keysOf(step) : [];
    if (!step || keys.length === 0) throw new DomainError('STEP_NOT_FOUND');
    const problems = [
      ...judgeAnswers(session.flow, userData, dayOf(this.clock.now())),
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
    return now;
  }

  /**
   * Takes the submission: PENDING to PROCESSING. The same body again is answered as before; another one is refused with
   * SESSION_ALREADY_SUBMITTED, a late one with SESSION_EXPIRED.
   */
  async complete(
    ctx: ActorContext,
    session: SessionRow,
    userData: Readonly<Record<string, unknown>>,
  ): Promise<Submitted> {
    const hash = this.fingerprint(session, userData);
    if (session.status !== 'PENDING') return repeated(session, hash);
    const problems = judgeAnswers(session.flow, userData, dayOf(this.clock.now()));
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
      // Anybody who submitted in the meantime took the saved answers along; then this is a repetition.
      const now = await this.again(session);
      if (now.status !== 'PENDING') return repeated(now, hash);
      throw new DomainError('STEPS_INCOMPLETE', { details: missing });
    }
    const { subject, answersSealed } = await this.given.seal(session, answers);
    const submittedAt = await this.uow.run(session.organisationId, async (tx) => {
      const at = await this.sessions.submit(tx, session, {
        submissionHash: hash,
        answersSealed,
        subjectIndex: subject.index,
      });
      if (!at) return null;
      await this.audit.record(tx, [
        stepOf(ctx, 'session', session.id, 'session.submitted', at, {
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
