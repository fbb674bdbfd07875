import { Injectable } from '@nestjs/common';
import type { NewSessionBody } from '../api/session.dto.js';
import { DomainError, uuidIn, uuidOf } from '../../kernel/index.js';
import { SessionEvents } from '../outcome/session-events.js';
import { SessionLinks } from './session-links.js';
import { SessionsService } from '../sessions.service.js';
import type { SessionRow } from '../domain/records.js';
import type { SessionRequest } from '../domain/session-request.js';

/** Finds sessions by what callers call them. */
@Injectable()
export class SessionReader {
  constructor(
    private readonly sessions: SessionsService,
    private readonly links: SessionLinks,
    private readonly events: SessionEvents,
  ) {}

  /** By its id or its reference; SESSION_NOT_FOUND for another organisation's as for one that never was. */
  async named(organisationId: string, id: string): Promise<SessionRow> {
    const uuid = uuidOf('kys', id);
    return uuid === null ? this.sessions.byLink(organisationId, id) : this.sessions.get(organisationId, uuid);
  }

  /** The id that opens it, and where. */
  async linkOf(session: SessionRow): Promise<{ readonly sessionId: string; readonly url: string }> {
    const sessionId = await this.events.idOf(session);
    return { sessionId, url: this.links.urlOf(sessionId) };
  }

  /** The request of a caller, with its public ids resolved. */
  async requestOf(organisationId: string, asked: NewSessionBody): Promise<Omit<SessionRequest, 'trigger'>> {
    const { flowKey, externalCustomerId, customerId, expiresInMinutes, previousSessionId } = asked;
    if (customerId !== undefined && externalCustomerId !== undefined) {
      throw new DomainError('VALIDATION_FAILED', {
        details: [
          {
            path: 'customerId',
            code: 'EITHER_OR',
            message: 'Send customerId or externalCustomerId, not both.',
          },
        ],
      });
    }
    const customer = customerId === undefined ? undefined : uuidIn('cus', customerId, 'CUSTOMER_NOT_FOUND');
    const previous =
      previousSessionId === undefined ? undefined : await this.named(organisationId, previousSessionId);
    return {
      flowKey,
      externalCustomerId,
      customerId: customer,
      expiresInMinutes,
      previousSessionId: previous?.id,
    };
  }
}
