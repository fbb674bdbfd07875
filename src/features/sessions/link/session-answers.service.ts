import { Injectable } from '@nestjs/common';
import { customerSubject } from '../../customers/index.js';
import { BlindIndex, encryptionContextOf, Vault, type SubjectRef } from '../../../platform/privacy/index.js';
import { ArtifactsService, type KnownArtifact } from '../../uploads/index.js';
import { NO_EXTRAS, type SessionExtras } from '../domain/making/extras.js';
import { reusedAnswers, reusedFiles } from '../domain/flow-life/reuse.js';
import { answerKeysOf } from '../domain/flow/answers.js';
import type { Answers } from '../domain/flow/flow.js';
import type { StepUpload } from '../domain/flow/inputs.js';
import { declaredSubject } from '../domain/flow/roles.js';
import { acceptedFiles, lastSentAt, type SessionFile } from '../domain/flow/tries.js';
import type { StepResubmission, ReopenedSteps, SessionProgress } from '../domain/plan.js';
import type { SessionRow } from '../domain/records.js';
import { CodeRepository } from '../store/code.repository.js';
import { ProgressRepository, type RejectedUpload, type SavedStep } from '../store/progress.repository.js';
import { SessionRepository } from '../store/session.repository.js';
import { RoundRepository } from '../store/round.repository.js';
import { addressHash } from './session-codes.js';

/** The current answers and uploads, and the refused uploads. */
export interface SubmittedAnswers extends SessionProgress {
  readonly answers: Answers;
  /** All files, in upload order. */
  readonly uploads: readonly SessionFile[];
  /** The files that count in the current round. */
  readonly current: readonly SessionFile[];
  /** The files that their steps accept. */
  readonly taken: readonly StepUpload[];
  readonly rejections: readonly RejectedUpload[];
  readonly attempts: ReadonlyMap<string, number>;
  readonly extras: SessionExtras;
  /** Keys of the answers that the person has sent in this round. */
  readonly sent: ReadonlySet<string>;
}

/** Encrypts the answers of a session, and decrypts them for the checks. */
@Injectable()
export class SessionAnswersService {
  constructor(
    private readonly vault: Vault,
    private readonly index: BlindIndex,
    private readonly artifacts: ArtifactsService,
    private readonly progress: ProgressRepository,
    private readonly rounds: RoundRepository,
    private readonly codes: CodeRepository,
    private readonly sessions: SessionRepository,
  ) {}

  /** Returns the submitted answers; null if the person was erased. */
  async readAnswers(session: SessionRow): Promise<Answers | null> {
    return this.decryptJson<Answers>(session.answersSealed, answersContext(session));
  }

  /** Returns the creator's extras; NO_EXTRAS if the person was erased. */
  async readExtras(session: SessionRow): Promise<SessionExtras> {
    return (
      (await this.decryptJson<SessionExtras>(session.extrasSealed, extrasEncryptionContext(session))) ??
      NO_EXTRAS
    );
  }

  /** Returns the answers that the person stands behind: without prefilled ones that they never sent. */
  async withoutUnsent(session: SessionRow, answers: Answers): Promise<Answers> {
    const { unsent = [] } = await this.readExtras(session);
    return Object.fromEntries(Object.entries(answers).filter(([key]) => !unsent.includes(key)));
  }

  /** Encrypts the extras with the prefilled keys that the person has not sent until this submission. */
  async encryptUnsent(
    session: SessionRow,
    { extras, sent }: Pick<SubmittedAnswers, 'extras' | 'sent'>,
    subject: SubjectRef,
    userData: Answers,
  ): Promise<Buffer | null> {
    const before = extras.unsent ?? Object.keys(extras.prefill);
    if (before.length === 0) return session.extrasSealed;
    const unsent = before.filter((key) => !sent.has(key) && userData[key] === undefined).sort();
    return this.vault.sealOne(
      JSON.stringify({ ...extras, unsent }),
      subject,
      extrasEncryptionContext(session),
    );
  }

  /** Returns the uploads that are still stored, in upload order. */
  async listUploads(session: SessionRow): Promise<readonly SessionFile[]> {
    return (await this.readFiles(session)).uploads;
  }

  private async readFiles({
    organisationId,
    id,
  }: SessionRow): Promise<Pick<SubmittedAnswers, 'uploads' | 'rejections'>> {
    const [all, { rejections, repeated }] = await Promise.all([
      this.artifacts.listByOwner(organisationId, { type: 'SESSION', id }),
      this.progress.readUploads(organisationId, id),
    ]);
    const uploads = all
      .filter(({ state }) => state === 'STORED')
      .map((file) => ({ ...file, repeatedAt: repeated.get(file.id) ?? null }));
    return { uploads, rejections };
  }

  /** Returns the uploads for the checks. For a step requested again, only the later uploads, if any. */
  async listUploadsForChecks(session: SessionRow): Promise<SessionFile[]> {
    const reused = await this.readReused(session);
    const uploads: SessionFile[] = [...reused.files, ...(await this.listUploads(session))];
    if (session.round === 1) return uploads;
    const rounds = await this.rounds.listBySession(session.organisationId, session.id);
    return uploads.filter((file) => {
      const latestRound = rounds.findLast((round) =>
        round.asked.some(({ stepId }) => stepId === file.stepId),
      );
      const later = uploads.some(
        (other) =>
          other.stepId === file.stepId &&
          latestRound !== undefined &&
          lastSentAt(other) > latestRound.askedAt,
      );
      return latestRound === undefined || !later || lastSentAt(file) > latestRound.askedAt;
    });
  }

  /** Returns the answers and uploads after a submission; sets `reopened` if the round expired unanswered. */
  async readAfterSubmission(session: SessionRow, answers: Answers): Promise<SessionProgress> {
    const current = await this.listUploadsForChecks(session);
    const lapsed = session.round > 1 && session.submissionHash === null;
    const { round } = session;
    const row = lapsed ? await this.rounds.find(session.organisationId, session.id, round) : null;
    return {
      answers,
      taken: acceptedFiles(current).flatMap(stepUpload),
      reopened: row && { askedAt: row.askedAt, steps: new Map() },
    };
  }

  /** Returns all answers and files so far, with the refused uploads. */
  async read(session: SessionRow): Promise<SubmittedAnswers> {
    const { organisationId, id } = session;
    const steps = await this.progress.listSavedSteps(organisationId, id);
    const [saved, { uploads: own, rejections }, extras, before, reopened, reused] = await Promise.all([
      this.openSteps(session, steps),
      this.readFiles(session),
      this.readExtras(session),
      session.round > 1 ? this.readAnswers(session) : null,
      this.readReopenedSteps(session),
      this.readReused(session),
    ]);
    const uploads: readonly SessionFile[] = [...reused.files, ...own];
    // Answers to steps that are requested again do not count.
    const again = session.flow.steps
      .filter(({ id: step }) => reopened?.steps.has(step))
      .flatMap(answerKeysOf);
    const knownAnswers = Object.entries({ ...reused.answers, ...extras.prefill, ...before });
    const answers = Object.fromEntries(knownAnswers.filter(([key]) => !again.includes(key)));
    Object.assign(answers, ...saved);
    const current = uploads.filter(
      (file) =>
        !reopened ||
        file.stepId === null ||
        !reopened.steps.has(file.stepId) ||
        lastSentAt(file) > reopened.askedAt,
    );
    return {
      answers: await this.withProvedAddresses(session, answers),
      ...{ uploads, current, rejections, extras, reopened },
      sent: new Set(saved.flatMap((step) => Object.keys(step))),
      taken: acceptedFiles(current).flatMap(stepUpload),
      attempts: new Map(steps.map(({ stepId, attempts }) => [stepId, attempts])),
    };
  }

  /** Decrypts the answers of saved steps; there are none after an erasure. */
  private async openSteps(session: SessionRow, steps: readonly SavedStep[]): Promise<Answers[]> {
    const plaintexts = await this.vault.openMany(
      steps.map(({ stepId, sealed }) => ({ sealed, context: stepContext(session, stepId) })),
    );
    return plaintexts.flatMap((plain) => (plain ? [JSON.parse(plain.toString('utf8')) as Answers] : []));
  }

  /** Returns the reused answers and files of an earlier session, after the person's consent. */
  private async readReused(
    session: SessionRow,
  ): Promise<{ readonly answers: Answers; readonly files: readonly KnownArtifact[] }> {
    const { organisationId, reusedSessionId } = session;
    const source =
      reusedSessionId === null ? null : await this.sessions.find(organisationId, reusedSessionId);
    if (!source) return { answers: {}, files: [] };
    const answers = (await this.readAnswers(source)) ?? {};
    const files = acceptedFiles(await this.listUploads(source));
    return {
      answers: reusedAnswers(session.flow, source.flow, answers),
      files: reusedFiles(session.flow, source.flow, files),
    };
  }

  /** Returns the steps that are requested again; null in the first round or if the session is not PENDING. */
  async readReopenedSteps(session: SessionRow): Promise<ReopenedSteps | null> {
    if (session.round === 1 || session.status !== 'PENDING') return null;
    const row = await this.rounds.find(session.organisationId, session.id, session.round);
    if (!row) return null;
    const messages = await this.decryptJson<Record<string, StepResubmission['message']>>(
      row.messagesSealed,
      messagesContext(session, session.round),
    );
    return {
      askedAt: row.askedAt,
      steps: new Map(
        row.asked.map(({ stepId, code }) => [stepId, { code, message: messages?.[stepId] ?? '' }]),
      ),
    };
  }

  /** Encrypts the messages with the key of the organisation, whose operators wrote them. */
  async encryptMessages(
    session: SessionRow,
    round: number,
    asked: readonly StepResubmission[],
  ): Promise<Buffer> {
    const messages = Object.fromEntries(asked.map(({ stepId, message }) => [stepId, message]));
    const subject = this.vault.organisationSubject(session.organisationId);
    return this.vault.sealOne(JSON.stringify(messages), subject, messagesContext(session, round));
  }

  /** Encrypts the answers of a step with the key of the link's customer: the person is not identified yet. */
  async encryptStep(session: SessionRow, stepId: string, answers: object): Promise<Buffer> {
    return this.vault.sealOne(JSON.stringify(answers), subjectOf(session), stepContext(session, stepId));
  }

  /** Encrypts all answers. Also returns the subject of the key. */
  async encryptAnswers(
    session: SessionRow,
    answers: Answers,
  ): Promise<{ readonly subject: SubjectRef; readonly answersSealed: Buffer }> {
    const subject = this.subjectFor(session, answers);
    const answersSealed = await this.vault.sealOne(JSON.stringify(answers), subject, answersContext(session));
    return { subject, answersSealed };
  }

  /** Removes the `true` of a code step if the address has changed since: a code proves only the address that got it. */
  private async withProvedAddresses(session: SessionRow, answers: Answers): Promise<Answers> {
    const steps = session.flow.steps.filter((step) => step.type === 'ONE_TIME_CODE');
    if (!steps.some(({ id }) => answers[id] === true)) return answers;
    const codes = await this.codes.listBySession(session.organisationId, session.id);
    const unproved = steps.filter(({ id, to }) => {
      const code = codes.find(({ stepId }) => stepId === id);
      const address = answers[to];
      const hash = typeof address === 'string' ? addressHash(this.index, session, address) : null;
      return !code?.verifiedAt || hash?.equals(code.addressHash) !== true;
    });
    const otherAnswers = Object.entries(answers).filter(([key]) => !unproved.some(({ id }) => id === key));
    return Object.fromEntries(otherAnswers);
  }

  /** Returns the subject of the person in the answers, so that one erasure covers everything. */
  private subjectFor(session: SessionRow, answers: Answers): SubjectRef {
    const { taxId } = declaredSubject(session.flow, answers);
    const { organisationId } = session;
    return (
      (taxId ? customerSubject(this.index, { organisationId, externalCustomerId: null, taxId }) : null) ??
      subjectOf(session)
    );
  }

  private async decryptJson<T>(sealed: Buffer | null, context: string): Promise<T | null> {
    if (!sealed) return null;
    const [opened] = await this.vault.openMany([{ sealed, context }]);
    return opened ? (JSON.parse(opened.toString('utf8')) as T) : null;
  }
}

type SessionRef = Pick<SessionRow, 'id' | 'organisationId'>;

const subjectOf = ({ organisationId, subjectIndex }: SessionRow): SubjectRef => ({
  organisationId,
  index: subjectIndex,
});

const stepContext = ({ id, organisationId }: SessionRef, stepId: string): string =>
  encryptionContextOf('kyc_session_steps', `${id}/${stepId}`, organisationId);

const answersContext = ({ id, organisationId }: SessionRef): string =>
  encryptionContextOf('kyc_sessions.answers', id, organisationId);

export const extrasEncryptionContext = ({ id, organisationId }: SessionRef): string =>
  encryptionContextOf('kyc_sessions.extras', id, organisationId);

const messagesContext = ({ id, organisationId }: SessionRef, round: number): string =>
  encryptionContextOf('kyc_session_rounds', `${id}/${round}`, organisationId);

const stepUpload = ({ stepId, documentType, side, mimeType }: KnownArtifact): StepUpload[] =>
  // A PDF may show both sides.
  stepId === null ? [] : [{ stepId, documentType, side: mimeType === 'application/pdf' ? null : side }];
