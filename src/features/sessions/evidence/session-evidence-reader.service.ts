import { Injectable } from '@nestjs/common';
import { AuditTrail, auditDraftOf } from '../../audit/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { Clock, DomainError } from '../../../platform/kernel/index.js';
import { encryptionContextOf, Vault } from '../../../platform/privacy/index.js';
import type { SessionActorContext } from '../actor-context.js';
import { textInLanguage, type Answers, type FlowStep } from '../domain/flow/flow.js';
import { readableAnswers, unrequestedAnswers, type ReadableAnswer } from '../domain/flow/readable-answers.js';
import { assessPictures, type AssessedPicture } from '../domain/flow/tries.js';
import type { SessionRow } from '../domain/records.js';
import { SessionAnswersService } from '../link/session-answers.service.js';
import type { RejectedUpload } from '../store/progress.repository.js';
import { SessionRepository } from '../store/session.repository.js';

/** A step of a flow with its answers and files. */
export interface StepEvidence {
  readonly step: FlowStep;
  readonly answers: readonly ReadableAnswer[];
  readonly files: readonly AssessedPicture[];
  readonly rejections: readonly RejectedUpload[];
}

/** All answers and files of a session. */
export interface FullEvidence {
  readonly session: SessionRow;
  readonly revealed: boolean;
  /** True if the person was erased. */
  readonly erased: boolean;
  readonly steps: readonly StepEvidence[];
  /** Answers and files that the flow does not ask for. */
  readonly answers: readonly ReadableAnswer[];
  readonly files: readonly AssessedPicture[];
}

/** The answers of a session in full, for its person. */
export interface PersonAnswers {
  readonly session: SessionRow;
  readonly flowName: string;
  readonly answers: readonly ReadableAnswer[];
}

const PAGE_SIZE = 100;

/** Reads the answers and uploads of a session, for reviewers and for the person. */
@Injectable()
export class SessionEvidenceReaderService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly vault: Vault,
    private readonly sessionAnswers: SessionAnswersService,
    private readonly sessions: SessionRepository,
  ) {}

  /**
   * Returns up to `most` sessions of a case or of its transactions; if there are none, sessions of the customer. The
   * newest first, with masked answers.
   */
  async readByCase(
    organisationId: string,
    of: {
      readonly sessionRef: string | null;
      readonly customerId: string | null;
      readonly transactionRefs: readonly string[];
    },
    most: number,
  ): Promise<FullEvidence[]> {
    const sessions = await this.sessions.listByCase(organisationId, of, most);
    return Promise.all(sessions.map((session) => this.read(session, false)));
  }

  async readMasked(session: SessionRow): Promise<FullEvidence> {
    return this.read(session, false);
  }

  /** Reads a session with full answers, after the audit trail has recorded the operator and the encrypted reason. */
  async readRevealed(ctx: SessionActorContext, session: SessionRow, reason: string): Promise<FullEvidence> {
    // The trail allows this entry only after the end of the session.
    if (session.status !== 'COMPLETED') throw new DomainError('STATE_CONFLICT');
    const evidence = await this.read(session, true);
    const { organisationId, id } = session;
    const sealed = await this.vault.sealOne(
      reason,
      this.vault.organisationSubject(organisationId),
      encryptionContextOf('kyc_sessions.revealed', id, organisationId),
    );
    const now = new Date(this.clock.now());
    const content = { sealedReason: sealed.toString('base64') };
    await this.uow.run(organisationId, (tx) =>
      this.audit.record(tx, auditDraftOf(ctx, 'session', id, 'session.answers_revealed', now, content)),
    );
    return evidence;
  }

  /**
   * Returns a customer's answers in all sessions, newest first. Unless it ended APPROVED, a session is left out if its
   * answers contradict the profile: another person may have answered.
   */
  async statementsOf(organisationId: string, customerId: string): Promise<PersonAnswers[]> {
    const statements: PersonAnswers[] = [];
    for (let before: string | null = null; ;) {
      const page = await this.sessions.page(organisationId, { customerId }, before, PAGE_SIZE);
      for (const session of page) {
        const answers = isOwnStatement(session) ? await this.sessionAnswers.readAnswers(session) : null;
        if (answers) statements.push(toPersonAnswers(session, answers));
      }
      if (page.length < PAGE_SIZE) return statements;
      before = page.at(-1)?.id ?? null;
    }
  }

  private async read(session: SessionRow, revealed: boolean): Promise<FullEvidence> {
    const { answers: saved, uploads, rejections } = await this.sessionAnswers.read(session);
    const submittedAnswers = session.answersSealed ? await this.sessionAnswers.readAnswers(session) : saved;
    const answers = submittedAnswers ?? {};
    const { steps } = session.flow;
    const stepIds = new Set(steps.map(({ id }) => id));
    const assessedPictures = assessPictures(uploads);
    return {
      ...{ session, revealed, erased: submittedAnswers === null },
      steps: steps.map((step) => ({
        step,
        answers: readableAnswers(step, answers, revealed),
        files: assessedPictures.filter(({ file }) => file.stepId === step.id),
        rejections: rejections.filter(({ stepId }) => stepId === step.id),
      })),
      answers: unrequestedAnswers(steps, answers, revealed),
      files: assessedPictures.filter(({ file: { stepId } }) => stepId === null || !stepIds.has(stepId)),
    };
  }
}

const isOwnStatement = ({ outcome, evidence }: SessionRow): boolean =>
  outcome === 'APPROVED' || !evidence.some(({ name, state }) => name === 'PROFILE' && state === 'HIT');

const toPersonAnswers = (session: SessionRow, answers: Answers): PersonAnswers => ({
  session,
  flowName: textInLanguage(session.flow.name, 'pt-BR'),
  answers: [
    ...session.flow.steps.flatMap((step) => readableAnswers(step, answers, true)),
    ...unrequestedAnswers(session.flow.steps, answers, true),
  ].filter(({ text }) => text !== null),
});
