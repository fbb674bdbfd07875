import { Injectable } from '@nestjs/common';
import { AuditTrail, stepOf } from '../../audit/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { Clock, DomainError } from '../../../platform/kernel/index.js';
import { sealContext, Vault } from '../../../platform/privacy/index.js';
import type { ActorContext } from '../actor-context.js';
import { textIn, type Answers, type FlowStep } from '../domain/flow/flow.js';
import { givenIn, unaskedIn, type GivenAnswer } from '../domain/flow/given-answers.js';
import { judgeTries, type Judged } from '../domain/flow/tries.js';
import type { SessionRow } from '../domain/records.js';
import { SessionAnswers } from '../link/session-answers.service.js';
import type { RejectedUpload } from '../store/progress.repository.js';
import { SessionRepository } from '../store/session.repository.js';

/** A step of a flow with what was given for it. */
export interface StepEvidence {
  readonly step: FlowStep;
  readonly answers: readonly GivenAnswer[];
  readonly files: readonly Judged[];
  readonly rejections: readonly RejectedUpload[];
}

/** Everything that a session holds about its person. */
export interface FullEvidence {
  readonly session: SessionRow;
  readonly revealed: boolean;
  /** True when its person was erased. */
  readonly erased: boolean;
  readonly steps: readonly StepEvidence[];
  /** Answers and files beside those that the flow asks for. */
  readonly answers: readonly GivenAnswer[];
  readonly files: readonly Judged[];
}

/** A session in the words of its person. */
export interface SaidInSession {
  readonly session: SessionRow;
  readonly flowName: string;
  readonly answers: readonly GivenAnswer[];
}

const PAGE = 100;

/** Reads what was answered and uploaded in a session, for whoever decides about it and for the person. */
@Injectable()
export class SessionEvidenceReader {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly vault: Vault,
    private readonly given: SessionAnswers,
    private readonly sessions: SessionRepository,
  ) {}

  /**
   * The sessions that a case is about or that its transactions asked for; without such, the newest ones of the customer. A
   * few of them, the newest first, with the answers masked.
   */
  async ofCase(
    organisationId: string,
    of: {
      readonly sessionRef: string | null;
      readonly customerId: string | null;
      readonly transactionRefs: readonly string[];
    },
    most: number,
  ): Promise<FullEvidence[]> {
    const found = await this.sessions.ofCase(organisationId, of, most);
    return Promise.all(found.map((session) => this.read(session, false)));
  }

  /** With the answers masked. */
  async masked(session: SessionRow): Promise<FullEvidence> {
    return this.read(session, false);
  }

  /** With the answers as they were given; who asked, and that they had a reason, is in the trail before they leave. */
  async revealed(ctx: ActorContext, session: SessionRow, reason: string): Promise<FullEvidence> {
    // Before its end a session has a trail in which each step follows one other.
    if (session.status !== 'COMPLETED') throw new DomainError('STATE_CONFLICT');
    const evidence = await this.read(session, true);
    const { organisationId, id } = session;
    const sealed = await this.vault.sealOne(
      reason,
      this.vault.organisationSubject(organisationId),
      sealContext('kyc_sessions.revealed', id, organisationId),
    );
    const at = new Date(this.clock.now());
    const content = { sealedReason: sealed.toString('base64') };
    await this.uow.run(organisationId, (tx) =>
      this.audit.record(tx, [stepOf(ctx, 'session', id, 'session.answers_revealed', at, content)]),
    );
    return evidence;
  }

  /**
   * The person's own words in all of their sessions, the newest first. A session in which somebody else seems to have
   * spoken is left out: its answers contradict what is known of the person, and nobody has approved it.
   */
  async saidBy(organisationId: string, customerId: string): Promise<SaidInSession[]> {
    const said: SaidInSession[] = [];
    for (let before: string | null = null; ;) {
      const page = await this.sessions.page(organisationId, { customerId }, before, PAGE);
      for (const session of page) {
        const answers = isOwn(session) ? await this.given.answersOf(session) : null;
        if (answers) said.push(inWords(session, answers));
      }
      if (page.length < PAGE) return said;
      before = page.at(-1)?.id ?? null;
    }
  }

  private async read(session: SessionRow, revealed: boolean): Promise<FullEvidence> {
    const { answers: saved, uploads, rejections } = await this.given.of(session);
    const submitted = session.answersSealed ? await this.given.answersOf(session) : saved;
    const answers = submitted ?? {};
    const { steps } = session.flow;
    const known = new Set(steps.map(({ id }) => id));
    const judged = judgeTries(uploads);
    return {
      ...{ session, revealed, erased: submitted === null },
      steps: steps.map((step) => ({
        step,
        answers: givenIn(step, answers, revealed),
        files: judged.filter(({ file }) => file.stepId === step.id),
        rejections: rejections.filter(({ stepId }) => stepId === step.id),
      })),
      answers: unaskedIn(steps, answers, revealed),
      files: judged.filter(({ file: { stepId } }) => stepId === null || !known.has(stepId)),
    };
  }
}

const isOwn = ({ outcome, evidence }: SessionRow): boolean =>
  outcome === 'APPROVED' || !evidence.some(({ name, state }) => name === 'PROFILE' && state === 'HIT');

const inWords = (session: SessionRow, answers: Answers): SaidInSession => ({
  session,
  flowName: textIn(session.flow.name, 'pt-BR'),
  answers: [
    ...session.flow.steps.flatMap((step) => givenIn(step, answers, true)),
    ...unaskedIn(session.flow.steps, answers, true),
  ].filter(({ text }) => text !== null),
});
