import { Injectable } from '@nestjs/common';
import { customerSubject } from '../../customers/index.js';
import { TaxId } from '../../kernel/values/tax-id.js';
import { BlindIndex, sealContext, Vault, type SubjectRef } from '../../privacy/index.js';
import { ArtifactsService, type KnownArtifact } from '../../uploads/index.js';
import type { StepUpload } from '../domain/flow/inputs.js';
import type { Answers } from '../domain/flow/flow.js';
import type { SessionRow } from '../domain/records.js';
import { ProgressRepository, type RejectedUpload } from '../store/progress.repository.js';

/** The answers and uploads so far, and the uploads that were rejected. */
export interface Given {
  readonly answers: Answers;
  readonly uploads: readonly KnownArtifact[];
  readonly rejections: readonly RejectedUpload[];
  readonly attempts: ReadonlyMap<string, number>;
}

/** Keeps the answers of a session: sealed as they come, opened for the checks. */
@Injectable()
export class SessionAnswers {
  constructor(
    private readonly vault: Vault,
    private readonly index: BlindIndex,
    private readonly artifacts: ArtifactsService,
    private readonly progress: ProgressRepository,
  ) {}

  /** The answers, for the checks; null when the person was erased meanwhile. */
  async answersOf(session: SessionRow): Promise<Answers | null> {
    if (!session.answersSealed) return null;
    const [opened] = await this.vault.openMany([
      { sealed: session.answersSealed, context: answersContext(session) },
    ]);
    return opened ? (JSON.parse(opened.toString('utf8')) as Answers) : null;
  }

  /** Returns the uploads that are still stored, in the order they came. */
  async uploadsOf({ organisationId, id }: SessionRow): Promise<KnownArtifact[]> {
    const all = await this.artifacts.ofOwner(organisationId, { type: 'SESSION', id });
    return all.filter(({ state }) => state === 'STORED');
  }

  /** Returns the answers and uploads so far. */
  async current(session: SessionRow): Promise<{ answers: Answers; uploads: readonly StepUpload[] }> {
    const { answers, uploads } = await this.of(session);
    return { answers, uploads: taken(uploads) };
  }

  /** All of it, what was not taken included. */
  async of(session: SessionRow): Promise<Given> {
    const [steps, rejections, uploads] = await Promise.all([
      this.progress.steps(session.organisationId, session.id),
      this.progress.rejections(session.organisationId, session.id),
      this.uploadsOf(session),
    ]);
    const opened = await this.vault.openMany(
      steps.map(({ stepId, sealed }) => ({ sealed, context: stepContext(session, stepId) })),
    );
    const answers: Record<string, Answers[string]> = {};
    for (const plain of opened) {
      // Null: erased since; then it was never said.
      if (plain) Object.assign(answers, JSON.parse(plain.toString('utf8')) as Answers);
    }
    return {
      answers,
      uploads,
      rejections,
      attempts: new Map(steps.map(({ stepId, attempts }) => [stepId, attempts])),
    };
  }

  /** The answers of one step, under the key of the person the link is for: nobody else is known yet. */
  async sealStep(session: SessionRow, stepId: string, answers: object): Promise<Buffer> {
    return this.vault.sealOne(JSON.stringify(answers), subjectOf(session), stepContext(session, stepId));
  }

  /** All answers, and whose key they are under. */
  async seal(
    session: SessionRow,
    answers: Answers,
  ): Promise<{ readonly subject: SubjectRef; readonly answersSealed: Buffer }> {
    const subject = this.subjectFor(session, answers);
    const answersSealed = await this.vault.sealOne(JSON.stringify(answers), subject, answersContext(session));
    return { subject, answersSealed };
  }

  /** The person whose key seals the answers: that of the person who is named, so that one erasure covers everything. */
  private subjectFor(session: SessionRow, answers: Answers): SubjectRef {
    const cpf = answers['cpf'] ?? answers['cnpj'];
    const parsed = typeof cpf === 'string' ? TaxId.parse(cpf) : null;
    const { organisationId } = session;
    return (
      (parsed?.ok === true
        ? customerSubject(this.index, { organisationId, externalCustomerId: null, taxId: parsed.id })
        : null) ?? subjectOf(session)
    );
  }
}

const subjectOf = ({ organisationId, subjectIndex }: SessionRow): SubjectRef => ({
  organisationId,
  index: subjectIndex,
});

const stepContext = ({ id, organisationId }: SessionRow, stepId: string): string =>
  sealContext('kyc_session_steps', `${id}/${stepId}`, organisationId);

const answersContext = ({ id, organisationId }: SessionRow): string =>
  sealContext('kyc_sessions.answers', id, organisationId);

/** Uploads as steps ask for them. */
export const taken = (uploads: readonly KnownArtifact[]): readonly StepUpload[] =>
  uploads.flatMap(({ stepId, documentType, side, mimeType }) =>
    // A PDF may hold both sides.
    stepId === null ? [] : [{ stepId, documentType, side: mimeType === 'application/pdf' ? null : side }],
  );
