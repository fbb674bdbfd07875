import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, DomainError, errorAt, invalid } from '../../../platform/kernel/index.js';
import { BlindIndex } from '../../../platform/privacy/index.js';
import { ProviderGateway } from '../../providers/index.js';
import { today } from '../../screening/index.js';
import type { Answers, FlowLanguage } from '../domain/flow/flow.js';
import { planSession } from '../domain/plan.js';
import type { SessionRow } from '../domain/records.js';
import { CODE_LIMITS, CodeRepository } from '../store/code.repository.js';
import { SessionAnswersService } from './session-answers.service.js';
import { addressHash } from './session-codes.js';

const DIGITS = 6;

/** Creates one-time codes, which the organisation's provider delivers. Only keyed hashes are stored. */
@Injectable()
export class SessionCodesService {
  constructor(
    private readonly index: BlindIndex,
    private readonly clock: Clock,
    private readonly providers: ProviderGateway,
    private readonly sessionAnswers: SessionAnswersService,
    private readonly codes: CodeRepository,
  ) {}

  /** Sends a code to the address in the answers. Returns the minutes until the code expires. */
  async send(
    session: SessionRow,
    stepId: string,
    language: FlowLanguage,
  ): Promise<{ readonly minutes: number }> {
    const submittedAnswers = await this.sessionAnswers.read(session);
    const step = planSession(session, submittedAnswers, today(this.clock.now())).steps.find(
      ({ id }) => id === stepId,
    );
    if (step?.type !== 'ONE_TIME_CODE') throw new DomainError('STEP_NOT_FOUND');
    const to = submittedAnswers.answers[step.to];
    if (typeof to !== 'string') {
      const message = 'The address that the code goes to was not given yet.';
      throw errorAt('STEPS_INCOMPLETE', `steps.${stepId}`, 'REQUIRED', message);
    }
    const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
    const kept = await this.codes.replaceCode(session.organisationId, session.id, {
      stepId,
      codeHash: this.hashOf(session, stepId, code),
      addressHash: addressHash(this.index, session, to),
    });
    if (!kept) throw new DomainError('RATE_LIMITED', { retryAfterSeconds: CODE_LIMITS.againAfterSeconds });
    const { organisationId, id: sessionId, round, subjectIndex } = session;
    const requestedCode = {
      organisationId,
      sessionId,
      round,
      subject: { organisationId, index: subjectIndex },
    };
    const outcome = await this.providers.call(requestedCode, 'ONE_TIME_CODE', undefined, {
      person: { name: null, document: null, birthDate: null },
      images: [],
      delivery: { channel: step.channel, to, code, language },
    });
    if (outcome.verdict !== 'PASS') throw new DomainError('NOT_READY', { retryAfterSeconds: 60 });
    return { minutes: CODE_LIMITS.minutes };
  }

  /** Replaces correct codes in the answers by `true`. Throws VALIDATION_FAILED for a wrong or expired code. */
  async verify(session: SessionRow, answers: Answers): Promise<Answers> {
    const proved: Record<string, Answers[string]> = { ...answers };
    for (const { id, type } of session.flow.steps) {
      const givenAnswer = answers[id];
      if (type !== 'ONE_TIME_CODE' || typeof givenAnswer !== 'string') continue;
      const hash = this.hashOf(session, id, givenAnswer.trim());
      const tried = await this.codes.tryCode(session.organisationId, session.id, id, hash);
      if (tried !== 'RIGHT') {
        const code = tried === 'WRONG' ? 'CODE_WRONG' : 'CODE_OVER';
        const message =
          tried === 'WRONG' ? 'This is not the code.' : 'The code is too old; ask for another one.';
        throw invalid(`userData.${id}`, code, message);
      }
      proved[id] = true;
    }
    return proved;
  }

  private hashOf({ organisationId, id }: SessionRow, stepId: string, code: string): Buffer {
    return this.index.computeUncached(organisationId, 'session-code', `${id}\0${stepId}\0${code}`);
  }
}
