import { Injectable } from '@nestjs/common';
import { OtherName } from '../../audit/index.js';
import { invalid, requireUuid, uuidOf } from '../../../platform/kernel/index.js';
import { SessionEventPublisher } from '../outcome/session-event-publisher.js';
import { SessionAnswersService } from './session-answers.service.js';
import { SessionLinkFactory } from './session-link-factory.js';
import { SessionsService } from '../sessions.service.js';
import type { Answers } from '../domain/flow/flow.js';
import type { SessionRow } from '../domain/records.js';
import type { SessionRequestByPublicIds, SessionRequest } from '../domain/making/session-request.js';

/** Finds sessions by id, reference or protocol number. */
@Injectable()
export class SessionReaderService {
  constructor(
    private readonly sessions: SessionsService,
    private readonly links: SessionLinkFactory,
    private readonly events: SessionEventPublisher,
    private readonly sessionAnswers: SessionAnswersService,
  ) {}

  /** Returns the stored id for a secret id or a reference. */
  @OtherName('session')
  async resolveStoredId(organisationId: string, id: string): Promise<string> {
    return (await this.find(organisationId, id)).id;
  }

  /** Finds a session by secret id, reference or protocol number. Throws SESSION_NOT_FOUND. */
  async find(organisationId: string, id: string): Promise<SessionRow> {
    const uuid = uuidOf('kys', id);
    if (uuid !== null) return this.sessions.get(organisationId, uuid);
    return id.startsWith('ses_')
      ? this.sessions.findByLink(organisationId, id)
      : this.sessions.findByProtocol(organisationId, id);
  }

  /** Returns the secret id of a session, and the URL of its page. */
  async readLink(session: SessionRow): Promise<{ readonly sessionId: string; readonly url: string }> {
    const sessionId = await this.events.readSecretId(session);
    return { sessionId, url: this.links.urlOf(sessionId) };
  }

  /** Returns the creator's metadata; empty if the person was erased. */
  async readMetadata(session: SessionRow): Promise<Readonly<Record<string, string>>> {
    return (await this.sessionAnswers.readExtras(session)).metadata;
  }

  /** Resolves the public ids in a request. */
  async resolveRequest(
    organisationId: string,
    asked: SessionRequestByPublicIds,
  ): Promise<Omit<SessionRequest, 'trigger'>> {
    const { flowKey, externalCustomerId, customerId, expiresInMinutes, previousSessionId } = asked;
    const { redirectUrl = null, metadata = {}, prefill = {} } = asked;
    if (customerId !== undefined && externalCustomerId !== undefined) {
      throw invalid('customerId', 'EITHER_OR', 'Send customerId or externalCustomerId, not both.');
    }
    const customer =
      customerId === undefined ? undefined : requireUuid('cus', customerId, 'CUSTOMER_NOT_FOUND');
    const previous =
      previousSessionId === undefined ? undefined : await this.find(organisationId, previousSessionId);
    return {
      flowKey,
      externalCustomerId,
      customerId: customer,
      expiresInMinutes,
      previousSessionId: previous?.id,
      extras: { redirectUrl, metadata, prefill: prefill as Answers },
    };
  }
}
