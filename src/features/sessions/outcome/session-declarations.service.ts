import { Injectable } from '@nestjs/common';
import { CustomerDeclarationsService, UNCONFIRMED, type PreparedDeclaration } from '../../customers/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { publicId } from '../../../platform/kernel/index.js';
import { sessionSystemActor } from '../actor-context.js';
import { declarationFrom } from '../domain/declared-answers.js';
import type { Answers } from '../domain/flow/flow.js';
import { isWordOfOne } from '../domain/session-history.js';
import type { SessionRow } from '../domain/records.js';
import { SessionAnswersService } from '../link/session-answers.service.js';

/** Writes a customer's declarations in a session into the profile, with the session and its day. */
@Injectable()
export class SessionDeclarationsService {
  constructor(
    private readonly customers: CustomerDeclarationsService,
    private readonly sessionAnswers: SessionAnswersService,
  ) {}

  async prepareDeclaration(
    session: SessionRow,
    answers: Answers | null,
    customerId: string,
    isApproved: boolean,
    isDecided = false,
  ): Promise<PreparedDeclaration | null> {
    if (!answers) return null;
    const at = (session.submittedAt ?? session.createdAt).toISOString();
    const isOneWord = !isDecided && isWordOfOne(session);
    const source = { by: 'SESSION', ref: publicId('kys', session.id), at } as const;
    const statement = isOneWord ? { ...source, ...UNCONFIRMED } : source;
    return this.customers.prepareDeclaration(
      session.organisationId,
      customerId,
      declarationFrom(session.flow, await this.sessionAnswers.withoutUnsent(session, answers)),
      statement,
      isApproved,
    );
  }

  async prepareStored(session: SessionRow): Promise<PreparedDeclaration | null> {
    return this.prepareDeclaration(
      session,
      await this.sessionAnswers.readAnswers(session),
      session.customerId,
      true,
      true,
    );
  }

  async recordDeclaration(
    tx: Tx,
    session: SessionRow,
    declaration: PreparedDeclaration,
    by: string,
  ): Promise<void> {
    const ctx = sessionSystemActor(session.organisationId, by, { ...session, requestId: null });
    await this.customers.recordDeclaration(tx, ctx, declaration);
  }
}
